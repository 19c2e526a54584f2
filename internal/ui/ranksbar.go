package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// ranksBar asks for ranks: 0-7, 0..7, 0,3. Nothing means all.
type ranksBar struct {
	theme theme.Theme
	input draw.Input
	rest  string // the filter besides the ranks
	err   error
}

// askRanks asks for ranks, beginning with those that are chosen.
func (a *App) askRanks() tea.Cmd {
	rest, ranks := a.ranks.split(a.filter.String())
	b := &ranksBar{theme: a.opts.Theme, rest: rest}
	b.input.Set(ranks)
	a.over = b
	return nil
}

// filterRanks narrows the filter to ranks; it replaces those chosen before.
func (a *App) filterRanks(text string) tea.Cmd {
	rest, _ := a.ranks.split(a.filter.String())
	term, err := rankTerm(text)
	if err != nil {
		return screen.Say(err.Error())
	}
	a.ranks = chosenRanks{text, term}
	return a.setFilter(withRanks(rest, term))
}

// chosenRanks is the last choice of ranks: as typed, and as a term of the filter.
type chosenRanks struct{ typed, term string }

// split takes the term of the choice out of a filter, and gives what was typed;
// nothing when the filter was changed since.
func (c chosenRanks) split(filter string) (rest, typed string) {
	if c.term == "" {
		return filter, ""
	}
	if filter == c.term {
		return "", c.typed
	}
	rest, ok := strings.CutSuffix(filter, " and "+c.term)
	if !ok {
		return filter, ""
	}
	if inner, ok := strings.CutPrefix(rest, "("); ok && strings.HasSuffix(inner, ")") {
		if inner = inner[:len(inner)-1]; parses(inner) {
			return inner, c.typed
		}
	}
	return rest, c.typed
}

func parses(text string) bool {
	_, err := query.Parse(text)
	return err == nil
}

// withRanks joins a filter and a term for ranks.
func withRanks(rest, term string) string {
	switch {
	case rest == "":
		return term
	case term == "":
		return rest
	case strings.ContainsAny(rest, " |"):
		return "(" + rest + ") and " + term
	}
	return rest + " and " + term
}

// rankTerm is the filter for ranks written as people do: single ones and ranges,
// with - or .., separated by commas or blanks. Nothing gives "".
func rankTerm(text string) (string, error) {
	var parts []string
	single := true
	for _, part := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }) {
		lo, hi, isRange := strings.Cut(strings.ReplaceAll(part, "..", "-"), "-")
		a, err := strconv.ParseUint(lo, 10, 31)
		b := a
		if err == nil && isRange {
			b, err = strconv.ParseUint(hi, 10, 31)
		}
		if err != nil || b < a {
			return "", fmt.Errorf("%q is no rank and no range of ranks: write 0-7, 0..7 or 0,3,12", part)
		}
		if isRange {
			single = false
			parts = append(parts, fmt.Sprintf("rank=%d..%d", a, b))
			continue
		}
		parts = append(parts, fmt.Sprintf("rank=%d", a))
	}
	switch {
	case len(parts) == 0:
		return "", nil
	case len(parts) == 1:
		return parts[0], nil
	case single:
		return "rank in (" + strings.ReplaceAll(strings.Join(parts, ","), "rank=", "") + ")", nil
	}
	return "(" + strings.Join(parts, " or ") + ")", nil
}

func (b *ranksBar) keys() []key.Binding {
	return []key.Binding{bind("Enter", "show these ranks", "enter"), bind("Esc", "cancel", "esc"), bind("^U", "all ranks", "ctrl+u")}
}

func (b *ranksBar) key(k tea.KeyMsg) (tea.Msg, bool) {
	switch k.String() {
	case "esc":
		return nil, true
	case "enter":
		_, b.err = rankTerm(b.input.Value())
		if b.err != nil {
			return nil, false
		}
		return ranksMsg(b.input.Value()), true
	}
	if b.input.HandleKey(k) {
		_, b.err = rankTerm(b.input.Value())
	}
	return nil, false
}

// ranksMsg asks for some ranks, as typed.
type ranksMsg string

const ranksPrompt = "ranks: "

func (b *ranksBar) lines(width, _ int) []string {
	field, _ := b.input.View(b.theme, max(0, width-len(ranksPrompt)))
	lines := []string{
		draw.NewLine(width).Add(b.theme.Dim, strings.Repeat(b.theme.Glyphs.Rule, width)).String(),
		draw.NewLine(width).Add(b.theme.Key, ranksPrompt).Drawn(field, width-len(ranksPrompt)).String(),
	}
	if b.err != nil {
		for _, l := range draw.Wrap(b.theme.Glyphs.Bad+" "+b.err.Error(), width) {
			lines = append(lines, draw.NewLine(width).Add(b.theme.Bad, l).String())
		}
		return lines
	}
	hint := "  0-7   0..7   0,3,12   nothing: all"
	if b.rest != "" {
		hint += "   besides: " + b.rest
	}
	return append(lines, draw.NewLine(width).Add(b.theme.Dim, hint).String())
}

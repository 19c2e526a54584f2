package spansscreen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// maxLevels bounds how deep groups nest, names not counted.
const maxLevels = 4

// prompt asks by what spans are to be grouped.
type prompt struct {
	input  draw.Input
	now    []string // the grouping in force
	runs   []*store.Run
	offers []offer
	chosen int // of offers; −1 when none is
	err    error
}

// ask opens the prompt. It is empty: another grouping is asked for more often
// than one more level.
func (m *Model) ask() {
	m.slow = nil
	p := &prompt{runs: m.data.Snapshot.Runs, now: m.by}
	if r := m.data.Snapshot.Run(m.data.Run); r != nil { // its keys come first
		p.runs = append([]*store.Run{r}, slices.DeleteFunc(slices.Clone(p.runs), func(o *store.Run) bool { return o == r })...)
	}
	p.edited()
	m.prompt = p
	m.layOut()
}

func (p *prompt) edited() {
	_, p.err = p.levels()
	p.offers = offersFor(p.input.Value(), p.input.Cursor(), p.runs)
	p.chosen = -1
}

// levels is what was typed, as dimensions.
func (p *prompt) levels() ([]string, error) {
	words, err := splitLevels(p.input.Value())
	if err != nil {
		return nil, err
	}
	if len(words) > maxLevels {
		return nil, fmt.Errorf("%d levels: at most %d can be told apart on a screen", len(words), maxLevels)
	}
	for i, w := range words {
		switch {
		case slices.Contains(words[:i], w):
			return nil, fmt.Errorf("%s is there twice", w)
		case !isKnown(w, p.runs):
			return nil, fmt.Errorf("no span and no process has sent %s", w)
		}
	}
	return words, nil
}

func (p *prompt) keys() []key.Binding {
	return []key.Binding{bind("Enter", "apply", "enter"), bind("Esc", "cancel", "esc"),
		bind("↓/↑", "choose", "down", "up"), bind("Tab", "complete", "tab"), bind("^U", "empty", "ctrl+u")}
}

func (m *Model) promptKey(k tea.KeyMsg) tea.Cmd {
	p := m.prompt
	switch k.String() {
	case "esc":
		m.Back()
	case "enter":
		return m.applyPrompt()
	case "tab":
		p.complete(max(0, p.chosen))
	case "down":
		p.choose(1)
	case "up":
		p.choose(-1)
	default:
		if p.input.HandleKey(k) {
			p.edited()
		}
	}
	return nil
}

// applyPrompt groups by what was chosen or typed. While that is wrong the prompt
// stays and goes on saying why.
func (m *Model) applyPrompt() tea.Cmd {
	p := m.prompt
	if p.chosen >= 0 {
		p.complete(p.chosen)
	}
	by, err := p.levels()
	if err != nil {
		return nil
	}
	m.prompt = nil
	return m.groupBy(by)
}

// groupBy asks for another grouping. Names alone are no grouping.
func (m *Model) groupBy(by []string) tea.Cmd {
	if len(by) == 1 && by[0] == "name" {
		by = nil
	}
	m.by, m.slow = by, nil
	m.layOut()
	return m.measure()
}

// choose goes through the offers and, between the last and the first, none.
func (p *prompt) choose(by int) {
	places := len(p.offers) + 1
	p.chosen = (p.chosen+1+by+places)%places - 1
}

func (p *prompt) complete(n int) {
	if n >= len(p.offers) {
		return
	}
	o := p.offers[n]
	p.input.Replace(o.from, o.to, o.text+" ")
	p.edited()
}

const (
	promptText = "group by: "
	shownOffer = 8
)

// lines is the offers, a rule, the text and what is wrong with it.
func (p *prompt) lines(t theme.Theme, width, height int) []string {
	room := max(0, width-len(promptText))
	field, _ := p.input.View(t, room)
	lines := p.offerLines(t, width, min(shownOffer, height-4))
	lines = append(lines,
		draw.NewLine(width).Add(t.Dim, strings.Repeat(t.Glyphs.Rule, width)).String(),
		draw.NewLine(width).Add(t.Key, promptText).Drawn(field, room).String())
	if p.err != nil {
		return append(lines, draw.NewLine(width).Add(t.Bad, t.Glyphs.Bad+" "+p.err.Error()).String())
	}
	return append(lines, draw.NewLine(width).Add(t.Dim, "  "+p.hint()).String())
}

func (p *prompt) hint() string {
	if p.input.Value() == "" && len(p.now) > 0 {
		return "now " + strings.Join(p.now, ", ") + "; nothing means names only"
	}
	return "several nest, as run pp rank; name rank compares the ranks of each operation"
}

func (p *prompt) offerLines(t theme.Theme, width, most int) []string {
	most = max(0, most)
	first := max(0, p.chosen-most+1)
	shown := p.offers[min(first, len(p.offers)):min(len(p.offers), first+most)]
	var lines []string
	for i, o := range shown {
		style, mark := theme.Style{}, "  "
		if first+i == p.chosen {
			style, mark = t.Selected, t.Glyphs.Cursor+" "
		}
		lines = append(lines, draw.NewLine(width).Add(style, mark).Fit(style, o.text, min(32, width/2), false).
			Add(t.Dim, " "+o.about).String())
	}
	return lines
}

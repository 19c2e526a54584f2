package ui

import (
	"errors"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// filterBar edits the filter: it is parsed at every key, and says what is wrong
// and where.
type filterBar struct {
	theme    theme.Theme
	input    draw.Input
	snapshot *store.Snapshot
	run      string
	err      error
	offers   []query.Completion
	chosen   int // of offers; -1 when none is
}

func newFilterBar(t theme.Theme, text string, s *store.Snapshot, runID string) *filterBar {
	f := &filterBar{theme: t, snapshot: s, run: runID}
	f.input.Set(text)
	f.edited()
	return f
}

// edited parses and completes anew.
func (f *filterBar) edited() {
	_, f.err = query.Parse(f.input.Value())
	f.offers = query.Complete(f.input.Value(), f.input.Cursor(), f.snapshot, f.run)
	f.chosen = -1
}

func (f *filterBar) keys() []key.Binding {
	return []key.Binding{
		bind("Enter", "apply", "enter"), bind("Esc", "cancel", "esc"),
		bind("Tab", "complete", "tab"), bind("↑/↓", "choose", "up", "down"), bind("^U", "empty", "ctrl+u"),
	}
}

func (f *filterBar) key(k tea.KeyMsg) (tea.Msg, bool) {
	switch k.String() {
	case "esc":
		return nil, true
	case "enter":
		return f.apply()
	case "tab":
		f.complete(max(0, f.chosen))
	case "down":
		f.choose(1)
	case "up":
		f.choose(-1)
	default:
		if f.input.HandleKey(k) {
			f.edited()
		}
	}
	return nil, false
}

func (f *filterBar) apply() (tea.Msg, bool) {
	if f.chosen >= 0 {
		f.complete(f.chosen)
		return nil, false
	}
	if f.err != nil {
		return nil, false // the bar stays and goes on saying why
	}
	return screen.FilterMsg{Text: strings.TrimSpace(f.input.Value())}, true
}

// choose goes through the offers and, between the last and the first, none.
func (f *filterBar) choose(by int) {
	places := len(f.offers) + 1
	f.chosen = (f.chosen+1+by+places)%places - 1
}

func (f *filterBar) complete(n int) {
	if n >= len(f.offers) {
		return
	}
	o := f.offers[n]
	f.input.Replace(o.From, o.To, o.Text)
	f.edited()
}

const filterPrompt = "/ "

// maxOffers bounds the list of completions on screen.
const maxOffers = 6

func (f *filterBar) lines(width, height int) []string {
	field, start := f.input.View(f.theme, max(0, width-len(filterPrompt)))
	lines := f.offerLines(width)
	lines = append(lines,
		draw.NewLine(width).Add(f.theme.Dim, strings.Repeat(f.theme.Glyphs.Rule, width)).String(),
		draw.NewLine(width).Add(f.theme.Key, filterPrompt).Drawn(field, width-len(filterPrompt)).String())
	return append(lines, f.trouble(width, start)...)
}

func (f *filterBar) offerLines(width int) []string {
	first := max(0, f.chosen-maxOffers+1)
	shown := f.offers[first:min(len(f.offers), first+maxOffers)]
	var lines []string
	for i, o := range shown {
		style, mark := theme.Style{}, "  "
		if first+i == f.chosen {
			style, mark = f.theme.Selected, f.theme.Glyphs.Cursor+" "
		}
		l := draw.NewLine(width).Add(style, mark).Fit(style, o.Text, min(28, width/2), false).Add(f.theme.Dim, " "+o.About)
		lines = append(lines, l.String())
	}
	return lines
}

// trouble is two lines below the text: one that points, one that says it.
func (f *filterBar) trouble(width, start int) []string {
	if f.err == nil {
		hint := "e.g. rank=0..63 and not truncated     dl.tensor_parallel.size=4     dur>2s     forward"
		return []string{draw.NewLine(width).Add(f.theme.Dim, "  "+hint).String()}
	}
	message, pointer := f.err.Error(), ""
	var at *query.Error
	if errors.As(f.err, &at) {
		text := f.input.Value()
		from := draw.Width(draw.Clean(text[min(start, at.Pos):at.Pos]))
		long := max(1, draw.Width(draw.Clean(text[at.Pos:at.Pos+at.Len])))
		pointer = draw.Spaces(len(filterPrompt)+from) + strings.Repeat("^", long)
	}
	return []string{
		draw.NewLine(width).Add(f.theme.Bad, pointer).String(),
		draw.NewLine(width).Add(f.theme.Bad, f.theme.Glyphs.Bad+" "+message).String(),
	}
}

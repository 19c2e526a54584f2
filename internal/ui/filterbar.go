package ui

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

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
	filter   *query.Filter // when there is no error
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
	f.filter, f.err = query.Parse(f.input.Value())
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
	last := []string{
		draw.NewLine(width).Add(f.theme.Dim, strings.Repeat(f.theme.Glyphs.Rule, width)).String(),
		draw.NewLine(width).Add(f.theme.Key, filterPrompt).Drawn(field, width-len(filterPrompt)).String(),
	}
	last = append(last, f.trouble(width, start)...)
	return append(f.offerLines(width, max(0, min(maxOffers, height-len(last)))), last...)
}

func (f *filterBar) offerLines(width, most int) []string {
	first := max(0, f.chosen-most+1)
	shown := f.offers[min(first, len(f.offers)):min(len(f.offers), first+most)]
	var lines []string
	for i, o := range shown {
		style, mark := theme.Style{}, "  "
		if first+i == f.chosen {
			style, mark = f.theme.Selected, f.theme.Glyphs.Cursor+" "
		}
		l := draw.NewLine(width).Add(style, mark).Fit(style, o.Text, min(28, width/2), false).Add(f.theme.Dim, " "+o.About)
		if i == most-1 && first+i < len(f.offers)-1 {
			l.Right(f.theme.Dim, f.theme.Glyphs.Down+" "+draw.Count(len(f.offers)-1-first-i))
		}
		lines = append(lines, l.String())
	}
	return lines
}

// trouble is what stands below the text: what is wrong and where, else a key that
// nobody has sent, else examples.
func (f *filterBar) trouble(width, start int) []string {
	if f.err != nil {
		return f.failure(width, start)
	}
	if text := f.unknown(); text != "" {
		return f.said(f.theme.Warn, f.theme.Glyphs.Warn+" "+text, width)
	}
	hint := "e.g. rank=0..63 and not truncated     dl.tensor_parallel.size=4     dur>2s     forward"
	return []string{draw.NewLine(width).Add(f.theme.Dim, "  "+hint).String()}
}

// failure points at the place and says all of what is wrong with it.
func (f *filterBar) failure(width, start int) []string {
	var at *query.Error
	if !errors.As(f.err, &at) {
		return f.said(f.theme.Bad, f.theme.Glyphs.Bad+" "+f.err.Error(), width)
	}
	text := f.input.Value()
	var lines []string
	from := len(filterPrompt)
	if at.Pos >= start {
		from += draw.Width(draw.Clean(text[start:at.Pos]))
	}
	if at.Pos < start || from >= width { // the place is not in the window: show its surroundings
		line, cell := around(text, at.Pos, width)
		lines = append(lines, draw.NewLine(width).Add(f.theme.Dim, line).String())
		from = cell
	}
	long := max(1, min(draw.Width(draw.Clean(text[at.Pos:at.Pos+at.Len])), width-from))
	lines = append(lines, draw.NewLine(width).Space(from).Add(f.theme.Bad, strings.Repeat("^", long)).String())
	return append(lines, f.said(f.theme.Bad, f.theme.Glyphs.Bad+" "+f.err.Error(), width)...)
}

// around is the surroundings of a place in a text, in a line, and the cell in
// which the place is.
func around(text string, pos, width int) (line string, cell int) {
	before := text[:pos]
	for room := max(2, width/2); draw.Width(draw.Clean(before)) > room; {
		_, size := utf8.DecodeRuneInString(before)
		before = before[size:]
	}
	if len(before) < pos {
		before = draw.Ellipsis + before
	}
	return before + text[pos:], draw.Width(draw.Clean(before))
}

// said is a text in as many lines as it takes.
func (f *filterBar) said(style theme.Style, text string, width int) []string {
	var lines []string
	for _, l := range draw.Wrap(text, width) {
		lines = append(lines, draw.NewLine(width).Add(style, l).String())
	}
	return lines
}

// unknown says which keys nobody has sent, and which were probably meant.
func (f *filterBar) unknown() string { return unknownKeys(f.filter, f.snapshot, f.run) }

func unknownKeys(filter *query.Filter, s *store.Snapshot, runID string) string {
	var parts []string
	for _, k := range query.Unknown(filter, s, runID) {
		text := fmt.Sprintf("nothing has sent %q", k.Key)
		if k.Near != "" {
			text += fmt.Sprintf("; did you mean %q?", k.Near)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "  ")
}

package overviewscreen

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// page is the lines of the screen while they are written. How much a part says
// depends on the room; what does not fit even so is scrolled to.
type page struct {
	theme theme.Theme
	width int // of a line, without the gutter
	size  size
	of    *answer
	keys  screen.Keys
	lines []line
}

func newPage(t theme.Theme, s size, a *answer, keys screen.Keys) *page {
	return &page{theme: t, width: max(0, s.width-gutter), size: s, of: a, keys: keys}
}

// Heights from which on parts say more.
const (
	tall    = 30
	tallest = 38
)

// labelCells is the column of labels before what they are about.
const labelCells = 7

// all is the page, the most important first. The steps' plot takes the lines that
// are left.
func (p *page) all() []line {
	if p.of.pending {
		p.said("", p.theme.Strong, "Looking at who is slow, who stopped and where the time goes.", 2, "verdict", nil)
	} else {
		p.verdict()
		p.places()
	}
	p.facts()
	above := p.lines
	p.lines = nil
	if !p.of.pending {
		p.breakdown()
		p.training()
	}
	p.notices(max(2, p.size.height-len(above)-len(p.lines)-stepsLeast))
	below := p.lines
	p.lines = above
	p.steps(p.size.height - len(above) - len(below))
	return append(p.lines, below...)
}

// piece is a few words in one look.
type piece struct {
	style theme.Style
	text  string
}

// put adds a ready line.
func (p *page) put(about string, do tea.Cmd, l *draw.Line, text string) {
	p.lines = append(p.lines, line{drawn: l.To(p.width).String(), text: text, about: about, do: do})
}

// label begins a line.
func (p *page) label(text string) *draw.Line {
	return draw.NewLine(p.width).Fit(p.theme.Dim, text, labelCells-1, false).To(min(labelCells, p.width))
}

// said is a text behind a label, wrapped into at most so many lines; the last one
// is cut.
func (p *page) said(label string, style theme.Style, text string, most int, about string, do tea.Cmd) {
	parts := draw.Wrap(text, max(1, p.width-labelCells))
	if most = max(1, most); len(parts) > most {
		parts[most-1] = strings.Join(parts[most-1:], " ")
		parts = parts[:most]
	}
	for i, part := range parts {
		l := p.label(label)
		l.Add(style, part)
		if i == 0 {
			p.put(about, do, l, strings.TrimSpace(label+"  "+text))
		} else {
			p.put("", nil, l, "")
		}
		label = ""
	}
}

// flow is pieces behind a label, as many to a line as fit whole, in at most so many
// lines.
func (p *page) flow(label string, pieces []piece, most int, about string, do tea.Cmd) {
	var text []string
	for _, x := range pieces {
		text = append(text, strings.TrimSpace(x.text))
	}
	l, used := p.label(label), 0
	all := strings.TrimSpace(label + "  " + strings.Join(text, "  "))
	for _, x := range pieces {
		sep := ""
		if used > 0 {
			sep = "  "
		}
		if used > 0 && draw.Width(draw.Clean(sep+x.text)) > l.Left() {
			if most--; most <= 0 {
				break
			}
			p.put(about, do, l, all)
			about, do, all = "", nil, ""
			l, used, sep = p.label(""), 0, ""
		}
		l.Text(sep).Add(x.style, x.text)
		used++
	}
	p.put(about, do, l, all)
}

// room is n lines of a part, more on a tall screen.
func (p *page) room(few, many, most int) int {
	switch {
	case p.size.height >= tallest:
		return most
	case p.size.height >= tall:
		return many
	}
	return few
}

// opens is the command that shows a screen of the run.
func (p *page) opens(name screen.Name) tea.Cmd {
	return screen.Open(name, screen.Target{Run: p.of.run})
}

// narrowed is a filter in addition to the one in force.
func (p *page) narrowed(filter string) string {
	if filter == "" || p.of.filter == "" {
		return filter
	}
	return "(" + p.of.filter + ") and (" + filter + ")"
}

// jumpTo is the command of a jump.
func (p *page) jumpTo(j jump) tea.Cmd {
	return screen.OpenNarrowed(j.to.Screen, j.to.Target, p.narrowed(j.to.Narrow))
}

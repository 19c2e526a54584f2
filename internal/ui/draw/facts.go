package draw

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Fact is one thing said of something: a heading or a remark, or a value under
// its name. Name and Text may come from anywhere.
type Fact struct {
	Style theme.Style
	Name  string // "" for a heading or a remark
	Text  string
}

// factCells lines up the values of short names.
const factCells = 9

// maxFact is how much of one value is shown, in bytes.
const maxFact = 4_000

// Lines is a fact, wrapped, in lines of exactly width cells. Values with line
// breaks keep them.
func (f Fact) Lines(t theme.Theme, width int) []string { return f.linedUp(t, width, factCells) }

// linedUp is Lines with the value behind so many cells for its name.
func (f Fact) linedUp(t theme.Theme, width, cells int) []string {
	text := f.Text
	if len(text) > maxFact {
		text = strings.ToValidUTF8(text[:maxFact], "") + Ellipsis + " (" + Count(len(text)-maxFact) + " bytes more)"
	}
	parts := strings.Split(text, "\n")
	if f.Name == "" {
		return factLines(parts, " ", "", f.Style, t, width)
	}
	name := Clean(f.Name)
	if len(parts) > 1 {
		out := factLines([]string{name}, "  ", name, f.Style, t, width)
		return append(out, factLines(parts, "    ", "", f.Style, t, width)...)
	}
	name = PadRight(name, max(cells, Width(name)))
	return factLines([]string{name + "  " + text}, "  ", name, f.Style, t, width)
}

// factLines draws parts behind a lead; what they begin with may be a name.
func factLines(parts []string, lead, name string, style theme.Style, t theme.Theme, width int) []string {
	var out []string
	for _, part := range parts {
		for _, line := range Wrap(lead+part, width) {
			l := NewLine(width)
			if rest, ok := strings.CutPrefix(line, lead+name); ok && name != "" {
				l.Add(t.Accent, lead+name)
				line, name = rest, ""
			}
			out = append(out, l.Add(style, line).String())
		}
	}
	return out
}

// FactText is facts as plain text, nothing left out: for the clipboard.
func FactText(facts []Fact) string {
	var b strings.Builder
	for _, f := range facts {
		if f.Name != "" {
			b.WriteString("  " + f.Name + "  ")
		}
		b.WriteString(f.Text + "\n")
	}
	return b.String()
}

// Pane is lines that scroll in a few cells. The zero Pane is empty.
type Pane struct {
	lines         []string
	width, height int
	offset        int
	home          int // the line that was scrolled to: a size that comes back shows it again
}

// SetSize gives the pane its cells.
func (p *Pane) SetSize(width, height int) {
	p.width, p.height = max(0, width), max(0, height)
	p.hold()
}

// SetLines shows ready-made lines of the pane's width.
func (p *Pane) SetLines(lines []string) {
	p.lines = lines
	p.hold()
}

// hold shows the line that was scrolled to, as far as there are lines.
func (p *Pane) hold() { p.offset = max(0, min(p.home, len(p.lines)-p.height)) }

// SetFacts shows facts, wrapped to the pane's width.
func (p *Pane) SetFacts(t theme.Theme, facts []Fact) {
	var lines []string
	for _, f := range facts {
		lines = append(lines, f.Lines(t, p.width)...)
	}
	p.SetLines(lines)
}

// SetAligned is SetFacts with all values in one column, for names of many lengths
// such as attribute keys: as long as two fifths of the pane hold them.
func (p *Pane) SetAligned(t theme.Theme, facts []Fact) {
	cells := factCells
	for _, f := range facts {
		if w := Width(Clean(f.Name)); w <= p.width*2/5 {
			cells = max(cells, w)
		}
	}
	var lines []string
	for _, f := range facts {
		lines = append(lines, f.hanging(t, p.width, cells)...)
	}
	p.SetLines(lines)
}

// leastHanging is the cells below which a value has no column of its own.
const leastHanging = 16

// hanging is linedUp with the lines of a long value below each other, where its
// name leaves it a column.
func (f Fact) hanging(t theme.Theme, width, cells int) []string {
	name := Clean(f.Name)
	at := 2 + cells + 2
	if f.Name == "" || Width(name) > cells || width-at < leastHanging || strings.Contains(f.Text, "\n") || len(f.Text) > maxFact {
		return f.linedUp(t, width, cells)
	}
	var out []string
	for i, part := range Wrap(f.Text, width-at) {
		l := NewLine(width)
		if i == 0 {
			l.Space(2).Add(t.Accent, name)
		}
		out = append(out, l.To(at).Add(f.Style, part).String())
	}
	return out
}

// Top goes back to the first line.
func (p *Pane) Top() { p.offset, p.home = 0, 0 }

// Offset is the first line in sight.
func (p *Pane) Offset() int { return p.offset }

// Len is how many lines there are.
func (p *Pane) Len() int { return len(p.lines) }

// Scroll moves by so many lines, within what there is.
func (p *Pane) Scroll(by int) {
	p.home = p.offset + by
	p.hold()
	p.home = p.offset
}

// HandleKey scrolls, and reports whether the key was for that.
func (p *Pane) HandleKey(k tea.KeyMsg, on TableKeys) bool {
	page := max(1, p.height-1)
	for _, m := range []struct {
		on key.Binding
		by int
	}{
		{on.Up, -1}, {on.Down, 1}, {on.PageUp, -page}, {on.PageDown, page},
		{on.HalfUp, -(page + 1) / 2}, {on.HalfDown, (page + 1) / 2}, {on.Top, -len(p.lines)}, {on.Bottom, len(p.lines)},
	} {
		if key.Matches(k, m.on) {
			p.Scroll(m.by)
			return true
		}
	}
	return false
}

// HandleMouse scrolls by the wheel.
func (p *Pane) HandleMouse(m tea.MouseMsg) {
	if m.Action != tea.MouseActionPress {
		return
	}
	switch m.Button {
	case tea.MouseButtonWheelUp:
		p.Scroll(-wheelStep)
	case tea.MouseButtonWheelDown:
		p.Scroll(wheelStep)
	}
}

// Position is where the pane stands among its lines, "" when all are in sight.
func (p *Pane) Position() string {
	n := len(p.lines)
	if n <= p.height {
		return ""
	}
	return Count(p.offset+1) + "–" + Count(min(n, p.offset+p.height)) + " of " + Count(n)
}

// Visible is the lines in sight: exactly as many as the pane has, blank ones at
// the end.
func (p *Pane) Visible() []string {
	out := make([]string, 0, p.height)
	for i := p.offset; i < len(p.lines) && len(out) < p.height; i++ {
		out = append(out, p.lines[i])
	}
	for len(out) < p.height {
		out = append(out, Spaces(p.width))
	}
	return out
}

// Head is a line over a pane: its title, where it stands, and a rule.
func (p *Pane) Head(t theme.Theme, title, hint string, width int) string {
	l := NewLine(width).Add(t.Title, t.Glyphs.Rule+" "+title+" ")
	if at := p.Position(); at != "" {
		l.AddIf(t.Dim, at+" ")
	}
	l.AddIf(t.Dim, hint+" ")
	return l.Add(t.Dim, strings.Repeat(t.Glyphs.Rule, max(0, l.Left()))).String()
}

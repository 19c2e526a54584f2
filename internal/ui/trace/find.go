package tracescreen

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// finder is a text that is looked for in names and span ids.
type finder struct {
	typing bool
	input  draw.Input
	text   string // what is looked for, "" for nothing
	from   string // identity of the row where typing began
	before string // text before typing began
	hits   int
}

const findPrompt = "find: "

func (m *Model) startFind() {
	m.finder.typing, m.finder.from, m.finder.before = true, m.table.Key(), m.finder.text
	m.finder.input.Set(m.finder.text)
	m.finder.input.HandleKey(tea.KeyMsg{Type: tea.KeyEnd})
	m.search()
}

// findKey takes a key while the text is typed: every one looks anew.
func (m *Model) findKey(k tea.KeyMsg) {
	switch k.String() {
	case "enter":
		m.finder.typing = false
	case "esc":
		m.finder.typing, m.finder.text = false, m.finder.before
		m.redraw()
		m.table.Select(m.finder.from)
	case "down":
		m.nextFound(1)
	case "up":
		m.nextFound(-1)
	default:
		if m.finder.input.HandleKey(k) {
			m.finder.text = m.finder.input.Value()
			m.table.Select(m.finder.from)
			m.search()
		}
	}
}

// search counts what is found and goes to the first, from the cursor on.
func (m *Model) search() {
	m.finder.hits = 0
	hit := m.finder.matcher(m.content)
	if m.finder.text != "" {
		m.content.each(func(lane, i int) {
			if hit(m.content.node(lane, i)) {
				m.finder.hits++
			}
		})
	}
	m.redraw()
	if lane, i, ok := m.focus(); m.finder.hits > 0 && (!ok || i < 0 || !hit(m.content.node(lane, i))) {
		m.seek(1, hit)
	}
}

// matcher tells which nodes are found. Names are asked once each.
func (f *finder) matcher(c *content) func(*analysis.Node) bool {
	want := strings.ToLower(f.text)
	isID := len(want) >= 4 && strings.Trim(want, "0123456789abcdef") == ""
	known := map[string]bool{}
	return func(n *analysis.Node) bool {
		name := n.Name()
		hit, ok := known[name]
		if !ok {
			hit = strings.Contains(strings.ToLower(name), want)
			known[name] = hit
		}
		return hit || isID && strings.HasPrefix(n.ID().String(), want)
	}
}

func (m *Model) nextFound(by int) {
	if m.finder.text == "" {
		m.note = "nothing is looked for: " + m.data.Key(screen.Trace, "f")
		return
	}
	if !m.seek(by, m.finder.matcher(m.content)) {
		m.note = "not found: " + m.finder.text
	}
}

// findLine is the text being typed and how often it was found.
func (m *Model) findLine() string {
	t, found := m.theme, "  "+draw.Count(m.finder.hits)+" found"
	room := max(0, m.size.width-len(findPrompt)-draw.Width(found)-gutter)
	field, _ := m.finder.input.View(t, room)
	l := draw.NewLine(m.size.width).Space(gutter).Add(t.Key, findPrompt).Drawn(field, room)
	return l.Add(t.Dim, found).String()
}

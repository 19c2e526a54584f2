package metricsscreen

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// finder is a text that is looked for in the rows of the table in sight.
type finder struct {
	typing bool
	input  draw.Input
	text   string
	from   string // identity of the row where typing began
	before string // text before typing began
}

const findPrompt = "find: "

func (m *Model) startFind() {
	f := &m.finder
	f.typing, f.from, f.before = true, m.table().Key(), f.text
	f.input.Set(f.text)
}

// findKey takes a key while the text is typed: every one looks anew, from where
// typing began.
func (m *Model) findKey(k tea.KeyMsg) {
	f, table := &m.finder, m.table()
	switch k.String() {
	case "enter":
		f.typing = false
	case "esc":
		f.typing, f.text = false, f.before
		table.SetSearch(f.text)
		table.Select(f.from)
	case "down":
		m.nextFound(false)
	case "up":
		m.nextFound(true)
	default:
		if f.input.HandleKey(k) {
			f.text = f.input.Value()
			table.SetSearch(f.text)
			table.Select(f.from)
			if at, ok := table.Cursor(); ok && f.text != "" {
				table.MoveTo(at - 1) // the row in focus counts too
				if at == 0 {
					table.MoveTo(1 << 30)
				}
				m.nextFound(false)
			}
		}
	}
}

func (m *Model) nextFound(up bool) {
	m.note = ""
	if m.finder.text == "" {
		m.note = "nothing is looked for: " + m.data.Key(screen.Metrics, "f")
		return
	}
	m.table().SetSearch(m.finder.text)
	if !m.table().NextMatch(up) {
		m.note = "not found: " + m.finder.text
		m.table().Select(m.finder.from)
	}
}

// findLine is the text being typed.
func (m *Model) findLine() string {
	t, found := m.theme, "  "+m.note
	room := max(0, m.size.width-len(findPrompt)-draw.Width(found)-gutter)
	field, _ := m.finder.input.View(t, room)
	l := draw.NewLine(m.size.width).Space(gutter).Add(t.Key, findPrompt).Drawn(field, room)
	return l.Add(t.Warn, found).String()
}

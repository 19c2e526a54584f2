package logsscreen

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// finder is a text that is looked for in what records say.
type finder struct {
	typing bool
	input  draw.Input
	text   string // what is looked for, "" for nothing
	from   string // identity of the row where typing began
	before string // text before typing began
	follow follow // as it was when typing began
}

const findPrompt = "find: "

func (m *Model) startFind() {
	f := &m.finder
	f.typing, f.from, f.before, f.follow = true, m.table.Key(), f.text, m.follow
	f.input.Set(f.text)
}

// findKey takes a key while the text is typed: every one looks anew, from where
// typing began.
func (m *Model) findKey(k tea.KeyMsg) {
	f := &m.finder
	switch k.String() {
	case "enter":
		f.typing = false
	case "esc":
		f.typing, f.text = false, f.before
		m.table.SetSearch(f.text)
		m.table.Select(f.from)
		m.follow = f.follow
	case "down":
		m.nextFound(1)
	case "up":
		m.nextFound(-1)
	default:
		if f.input.HandleKey(k) {
			f.text = f.input.Value()
			m.table.SetSearch(f.text)
			m.table.Select(f.from)
			m.look()
		}
	}
}

// look goes to the nearest record that holds the text: the one in focus, else the
// next one around the end.
func (m *Model) look() {
	if m.finder.text == "" {
		return
	}
	m.note = ""
	if rec, ok := m.focus(); ok && holds(rec, m.finder.text) {
		return
	}
	m.nextFound(1)
}

func (m *Model) nextFound(by int) {
	text := m.finder.text
	if text == "" {
		m.note = "nothing is looked for: " + m.data.Key(screen.Logs, "f")
		return
	}
	if !m.seek(by, func(rec *run.Log) bool { return holds(rec, text) }) {
		m.note = "not found: " + text
	}
}

func (m *Model) nextError(by int) {
	if !m.seek(by, func(rec *run.Log) bool { return levelOf(rec) >= errorLevel }) {
		m.note = "no error among these records"
	}
}

// seek goes to the next record, up or down and around the ends; the one in focus
// comes last. It reports whether there is one.
func (m *Model) seek(by int, wanted func(*run.Log) bool) bool {
	list := m.seen.shown
	at, ok := m.table.Cursor()
	if !ok || at >= len(list) {
		return false
	}
	for range list {
		at = (at + by + len(list)) % len(list)
		if rec := m.records.at(list[at]); rec != nil && wanted(rec) {
			m.table.MoveTo(at)
			m.setFollow(false)
			return true
		}
	}
	return false
}

// holds reports whether a record says a text, in letters of either case.
func holds(rec *run.Log, text string) bool {
	return containsFold(said(rec), text) || containsFold(rec.EventName, text)
}

// containsFold reports whether s holds part, ASCII letters folded. It makes no
// copies: a search may look at a hundred thousand records.
func containsFold(s, part string) bool {
	if part == "" {
		return true
	}
	lower := fold(part[0])
	upper := lower
	if lower >= 'a' && lower <= 'z' {
		upper -= 'a' - 'A'
	}
	for len(s) >= len(part) {
		i := indexEither(s[:len(s)-len(part)+1], lower, upper)
		if i < 0 {
			return false
		}
		if equalFold(s[i:i+len(part)], part) {
			return true
		}
		s = s[i+1:]
	}
	return false
}

func indexEither(s string, a, b byte) int {
	i := strings.IndexByte(s, a)
	if a == b {
		return i
	}
	if i >= 0 {
		s = s[:i]
	}
	if j := strings.IndexByte(s, b); j >= 0 {
		return j
	}
	return i
}

func equalFold(a, b string) bool {
	for i := range len(a) {
		if fold(a[i]) != fold(b[i]) {
			return false
		}
	}
	return true
}

func fold(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// findLine is the text being typed.
func (m *Model) findLine() string {
	t, found := m.theme, "  "+m.note
	room := max(0, m.size.width-len(findPrompt)-draw.Width(found)-gutter)
	field, _ := m.finder.input.View(t, room)
	l := draw.NewLine(m.size.width).Space(gutter).Add(t.Key, findPrompt).Drawn(field, room)
	return l.Add(t.Warn, found).String()
}

package overviewscreen

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// gutter is the cells before a line, of which the first holds the cursor.
const gutter = 2

// line is one line of the page. What can be opened has a do, and says what it is
// about in words that are its own.
type line struct {
	drawn string // the screen's width less the gutter
	text  string // for the clipboard
	about string
	do    tea.Cmd
}

// focus is the line in focus, −1 when no line leads anywhere.
func (m *Model) focus() int {
	first := -1
	for i := range m.lines {
		switch {
		case m.lines[i].do == nil:
		case m.lines[i].about == m.at:
			return i
		case first < 0:
			first = i
		}
	}
	return first
}

// hold keeps the window within the page, and on the line in focus unless one
// scrolled away from it.
func (m *Model) hold() {
	m.top = max(0, min(m.top, len(m.lines)-m.size.height))
	if at := m.focus(); at >= 0 && m.size.height > 0 && !m.away {
		m.top = max(m.top, at-m.size.height+1)
		m.top = min(m.top, at)
	}
}

// focusOn puts the focus on a line that leads somewhere.
func (m *Model) focusOn(i int) {
	m.at, m.away = m.lines[i].about, false
	m.hold()
}

// step moves the focus to the next line that leads somewhere. Where that is more
// than a screen away, or there is none, the page scrolls: nothing is passed over.
func (m *Model) step(by int) {
	at, page := m.focus(), max(1, m.size.height-1)
	for i := at + by; i >= 0 && i < len(m.lines); i += by {
		switch {
		case m.lines[i].do == nil:
			continue
		case i > m.top+m.size.height-1+page:
			m.scroll(page)
		case i < m.top-page:
			m.scroll(-page)
		default:
			m.focusOn(i)
		}
		return
	}
	m.scroll(by)
}

// scroll moves the window and leaves the focus where it is.
func (m *Model) scroll(by int) {
	m.away = true
	m.top += by
	m.hold()
}

// page scrolls by so many lines, and takes the focus along: to the last line in
// sight at the page's end, else to the first.
func (m *Model) page(by int) {
	m.scroll(by)
	best := -1
	for i := m.top; i < min(len(m.lines), m.top+m.size.height); i++ {
		if m.lines[i].do != nil && (best < 0 || by > 0 && m.top+m.size.height >= len(m.lines)) {
			best = i
		}
	}
	if best >= 0 {
		m.focusOn(best)
	}
}

// nextJump goes through what to look at next.
func (m *Model) nextJump() {
	at, first := m.focus(), -1
	for i := range m.lines {
		if !isJump(m.lines[i].about) {
			continue
		}
		if first < 0 {
			first = i
		}
		if i > at {
			first = i
			break
		}
	}
	if first >= 0 {
		m.focusOn(first)
	}
}

func (m *Model) open() tea.Cmd {
	if at := m.focus(); at >= 0 {
		return m.lines[at].do
	}
	return nil
}

// CopyText is the page in words, or while nothing came the lines for a job script.
func (m *Model) CopyText() string {
	if !m.seen.found {
		if l := m.data.Snapshot.Receiver.Listeners; len(m.data.Snapshot.Runs) == 0 && len(l) > 0 {
			return joined(screen.JobLines())
		}
		return ""
	}
	var out []string
	for _, l := range m.lines {
		if l.text != "" {
			out = append(out, draw.Clean(l.text))
		}
	}
	return joined(out)
}

func joined(lines []string) string {
	text := ""
	for _, l := range lines {
		text += l + "\n"
	}
	return text
}

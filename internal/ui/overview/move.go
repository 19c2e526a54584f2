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

// hold keeps the window within the page, on the line in focus.
func (m *Model) hold() {
	m.top = max(0, min(m.top, len(m.lines)-m.size.height))
	if at := m.focus(); at >= 0 && m.size.height > 0 {
		m.top = max(m.top, at-m.size.height+1)
		m.top = min(m.top, at)
	}
}

// step moves the focus to the next line that leads somewhere; where there is none
// that way, the page scrolls.
func (m *Model) step(by int) {
	at := m.focus()
	for i := at + by; i >= 0 && i < len(m.lines); i += by {
		if m.lines[i].do == nil || i == at {
			continue
		}
		m.at = m.lines[i].about
		if i < m.size.height { // what stands above the first lines is in sight, too
			m.top = min(m.top, max(0, i-m.size.height+1))
		}
		m.hold()
		if by < 0 && m.focus() == m.first() {
			m.top = 0
			m.hold()
		}
		return
	}
	m.page(by)
}

// first is the first line that leads somewhere.
func (m *Model) first() int {
	for i := range m.lines {
		if m.lines[i].do != nil {
			return i
		}
	}
	return -1
}

// page scrolls by so many lines, and takes the focus along where it would leave
// the window.
func (m *Model) page(by int) {
	m.top = max(0, min(m.top+by, len(m.lines)-m.size.height))
	at := m.focus()
	if at >= m.top && at < m.top+m.size.height && by*by == 1 {
		return
	}
	end := min(len(m.lines), m.top+m.size.height)
	best := -1
	for i := m.top; i < end; i++ {
		if m.lines[i].do == nil {
			continue
		}
		if best < 0 || by > 0 && m.top+m.size.height >= len(m.lines) {
			best = i
		}
	}
	if best >= 0 {
		m.at = m.lines[best].about
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
		m.at = m.lines[first].about
		m.hold()
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
			return joined(screen.JobLines(l))
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

package comparescreen

import (
	"encoding/csv"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// gutter is the cells before a line, of which the first holds the cursor.
const gutter = 2

// line is one line of the page.
type line struct {
	drawn   string // the screen's width less the gutter
	text    string // for the clipboard
	flagged bool   // a change that matters
	do      tea.Cmd
}

// hold keeps focus and window within the page.
func (m *Model) hold() {
	m.at = max(0, min(m.at, len(m.lines)-1))
	m.top = max(m.top, m.at-m.size.height+1)
	m.top = max(0, min(m.top, m.at, len(m.lines)-m.size.height))
}

func (m *Model) move(by int) {
	m.at += by
	m.hold()
}

// nextFlagged goes to the next change that matters, from the last to the first.
func (m *Model) nextFlagged() {
	for k := 1; k <= len(m.lines); k++ {
		if i := (m.at + k) % len(m.lines); m.lines[i].flagged {
			m.at = i
			m.hold()
			return
		}
	}
}

func (m *Model) open() tea.Cmd {
	if m.at < len(m.lines) && m.lines[m.at].do != nil {
		return m.lines[m.at].do
	}
	return nil
}

// CopyText is the line in focus, or while nothing came the lines for a job script.
func (m *Model) CopyText() string {
	if !m.seen.found {
		if l := m.data.Snapshot.Receiver.Listeners; len(m.data.Snapshot.Runs) == 0 && len(l) > 0 {
			return strings.Join(screen.JobLines(), "\n") + "\n"
		}
		return ""
	}
	return draw.Clean(m.lines[m.at].text)
}

// Export is the differences as figures.
func (m *Model) Export() screen.Export {
	if !m.seen.found {
		return screen.Export{}
	}
	c := &m.seen.comparison
	var b strings.Builder
	w := csv.NewWriter(&b)
	put := func(kind, name, class string, figures ...float64) {
		row := []string{kind, name, class}
		for _, v := range figures {
			row = append(row, strconv.FormatFloat(v, 'g', 7, 64))
		}
		w.Write(row) //nolint:errcheck // a Builder takes everything
	}
	w.Write([]string{"kind", "name", "class", "a", "b", "change", "low", "high"}) //nolint:errcheck // likewise
	for _, d := range append([]analysis.Difference{c.Step}, c.Phases...) {
		put("seconds", d.Name, d.Class, d.A, d.B, d.Change, d.Low, d.High)
	}
	for _, s := range c.Shares {
		put("share", s.Class, s.Class, s.A, s.B, s.Change, s.Low, s.High)
	}
	w.Flush()
	return screen.Export{Ext: "csv", Text: b.String()}
}

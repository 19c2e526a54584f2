package logsscreen

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// detail is the pane with all that is known of the record in focus.
type detail struct {
	open, focus bool
	pane        draw.Pane
	of          string // identity of the record and width it was made for
}

func (m *Model) toggleDetails() {
	if _, ok := m.focus(); !ok && !m.detail.open {
		return
	}
	m.detail = detail{open: !m.detail.open}
	m.layOut()
}

// focusDetails lets the cursor keys scroll the details, or the table again.
func (m *Model) focusDetails() {
	if !m.detail.open {
		m.toggleDetails()
	}
	m.detail.focus = m.detail.open && !m.detail.focus
}

// refresh makes the lines of the record in focus, if they are not those at hand.
func (m *Model) refresh(width int) {
	of := m.table.Key() + " " + strconv.Itoa(width)
	if of == m.detail.of {
		return
	}
	m.detail.of = of
	m.detail.pane.Top()
	m.detail.pane.SetFacts(m.theme, m.facts())
}

// facts is all that is known of the record in focus.
func (m *Model) facts() []draw.Fact {
	rec, ok := m.focus()
	if !ok {
		return nil
	}
	t, p := m.theme, m.records.run.Processes[rec.Process]
	mark, style := levelOf(rec).look(t)
	out := []draw.Fact{{Style: style, Text: strings.TrimSpace(mark+" "+levelText(rec)) + severityNote(rec)}}
	out = append(out, draw.Fact{Style: theme.Style{}, Name: "message", Text: rec.Body.String()})
	out = append(out, recordFacts(rec)...)
	out = append(out, draw.Fact{Name: "process", Text: processText(p)})
	if rec.Dropped > 0 {
		out = append(out, draw.Fact{Style: t.Warn, Text: draw.Plural(uint64(rec.Dropped), "attribute") + " dropped by the sender"})
	}
	out = append(out, attrFacts(t, "attributes", rec.Attrs)...)
	return append(out, attrFacts(t, "resource", p.Resource)...)
}

// severityNote is the number and the word as they were sent.
func severityNote(rec *run.Log) string {
	return fmt.Sprintf("  (severity %d, text %q)", rec.Severity, rec.SeverityText)
}

func recordFacts(rec *run.Log) []draw.Fact {
	var out []draw.Fact
	add := func(on bool, name, text string) {
		if on {
			out = append(out, draw.Fact{Name: name, Text: text})
		}
	}
	add(rec.EventName != "", "event", rec.EventName)
	add(rec.Time != 0, "time", instant(rec.Time))
	add(rec.Observed != 0 && rec.Observed != rec.Time, "observed", instant(rec.Observed))
	add(!rec.TraceID.IsZero(), "trace", rec.TraceID.String())
	add(!rec.SpanID.IsZero(), "span", rec.SpanID.String())
	add(rec.Flags != 0, "flags", fmt.Sprintf("%#x", rec.Flags))
	return out
}

// instant is a time in full, and as it was sent.
func instant(ns uint64) string {
	raw := strconv.FormatUint(ns, 10)
	if run.Sane(ns, ns) != 0 {
		return raw + " ns (no time that can be)"
	}
	return time.Unix(0, int64(ns)).UTC().Format("2006-01-02 15:04:05.000000000") + " UTC  (" + raw + ")"
}

func processText(p *store.Process) string {
	parts := []string{p.ID.Service}
	if p.ID.Role != "" {
		parts = append(parts, p.ID.Role)
	}
	if p.ID.Rank != run.Unknown {
		parts = append(parts, "rank "+strconv.Itoa(p.ID.Rank))
	}
	if p.ID.Host != "" {
		parts = append(parts, "on "+p.ID.Host)
	}
	if p.ID.PID != 0 {
		parts = append(parts, "pid "+strconv.Itoa(p.ID.PID))
	}
	return strings.Join(parts, "  ")
}

func attrFacts(t theme.Theme, title string, attrs []run.Attr) []draw.Fact {
	if len(attrs) == 0 {
		return []draw.Fact{{Style: t.Dim, Text: "no " + title}}
	}
	out := []draw.Fact{{Style: t.Strong, Text: title}}
	for _, a := range attrs {
		out = append(out, draw.Fact{Name: a.Key, Text: valueText(a.Value)})
	}
	return out
}

// valueText is a value with its type, where the text alone does not tell.
func valueText(v run.Value) string {
	switch v.Type {
	case run.String:
		if v.Str() == "" {
			return `""`
		}
		return v.Str()
	case run.Empty:
		return "(empty)"
	}
	return v.String() + "  (" + v.Type.String() + ")"
}

// CopyText is what the record in focus says. Without any run it is the lines for
// a job script.
func (m *Model) CopyText() string {
	if rec, ok := m.focus(); ok {
		return said(rec)
	}
	listeners := m.data.Snapshot.Receiver.Listeners
	if len(m.data.Snapshot.Runs) > 0 || len(listeners) == 0 {
		return ""
	}
	return strings.Join(screen.JobLines(), "\n") + "\n"
}

// copyAll copies all that is known of the record, nothing left out.
func (m *Model) copyAll() tea.Cmd {
	if _, ok := m.focus(); !ok {
		return screen.Say("nothing is selected here that could be copied")
	}
	return screen.Copy(draw.FactText(m.facts()))
}

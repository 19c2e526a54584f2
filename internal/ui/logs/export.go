package logsscreen

import (
	"encoding/json"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// line is a record in an export: one JSON object a line, times as they were sent.
type line struct {
	Time     uint64            `json:"time_unix_nano"`
	Observed uint64            `json:"observed_time_unix_nano,omitempty"`
	Severity uint8             `json:"severity_number"`
	Text     string            `json:"severity_text,omitempty"`
	Event    string            `json:"event_name,omitempty"`
	Service  string            `json:"service"`
	Rank     *int              `json:"rank,omitempty"`
	Host     string            `json:"host,omitempty"`
	Body     string            `json:"body"`
	Attrs    map[string]string `json:"attributes,omitempty"`
	Trace    string            `json:"trace_id,omitempty"`
	Span     string            `json:"span_id,omitempty"`
}

// Export is all records that are shown, not only those in sight, as JSON lines.
func (m *Model) Export() screen.Export {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	for _, n := range m.seen.shown {
		if rec := m.records.at(n); rec != nil {
			if err := enc.Encode(m.line(rec)); err != nil {
				return screen.Export{} // strings and numbers always encode
			}
		}
	}
	return screen.Export{Ext: "jsonl", Text: b.String()}
}

func (m *Model) line(rec *run.Log) line {
	p := m.records.run.Processes[rec.Process]
	l := line{Time: rec.Time, Observed: rec.Observed, Severity: rec.Severity, Text: rec.SeverityText, Event: rec.EventName,
		Service: p.ID.Service, Host: p.ID.Host, Body: rec.Body.String(), Attrs: map[string]string{}}
	if p.ID.Rank != run.Unknown {
		l.Rank = &p.ID.Rank
	}
	for _, a := range rec.Attrs {
		l.Attrs[a.Key] = a.Value.String()
	}
	if !rec.TraceID.IsZero() {
		l.Trace = rec.TraceID.String()
	}
	if !rec.SpanID.IsZero() {
		l.Span = rec.SpanID.String()
	}
	return l
}

// Commands are what this screen does with an argument.
func (m *Model) Commands() []screen.Command {
	words := func() []string {
		var out []string
		for _, l := range leasts() {
			out = append(out, leastWord(l))
		}
		return out
	}
	return []screen.Command{{Name: "severity", About: "records of a severity and worse", Arg: "LEVEL", Values: words, Do: m.atLeast}}
}

func leastWord(l level) string {
	if l == unset {
		return "all"
	}
	return l.String()
}

func (m *Model) atLeast(word string) tea.Cmd {
	for l := unset; l < levelCount; l++ {
		if leastWord(l) == word {
			m.least = l
			return m.ask()
		}
	}
	return screen.Say("severities are all, trace, debug, info, warn, error, fatal")
}

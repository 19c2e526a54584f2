package record

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestListKeepsTheFirst(t *testing.T) {
	var l list
	for i := range maxMessages + 5 {
		l.add(fmt.Sprint(i))
	}
	lines := l.lines("f", "things")
	if len(lines) != maxMessages+1 || lines[0] != "0" || lines[maxMessages] != "f: 5 more things" {
		t.Errorf("%q", lines)
	}
}

func TestNoticesAreGathered(t *testing.T) {
	j := journal{Summary: Summary{Path: "f"}}
	j.notice(line(3), run.Notice{Code: "b", Text: "second", Count: 2})
	j.notice(line(1), run.Notice{Code: "a", Text: "first", Count: 1})
	j.notice(line(9), run.Notice{Code: "b", Text: "again", Count: 5})
	if diff := cmp.Diff([]string{"f:3: second (7 times)", "f:1: first"}, j.summary(false).Messages); diff != "" {
		t.Error(diff)
	}
}

// What text between the records means depends on where it stands.
func TestOtherText(t *testing.T) {
	for name, c := range map[string]struct {
		format   string
		found    bool
		records  uint64
		bad      uint64
		other    uint64
		messages []string
	}{
		"OTLP":                      {format: OTLPJSON, records: 1, bad: 1, messages: []string{"f:1: not JSON"}},
		"console":                   {format: PythonConsole, records: 1, other: 1, messages: []string{"f: 1 lines of other text passed over"}},
		"nothing":                   {bad: 1, messages: []string{"f:1: not JSON"}},
		"nothing, in a directory":   {found: true, other: 1, messages: []string{"f: passed over: no telemetry in it"}},
		"something, in a directory": {found: true, format: OTLPJSON, records: 1, bad: 1, messages: []string{"f:1: not JSON"}},
	} {
		j := journal{Summary: Summary{Path: "f", Format: c.format, Records: c.records}}
		j.others.add(j.at(line(1), "not JSON"))
		s := j.summary(c.found)
		if s.BadRecords != c.bad || s.OtherLines != c.other || s.Format == "" {
			t.Errorf("%s: %+v", name, s)
		}
		if diff := cmp.Diff(c.messages, s.Messages); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestSummaryItems(t *testing.T) {
	s := Summary{Spans: 1, Points: 2, Logs: 4, Metrics: 100}
	if s.Items() != 7 {
		t.Errorf("%d items", s.Items())
	}
}

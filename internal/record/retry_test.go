package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A record that balances and yet is no JSON may have swallowed good ones.
func TestRetryInsideABadRecord(t *testing.T) {
	for text, want := range map[string]string{
		`{"resourceSpans":[` + "\n" + trace("a") + ",\n" + trace("b") + "\n]tru}\n" + trace("c"):       "a b c",
		`{"resourceSpans":[` + "\n" + trace("a") + ",\n{\"x\":\n" + trace("b") + "\n]}\n" + trace("c"): "a b c",
	} {
		s, got := importText(t, text)
		var names []string
		for _, span := range got.spans {
			names = append(names, span.Name)
		}
		if diff := cmp.Diff(want, strings.Join(names, " ")); diff != "" || s.BadRecords == 0 {
			t.Errorf("%s: %s %d bad", text, diff, s.BadRecords)
		}
	}
}

// Many cut records one inside the other are each told of, in order.
func TestCutRecordsInARow(t *testing.T) {
	s, got := importText(t, strings.Repeat(`{"resourceSpans":[`+"\n", 5)+trace("a")+"\n"+trace("b")+"\n")
	if len(got.spans) != 2 || s.BadRecords != 5 {
		t.Errorf("%d spans, %d bad", len(got.spans), s.BadRecords)
	}
	for i, m := range s.Messages {
		if want := "f:" + string(rune('1'+i)) + ": the record is cut; the next one begins at line " + string(rune('2'+i)); m != want {
			t.Errorf("message %q, want %q", m, want)
		}
	}
	s, _ = importText(t, strings.Repeat(`{"resourceSpans":[`+"\n", 3)+`{"resourceSpans":[`)
	if s.BadRecords != 3 || !s.IncompleteTail {
		t.Errorf("%d bad, tail %v: %q", s.BadRecords, s.IncompleteTail, s.Messages)
	}
}

// Two signals in one object and two of one kind are all there.
func TestSeveralSignalsInOneObject(t *testing.T) {
	inner := func(line string) string { return strings.TrimSuffix(strings.TrimPrefix(line, "{"), "}") }
	s, _ := importText(t, "{"+inner(logLine)+","+inner(metricLine)+","+inner(trace("a"))+"}")
	want := counts{Format: OTLPJSON, Spans: 1, Metrics: 1, Points: 2, Logs: 1}
	if diff := cmp.Diff(want, countsOf(s)); diff != "" || s.Records != 3 {
		t.Errorf("%s %d records", diff, s.Records)
	}
}

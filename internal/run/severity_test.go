package run

import "testing"

func TestSeverities(t *testing.T) {
	for _, test := range []struct {
		number uint8
		text   string
		want   Severity
		word   string
	}{
		{0, "", NoSeverity, "unset"}, {1, "", SeverityTrace, "trace"}, {4, "", SeverityTrace, "trace"}, {5, "", SeverityDebug, "debug"},
		{9, "", SeverityInfo, "info"}, {12, "ERROR", SeverityInfo, "info"}, {13, "", SeverityWarn, "warn"}, {17, "", SeverityError, "error"},
		{20, "", SeverityError, "error"}, {21, "", SeverityFatal, "fatal"}, {24, "", SeverityFatal, "fatal"}, {25, "", NoSeverity, "unset"},
		{255, "fatal", SeverityFatal, "fatal"}, {0, "Warning", SeverityWarn, "warn"}, {0, "NOTICE", SeverityInfo, "info"}, {0, "err", SeverityError, "error"},
		{0, "CRITICAL", SeverityFatal, "fatal"}, {0, "emergency", SeverityFatal, "fatal"}, {0, "loud", NoSeverity, "unset"}, {0, "TRACE2", SeverityTrace, "trace"},
	} {
		got := (&Log{Severity: test.number, SeverityText: test.text}).Level()
		if got != test.want || got.String() != test.word {
			t.Errorf("%d %q: %s, want %s", test.number, test.text, got, test.word)
		}
	}
}

package run

import "strings"

// Severity is how severe a log record is, by its word; OTLP's numbers have four
// grades of each.
type Severity uint8

// The severities in rising order.
const (
	NoSeverity Severity = iota
	SeverityTrace
	SeverityDebug
	SeverityInfo
	SeverityWarn
	SeverityError
	SeverityFatal
	SeverityCount
)

// String is the word on screen and in the report.
func (s Severity) String() string {
	return [...]string{"unset", "trace", "debug", "info", "warn", "error", "fatal"}[min(s, SeverityFatal)]
}

// Level is the severity of a record: by its number, else by its text.
func (l *Log) Level() Severity {
	if n := l.Severity; n > 0 && n <= 24 {
		return Severity((n-1)/4 + 1)
	}
	if l.SeverityText == "" {
		return NoSeverity
	}
	return severityOfText(l.SeverityText)
}

func severityOfText(text string) Severity {
	text = strings.ToLower(text)
	for _, w := range []struct {
		prefix string
		level  Severity
	}{
		{"trace", SeverityTrace}, {"debug", SeverityDebug}, {"info", SeverityInfo}, {"notice", SeverityInfo}, {"warn", SeverityWarn},
		{"err", SeverityError}, {"fatal", SeverityFatal}, {"crit", SeverityFatal}, {"panic", SeverityFatal}, {"emerg", SeverityFatal}, {"alert", SeverityFatal},
	} {
		if strings.HasPrefix(text, w.prefix) {
			return w.level
		}
	}
	return NoSeverity
}

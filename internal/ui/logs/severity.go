package logsscreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// level is a severity by its word; OTLP's numbers have four grades of each.
type level uint8

const (
	unset level = iota
	traceLevel
	debugLevel
	infoLevel
	warnLevel
	errorLevel
	fatalLevel
	levelCount
)

// String is the word on screen.
func (l level) String() string {
	return [...]string{"unset", "trace", "debug", "info", "warn", "error", "fatal"}[min(l, fatalLevel)]
}

// levelOf is the level of a record: by its number, else by its text.
func levelOf(rec *run.Log) level {
	if n := rec.Severity; n > 0 && n <= 24 {
		return level((n-1)/4 + 1)
	}
	if rec.SeverityText != "" {
		return levelOfText(rec.SeverityText)
	}
	return unset
}

func levelOfText(text string) level {
	text = strings.ToLower(text)
	for _, w := range []struct {
		prefix string
		level  level
	}{
		{"trace", traceLevel}, {"debug", debugLevel}, {"info", infoLevel}, {"notice", infoLevel}, {"warn", warnLevel},
		{"err", errorLevel}, {"fatal", fatalLevel}, {"crit", fatalLevel}, {"panic", fatalLevel}, {"emerg", fatalLevel}, {"alert", fatalLevel},
	} {
		if strings.HasPrefix(text, w.prefix) {
			return w.level
		}
	}
	return unset
}

// look is the mark that tells a level without colour, and its style.
func (l level) look(t theme.Theme) (mark string, style theme.Style) {
	switch l {
	case fatalLevel, errorLevel:
		return t.Glyphs.Bad, t.Bad
	case warnLevel:
		return t.Glyphs.Warn, t.Warn
	case infoLevel:
		return " ", theme.Style{}
	}
	return "·", t.Dim
}

// leasts is what one can ask for: everything, or from a level on.
func leasts() []level { return []level{unset, infoLevel, warnLevel, errorLevel} }

// nextLeast goes to the next of them, or back.
func (m *Model) nextLeast(by int) {
	all := leasts()
	at := 0
	for i, l := range all {
		if l <= m.least {
			at = i
		}
	}
	m.least = all[(at+by+len(all))%len(all)]
}

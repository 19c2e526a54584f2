package logsscreen

import (
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// level is a severity by its word; OTLP's numbers have four grades of each.
type level uint8

const (
	unset      = level(run.NoSeverity)
	traceLevel = level(run.SeverityTrace)
	debugLevel = level(run.SeverityDebug)
	infoLevel  = level(run.SeverityInfo)
	warnLevel  = level(run.SeverityWarn)
	errorLevel = level(run.SeverityError)
	fatalLevel = level(run.SeverityFatal)
	levelCount = level(run.SeverityCount)
)

// String is the word on screen.
func (l level) String() string { return run.Severity(l).String() }

// levelOf is the level of a record: by its number, else by its text.
func levelOf(rec *run.Log) level { return level(rec.Level()) }

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

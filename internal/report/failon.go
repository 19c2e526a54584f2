package report

import (
	"fmt"
	"slices"
)

// Severity words of --fail-on, in falling order.
const (
	FailCritical = "critical"
	FailWarning  = "warning"
)

// Found is something that --fail-on looks for.
type Found struct {
	Run   string // run id, "" for the whole
	Level string // critical or warning
	Text  string
}

// String is one line.
func (f Found) String() string {
	if f.Run == "" {
		return f.Level + ": " + f.Text
	}
	return fmt.Sprintf("%s: run %s: %s", f.Level, f.Run, f.Text)
}

// Findings is what in a report is of a level or worse, the critical first: a
// verdict, stragglers, cardinality and notices. A run that is STALLED is critical;
// one that is SLOW or PARTIAL is a warning.
func Findings(r Report, level string) []Found {
	var out []Found
	note := func(run, l, text string) {
		if l == FailCritical || l == FailWarning && level == FailWarning {
			out = append(out, Found{run, l, text})
		}
	}
	for _, n := range r.Notices {
		note("", n.Level, n.Text)
	}
	for _, run := range r.Runs {
		if v := run.Verdict; v != nil && run.training() {
			note(run.ID, verdictLevel(v.State), headline(*v))
		}
		for _, s := range run.Stragglers {
			note(run.ID, s.Level, s.line())
		}
		for _, n := range run.Notices {
			note(run.ID, n.Level, n.Text)
		}
	}
	slices.SortStableFunc(out, func(a, b Found) int { return boolean(b.Level == FailCritical) - boolean(a.Level == FailCritical) })
	return out
}

func verdictLevel(state string) string {
	switch state {
	case "STALLED":
		return FailCritical
	case "SLOW", "PARTIAL":
		return FailWarning
	}
	return ""
}

package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
)

// maxListed is how many ranks a line names; the rest is counted.
const maxListed = 16

// never names the ranks that were never seen, as ranges.
func never(ranks []int) string {
	if len(ranks) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s never seen: %s)", run.Count(len(ranks)), ranges(ranks))
}

// ranges writes sorted numbers as 0-3, 7, 9-12 and counts what does not fit.
func ranges(sorted []int) string {
	var parts []string
	for i := 0; i < len(sorted); {
		j := i
		for j+1 < len(sorted) && sorted[j+1] == sorted[j]+1 {
			j++
		}
		if len(parts) == maxListed {
			return strings.Join(parts, ", ") + " and " + run.Count(len(sorted)-i) + " more"
		}
		parts = append(parts, span(sorted[i], sorted[j]))
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

func span(from, to int) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d-%d", from, to)
}

// excluded says why iterations are out of step statistics, most frequent first.
func excluded(reasons map[string]int) string {
	var names []string
	for name, n := range reasons {
		if n > 0 {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.SortFunc(names, func(a, b string) int {
		if reasons[a] != reasons[b] {
			return reasons[b] - reasons[a]
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		names[i] = fmt.Sprintf("%s %s", run.Count(reasons[name]), strings.ReplaceAll(name, "_", " "))
	}
	return ", excluded: " + strings.Join(names, ", ")
}

// times is a ratio in words.
func times(ratio float64) string {
	if ratio == 2 {
		return "twice"
	}
	return fmt.Sprintf("%g times", ratio)
}

// line is the log records of the whole run by severity, "" for none.
func (l *Logs) line() string {
	n := l.Kept + l.Evicted
	if n == 0 {
		return ""
	}
	s := plural(int(n), "log record")
	if l.Evicted > 0 {
		s += ", " + run.Count(l.Kept) + " still held"
	}
	for i := range run.SeverityCount {
		word := (run.SeverityFatal - i).String()
		if k := l.BySeverity[word]; k > 0 {
			s += " · " + run.Count(k) + " " + word
		}
	}
	return s
}

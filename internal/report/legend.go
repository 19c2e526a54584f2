package report

import (
	"fmt"
	"strings"
)

// legend explains the words of a run's report that are not plain ones, those that
// it uses.
func (p *printer) legend(r Run) {
	for _, w := range words(r) {
		p.line("  %-8s  %s", w[0], w[1])
	}
}

// words are the words and what they mean, in the order in which they are read.
func words(r Run) (out [][2]string) {
	if r.Verdict != nil && r.training() && strings.Contains(strings.Join(r.Verdict.Evidence, "\n"), ", z ") {
		out = append(out, [2]string{"z", fmt.Sprintf("how far from its like, in spreads (modified z-score): noise stays below %g", r.noise)})
	}
	for _, x := range r.Breakdown {
		if x.Class == "dark" {
			out = append(out, [2]string{"dark", "time of a step that no span covers: waiting that nobody spanned, or work"})
		}
	}
	if len(r.WorstRanks) > 1 {
		out = append(out, [2]string{"slowdown", "compute over the median of its like: 1.00 is usual"})
	}
	if len(r.WorstRanks) > 1 || len(r.Stragglers) > 0 {
		out = append(out, [2]string{"score", "shortest compute of its like over its own: 1.00 is the fastest"})
	}
	return out
}

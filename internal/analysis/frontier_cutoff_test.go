package analysis

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/simulate"
)

// silenced watches a run for a time, and then hears nothing for a minute.
func silenced(t *testing.T, f simulate.Fault, heard time.Duration) Diagnosis {
	w := watch(t, simulate.Config{Seed: 3, TP: 2, PP: 2, DP: 4, Microbatches: 4, MetricEvery: 5 * time.Second, Faults: []simulate.Fault{f}})
	w.at(heard)
	w.Now += int64(time.Minute)
	s := w.Store.Snapshot()
	return Diagnose(s, s.Runs[0], DiagnoseOptions{})
}

// Processes that die at once differ by what each had not sent yet: nobody is
// singled out for it. When they died long after a rank had stopped, all that
// there was had been sent, and it is.
func TestProcessesThatDieAtOnce(t *testing.T) {
	for _, heard := range []time.Duration{15 * time.Second, 17 * time.Second, 18500 * time.Millisecond} {
		d := silenced(t, simulate.Skew{By: time.Second}, heard)
		if len(d.Stall.Suspects) > 0 || !strings.Contains(d.Stall.NoSuspect, "silent at once") || d.Verdict.State != VerdictStalled {
			t.Errorf("cut off at %s: %+v, %+v", heard, d.Stall.Suspects, d.Verdict)
		}
	}
	d := silenced(t, simulate.Hang{Rank: 9, Iteration: 12, Alive: true}, 60*time.Second)
	if len(d.Stall.Suspects) != 1 || !slices.Equal(d.Stall.Suspects[0].Ranks, []int{9}) {
		t.Errorf("hung long before: %+v, %s", d.Stall.Suspects, d.Stall.NoSuspect)
	}
}

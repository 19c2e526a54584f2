package analysis

import (
	"math"
	"testing"

	"github.com/beamline-hpc/lensview/internal/store"
)

// paced is a run of one process that finished n steps, the last at second 100,
// looked at some seconds later.
func paced(n int, quiet int64) (*store.Snapshot, *store.Run) {
	r := &store.Run{Attempts: []store.Attempt{{}}}
	for i := range n {
		r.Columns = append(r.Columns, &store.Column{Iteration: int64(i)})
	}
	p := &store.Process{HasIteration: n > 0, Iteration: int64(n)}
	if n > 0 {
		p.IterationAt = 100e9
	}
	r.Processes = []*store.Process{p}
	return &store.Snapshot{Now: (100 + quiet) * 1e9}, r
}

func TestPace(t *testing.T) {
	for _, test := range []struct {
		name        string
		steps       int
		usual       float64
		quiet       int64
		since       float64
		late, files bool
	}{
		{"none finished", 0, math.NaN(), 5000, math.NaN(), false, false},
		{"just now", 20, 1, 0, 0, false, false},
		{"half a minute at least", 20, 1, 30, 30, false, false},
		{"beyond half a minute", 20, 1, 31, 31, true, false},
		{"five long steps", 20, 40, 200, 200, false, false},
		{"beyond five long steps", 20, 40, 201, 201, true, false},
		{"the first steps may take long", 5, 1, 900, 900, false, false},
		{"but not for ever", 5, 1, 901, 901, true, false},
		{"steps of unknown length", 20, math.NaN(), 31, 31, true, false},
		{"a file is never late", 20, 1, 5000, 5000, false, true},
	} {
		s, r := paced(test.steps, test.quiet)
		if test.files {
			s.Clock = store.SenderClock
		}
		got := paceOf(s, r, test.usual)
		if got.Late != test.late || got.Since != test.since && !(math.IsNaN(got.Since) && math.IsNaN(test.since)) {
			t.Errorf("%s: %+v, want since %v, late %v", test.name, got, test.since, test.late)
		}
	}
}

func TestPaceIsOfTheLatestAttempt(t *testing.T) {
	s, r := paced(20, 500)
	r.Attempts = append(r.Attempts, store.Attempt{})
	if got := paceOf(s, r, 1); !math.IsNaN(got.Since) || got.Late {
		t.Errorf("an attempt that has finished nothing: %+v", got)
	}
}

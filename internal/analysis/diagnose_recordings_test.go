package analysis

import (
	"math"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// The published figures of two production runs (Lin et al., OSDI '25), with the
// tolerances of the specification, over the last 20 clean steps and over all.
func TestRecordings(t *testing.T) {
	tests := []struct {
		file           string
		all            int // clean steps
		s, mw, ms      float64
		cause          Cause
		pp, dp         int // of the worst worker, −1 when it is not the cause
		coverage       string
		workers, ofAll int
		stragglers     func(t *testing.T, d Diagnosis)
	}{
		{"slow-worker.otlp.jsonl.gz", 43, 1.973, 1.002, -.001, CauseWorker, 0, 0, "16 of 64 ranks", 16, 16, theSlowWorker},
		{"stage-imbalance.otlp.jsonl.gz", 31, 1.179, .031, 1.219, CauseStage, -1, -1, "8 of 8 ranks", 8, 8, noStraggler},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			s := load(t, tt.file)
			for _, steps := range []int{0, 1000} {
				d := Diagnose(s, s.Runs[0], DiagnoseOptions{Steps: steps})
				w := d.WhatIf
				if want := map[int]int{0: DefaultSteps, 1000: tt.all}[steps]; w.Steps != want || len(w.CannotTell) > 0 || w.Approximate {
					t.Errorf("%d steps (want %d), cannot tell %q, approximate %t", w.Steps, want, w.CannotTell, w.Approximate)
				}
				if !near(w.Slowdown, tt.s, .06) || math.Abs(w.WorkerShare-tt.mw) > .02 || math.Abs(w.StageShare-tt.ms) > .12 {
					t.Errorf("S %.3f, M_W %.3f, M_S %.3f, published %.3f, %.3f, %.3f", w.Slowdown, w.WorkerShare, w.StageShare, tt.s, tt.mw, tt.ms)
				}
				if w.Cause != tt.cause || tt.pp >= 0 && (w.Worker.PP != tt.pp || w.Worker.DP != tt.dp) {
					t.Errorf("cause %s, worker %+v", w.Cause, w.Worker)
				}
				if c := d.Coverage; c.String() != tt.coverage || c.Workers != tt.ofAll || c.WorkersSeen != tt.workers {
					t.Errorf("coverage %q, %d of %d workers", c, c.WorkersSeen, c.Workers)
				}
				tt.stragglers(t, d)
			}
		})
	}
}

func theSlowWorker(t *testing.T, d Diagnosis) {
	t.Helper()
	if len(d.Stragglers.Found) != 1 {
		t.Fatalf("found %+v", d.Stragglers.Found)
	}
	x := d.Stragglers.Found[0]
	if x.Unit != UnitWorker || x.Coord.PP != 0 || x.Coord.DP != 0 || x.Coord.TP != run.Unknown {
		t.Errorf("%s at %+v", x.Unit, x.Coord)
	}
	if math.Abs(x.BusyRatio-2.35) > .01 || x.WorstIn != 1 || x.Level != run.Critical || x.Early || x.Approximate {
		t.Errorf("%+v", x)
	}
	if d.Stragglers.Source != FromMicrobatches || len(d.Stragglers.Workers) != 16 {
		t.Errorf("source %q, %d workers", d.Stragglers.Source, len(d.Stragglers.Workers))
	}
	if v := d.Verdict; v.State != VerdictSlow || v.Scope != ScopeGroup || !contains(v.Evidence, "16 of 64 ranks seen") || !contains(v.Evidence, "only tp 0 of each worker") {
		t.Errorf("%+v", v)
	}
}

func noStraggler(t *testing.T, d Diagnosis) {
	t.Helper()
	if d.Stragglers.Found == nil || len(d.Stragglers.Found) > 0 {
		t.Errorf("found %+v", d.Stragglers.Found)
	}
	for _, w := range d.Stragglers.Workers {
		if !(w.BusyRatio < 1.03) {
			t.Errorf("ratio %.3f of %+v", w.BusyRatio, w.Coord)
		}
	}
	if v := d.Verdict; v.State != VerdictSlow || v.Scope != ScopeStage {
		t.Errorf("%+v", v)
	}
}

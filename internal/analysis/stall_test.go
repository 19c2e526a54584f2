package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// after diagnoses a run some seconds after the last that came.
func after(f *feed, seconds float64) Diagnosis {
	f.Helper()
	f.now += int64(seconds * 1e9)
	s, r := f.look()
	return Diagnose(s, r, DiagnoseOptions{})
}

// states writes the states by rank.
func states(st Stall) (out []string) {
	for _, s := range st.Processes {
		out = append(out, string(s.State))
	}
	return out
}

// TestEightRanks is the known answer: ranks 0–4 and 6 at step 10, rank 5 at step
// 4, of rank 7 nothing.
func TestEightRanks(t *testing.T) {
	c := toy{dp: 8, steps: 11, skip: func(r, s int) bool { return r == 7 || r == 5 && s > 4 }}
	check := func(t *testing.T, d Diagnosis, want ProcessState, text string) {
		t.Helper()
		if d.Stall.Stalled || d.Stall.Frontier != 10 {
			t.Errorf("stalled %t, frontier %d", d.Stall.Stalled, d.Stall.Frontier)
		}
		if d.Stall.Summary != text {
			t.Errorf("summary %q, want %q", d.Stall.Summary, text)
		}
		for _, s := range d.Stall.Processes {
			switch s.Rank {
			case 5:
				if s.State != want || s.Iteration != 4 || s.Lag != 6 {
					t.Errorf("rank 5: %+v", s)
				}
			case 7:
				if s.State != ProcessNeverSeen || s.Process != -1 {
					t.Errorf("rank 7: %+v", s)
				}
			default:
				if s.State != ProcessOK || s.Lag != 0 {
					t.Errorf("rank %d: %+v", s.Rank, s)
				}
			}
		}
		if v := d.Verdict; v.State != VerdictPartial || v.Scope != ScopeNone {
			t.Errorf("verdict %+v", v)
		}
	}
	t.Run("in a file", func(t *testing.T) {
		f := newFeed(t)
		f.Store = store.New(store.Config{Files: true})
		c.file = true
		c.send(f)
		c.file = false
		s, r := f.look()
		check(t, Diagnose(s, r, DiagnoseOptions{}), ProcessBehind, "8 expected, 7 seen, 1 behind (rank 5, 6 steps), 1 never seen")
	})
	t.Run("live, its metrics go on", func(t *testing.T) {
		f := newFeed(t)
		c.length = 20_000
		c.send(f)
		f.gauge(c.resource(5), "gpu.power", 300)
		check(t, after(f, 5), ProcessBehind, "8 expected, 7 seen, 1 behind (rank 5, 6 steps), 1 never seen")
	})
	t.Run("live, nothing comes from it", func(t *testing.T) {
		f := newFeed(t)
		c.length = 20_000
		c.send(f)
		check(t, after(f, 5), ProcessSilent, "8 expected, 7 seen, 1 behind (rank 5, 6 steps), 1 silent, 1 never seen")
	})
}

// TestLimits: how long a run may be without an iteration.
func TestLimits(t *testing.T) {
	evaluation := func(every int, long float64) func(rank, step int) []toySpan {
		return func(_, step int) []toySpan {
			if step%every == every-1 {
				return []toySpan{{"megatron.evaluate", 900, 900 + long}}
			}
			return nil
		}
	}
	tests := []struct {
		name  string
		run   toy
		limit float64
	}{
		{"before the sixth iteration", toy{dp: 2, steps: 5}, 900},
		{"steps of a second", toy{dp: 2, steps: 6}, 30},
		{"steps of 20 s", toy{dp: 2, steps: 6, length: 20_000}, 100},
		{"clocks that differ", toy{dp: 2, steps: 8, length: 20_000, skew: func(r int) float64 { return float64(r) * 3e6 }}, 100},
		{"iterations that were not sent", toy{dp: 2, steps: 30, length: 10_000, skip: func(_, s int) bool { return s%2 == 0 }}, 100},
		{"right after an evaluation", toy{dp: 2, steps: 10, length: 10_000, extra: evaluation(10, 50)}, 50},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			st := tt.run.diagnose(t, DiagnoseOptions{}).Stall
			if !near(st.Limit, tt.limit, 1e-3) || st.LimitWhy == "" {
				t.Errorf("limit %g (%s), want %g", st.Limit, st.LimitWhy, tt.limit)
			}
		})
	}
}

// breakRun has steps of one second and a break of 60 s after every n-th.
func breakRun(t *testing.T, name string, at []int, steps int) Diagnosis {
	f := newFeed(t)
	c := toy{dp: 2}
	c.defaults()
	shift := 0.0
	c.skew = func(int) float64 { return shift }
	for step := range steps {
		for rank := range 2 {
			c.sendStep(f, rank, step)
		}
		if slices.Contains(at, step) {
			from := uint64((float64(step+1)*1000 + shift + 1e7) * float64(ms))
			for rank := range 2 {
				f.spans(c.resource(rank), f.mk(name, from, from+60*sec))
			}
			shift += 60_000
		}
	}
	s, r := f.look()
	return Diagnose(s, r, DiagnoseOptions{})
}

func TestLimitsAroundBreaks(t *testing.T) {
	tests := []struct {
		name  string
		span  string
		at    []int // after these iterations
		steps int
		limit float64
	}{
		{"one checkpoint: another may come at any time", "megatron.save_checkpoint", []int{9}, 15, 5 * 61},
		{"every tenth, none is due", "megatron.save_checkpoint", []int{9, 19, 29}, 36, 30},
		{"every tenth, one is due", "megatron.save_checkpoint", []int{9, 19, 29}, 40, 5 * 61},
		{"evaluations at odd distances", "megatron.evaluate", []int{9, 14, 29}, 36, 5 * 61},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			st := breakRun(t, tt.span, tt.at, tt.steps).Stall
			if !near(st.Limit, tt.limit, .01) {
				t.Errorf("limit %g (%s), want %g", st.Limit, st.LimitWhy, tt.limit)
			}
		})
	}
}

func TestStalled(t *testing.T) {
	tests := []struct {
		name    string
		steps   int
		seconds float64
		want    bool
	}{
		{"within the limit", 10, 29, false},
		{"beyond", 10, 31, true},
		{"early, within 15 min", 5, 899, false},
		{"early, beyond 15 min", 5, 901, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFeed(t)
			toy{dp: 4, steps: tt.steps}.send(f)
			d := after(f, tt.seconds)
			if d.Stall.Stalled != tt.want || (d.Verdict.State == VerdictStalled) != tt.want {
				t.Errorf("stalled %t after %g s (limit %g), verdict %s", d.Stall.Stalled, d.Stall.Age, d.Stall.Limit, d.Verdict.State)
			}
		})
	}
}

func TestARunThatNeverFinishedAStep(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0, 2), f.mk("megatron.forward_backward", 0, sec))
	if d := after(f, 60); d.Verdict.State != VerdictStarting {
		t.Errorf("after a minute: %+v", d.Verdict)
	}
	if d := after(f, 900); d.Verdict.State != VerdictStalled || !math.IsNaN(d.Stall.Age) {
		t.Errorf("after 16 minutes: %+v", d.Verdict)
	}
}

// TestStatesOfAStall: what each rank of a stalled run is said to be.
func TestStatesOfAStall(t *testing.T) {
	res := func(rank int) []run.Attr { return toyOf(4).resource(rank) }
	tests := []struct {
		name     string
		then     func(f *feed) // after ten steps of four ranks
		seconds  float64
		want     []string
		together bool
	}{
		{"all silent", func(*feed) {}, 40, []string{"SILENT", "SILENT", "SILENT", "SILENT"}, true},
		{"metrics go on", func(f *feed) {
			for range 4 {
				f.now += 10e9
				for rank := range 4 {
					f.gauge(res(rank), "gpu.power", 300)
				}
			}
		}, 1, []string{"ALIVE_STUCK", "ALIVE_STUCK", "ALIVE_STUCK", "ALIVE_STUCK"}, true},
		{"one silent", func(f *feed) {
			for range 4 {
				f.now += 10e9
				for rank := range 3 {
					f.gauge(res(rank), "gpu.power", 300)
				}
			}
		}, 1, []string{"ALIVE_STUCK", "ALIVE_STUCK", "ALIVE_STUCK", "SILENT"}, false},
		{"metrics that come seldom", func(f *feed) { // every 40 s: silent only after 120 s
			for range 4 {
				f.now += 40e9
				for rank := range 4 {
					f.gauge(res(rank), "gpu.power", 300)
				}
			}
		}, 60, []string{"ALIVE_STUCK", "ALIVE_STUCK", "ALIVE_STUCK", "ALIVE_STUCK"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFeed(t)
			toyOf(4).send(f)
			tt.then(f)
			d := after(f, tt.seconds)
			if diff := cmp.Diff(tt.want, states(d.Stall)); diff != "" || !d.Stall.Stalled || d.Stall.Together != tt.together {
				t.Errorf("stalled %t, together %t, states (-want +got):\n%s", d.Stall.Stalled, d.Stall.Together, diff)
			}
			if tt.together && (len(d.Stall.Suspects) > 0 || !strings.Contains(d.Stall.NoSuspect, "no rank singled out")) {
				t.Errorf("suspects %+v, %q", d.Stall.Suspects, d.Stall.NoSuspect)
			}
		})
	}
}

// toyOf is ten steps of so many ranks.
func toyOf(ranks int) *toy {
	c := &toy{dp: ranks, steps: 10}
	c.defaults()
	return c
}

func TestDurationText(t *testing.T) {
	for _, tt := range []struct {
		sec  float64
		want string
	}{{math.NaN(), "–"}, {2e-6, "2 µs"}, {.0123, "12 ms"}, {1.234, "1.2 s"}, {45.6, "46 s"}, {601, "10 min"}, {3 * 3600, "3 h"}} {
		if got := durationText(tt.sec); got != tt.want {
			t.Errorf("%g s is %q, want %q", tt.sec, got, tt.want)
		}
	}
}

// TestFileCutInARun: what a rank lacks may wait in its exporter still.
func TestFileCutInARun(t *testing.T) {
	f := newFeed(t)
	f.Store = store.New(store.Config{Files: true})
	toy{dp: 8, steps: 20, file: true, skip: func(r, s int) bool { return s > 19-r%6 }}.send(f)
	s, r := f.look()
	d := Diagnose(s, r, DiagnoseOptions{})
	if d.Verdict.State == VerdictPartial || slices.Contains(states(d.Stall), string(ProcessBehind)) {
		t.Errorf("%s: %s %v", d.Verdict.State, d.Stall.Summary, states(d.Stall))
	}
}

// TestSampledRunEnds: ranks that never sent do not keep a run from ending.
func TestSampledRunEnds(t *testing.T) {
	for _, test := range []struct {
		states []ProcessState
		want   bool
	}{
		{[]ProcessState{ProcessEnded, ProcessNeverSeen}, true},
		{[]ProcessState{ProcessEnded, ProcessOK, ProcessNeverSeen}, false},
		{[]ProcessState{ProcessNeverSeen}, false},
		{nil, false},
	} {
		st := Stall{}
		for _, s := range test.states {
			st.Processes = append(st.Processes, Standing{State: s})
		}
		if st.ended() != test.want {
			t.Errorf("%v: ended %v", test.states, st.ended())
		}
	}
}

// TestOthersHaveEnded: when the run is over for most, a rank far behind them is not
// on its way, however little time has passed.
func TestOthersHaveEnded(t *testing.T) {
	f := newFeed(t)
	c := toy{dp: 8, steps: 11, skip: func(r, s int) bool { return r == 5 && s > 4 }}
	c.send(f)
	for rank := range 8 {
		if rank != 5 {
			f.spans(c.resource(rank), f.mk("nv.dl.job", 0, 12*sec))
		}
	}
	d := after(f, 1)
	if s := d.Stall.Processes[5]; s.State != ProcessBehind || d.Verdict.State != VerdictPartial {
		t.Errorf("rank 5 %s, verdict %s: %s", s.State, d.Verdict.State, d.Stall.Summary)
	}
}

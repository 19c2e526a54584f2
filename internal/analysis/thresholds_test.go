package analysis

import (
	"context"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// usual is the thresholds without a configuration.
func usual() *run.Thresholds {
	t := run.Thresholds{}.Filled()
	return &t
}

// judgedBy is a snapshot's first run under other thresholds.
func judgedBy(s *store.Snapshot, limits run.Thresholds) (*store.Snapshot, *store.Run) {
	r := *s.Runs[0]
	r.Thresholds = limits
	o := *s
	o.Runs = []*store.Run{&r}
	return &o, &r
}

// One rank computes 1.15 times as long as its like: what that is depends on the
// thresholds alone.
func TestThresholdsOfStragglers(t *testing.T) {
	f := newFeed(t)
	toy{dp: 8, steps: 25, compute: one(690, 2)}.send(f)
	s, _ := f.look()
	for _, test := range []struct {
		name   string
		limits run.Thresholds
		found  int
		level  run.Level
	}{
		{"defaults", run.Thresholds{}, 1, run.Warning},
		{"a higher ratio", run.Thresholds{StragglerRatio: 1.16, StragglerCritical: 1.3}, 0, 0},
		{"a ratio just below", run.Thresholds{StragglerRatio: 1.149}, 1, run.Warning},
		{"critical from 1.12", run.Thresholds{StragglerCritical: 1.12}, 1, run.Critical},
		{"a z-score nobody reaches", run.Thresholds{StragglerZ: 30}, 0, 0},
	} {
		s, r := judgedBy(s, test.limits)
		got := Diagnose(s, r, DiagnoseOptions{}).Stragglers.Found
		if len(got) != test.found || len(got) > 0 && got[0].Level != test.level {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

// A run of steps of a second that has sent nothing for 45 s.
func TestThresholdsOfStalls(t *testing.T) {
	f := newFeed(t)
	toy{dp: 4, steps: 25}.send(f)
	f.now += 45e9
	s, _ := f.look()
	for _, test := range []struct {
		name    string
		limits  run.Thresholds
		stalled bool
		limit   float64
		why     string
	}{
		{"defaults", run.Thresholds{}, true, 30, "30 s, the least"},
		{"a minute at least", run.Thresholds{StallLeast: 60}, false, 60, "60 s, the least"},
		{"50 intervals", run.Thresholds{StallFactor: 50}, false, 50, "50 × the usual 1.0 s"},
		{"40 intervals", run.Thresholds{StallFactor: 40}, true, 40, "40 × the usual 1.0 s"},
		{"2.5 intervals", run.Thresholds{StallFactor: 2.5, StallLeast: 1}, true, 2.5, "2.5 × the usual 1.0 s"},
	} {
		s, r := judgedBy(s, test.limits)
		st := Diagnose(s, r, DiagnoseOptions{}).Stall
		if st.Stalled != test.stalled || !near(st.Limit, test.limit, 1e-3) || st.LimitWhy != test.why {
			t.Errorf("%s: stalled %v, limit %v (%s)", test.name, st.Stalled, st.Limit, st.LimitWhy)
		}
		if late := PaceOf(s, r).Late; late != test.stalled {
			t.Errorf("%s: the header says late %v, the diagnosis stalled %v", test.name, late, test.stalled)
		}
	}
}

func TestThresholdOfTheFirstIterations(t *testing.T) {
	f := newFeed(t)
	toy{dp: 4, steps: 3}.send(f)
	f.now += 120e9
	s, _ := f.look()
	for first, stalled := range map[float64]bool{0: false, 60: true, 600: false} {
		s, r := judgedBy(s, run.Thresholds{StallFirst: first})
		if st := Diagnose(s, r, DiagnoseOptions{}).Stall; st.Stalled != stalled || PaceOf(s, r).Late != stalled {
			t.Errorf("stall-first %v: %+v, late %v", first, st, PaceOf(s, r).Late)
		}
	}
}

// Every tenth step takes 1.5 s instead of one, and from step 60 on all take 2 % more.
func TestThresholdsOfSteps(t *testing.T) {
	length := func(step int) float64 {
		v := 1000.0
		if step >= 60 {
			v = 1020
		}
		if step%10 == 5 {
			v *= 1.5
		}
		return v
	}
	f := newFeed(t)
	for step := range 120 {
		at := uint64(step) * 2 * sec
		f.now = int64(t0 + at + 2*sec)
		f.spans(trainer(0, 1), f.mk("megatron.train_step", at, at+uint64(length(step)*float64(ms)), num("megatron.iteration", int64(step))))
	}
	s, _ := f.look()
	for _, test := range []struct {
		name                      string
		limits                    run.Thresholds
		spikes, irregular, shifts int
	}{
		{"defaults", run.Thresholds{}, 12, 0, 0},
		{"spikes from 1.6", run.Thresholds{SpikeRatio: 1.6}, 0, 0, 0},
		{"irregular from 1.4", run.Thresholds{IrregularRatio: 1.4}, 12, 12, 0},
		{"shifts from 1 %", run.Thresholds{Shift: 0.01}, 12, 0, 1},
	} {
		_, r := judgedBy(s, test.limits)
		if got := Steps(Scope{Run: r}, 0); got.Spikes != test.spikes || got.Irregular != test.irregular || len(got.Shifts) != test.shifts {
			t.Errorf("%s: %d spikes, %d irregular, shifts %+v", test.name, got.Spikes, got.Irregular, got.Shifts)
		}
	}
}

func TestThresholdsOfComparison(t *testing.T) {
	a := job{seed: 1, workers: 8, iterations: 40}.run(t)
	b := job{seed: 2, workers: 8, iterations: 40, slower: 1.15}.run(t)
	for _, test := range []struct {
		limits run.Thresholds
		want   ChangeLevel
	}{
		{run.Thresholds{}, Material}, {run.Thresholds{ChangeMaterial: 0.5}, Moderate}, {run.Thresholds{ChangeModerate: 0.4, ChangeMaterial: 0.5}, Same},
	} {
		a, _ := judgedBy(a, test.limits)
		c, err := Compare(context.Background(), Side{Scope: Scope{Run: a.Runs[0]}}, Side{Scope: Scope{Run: b.Runs[0]}})
		if err != nil {
			t.Fatal(err)
		}
		if c.Step.Level != test.want || c.Thresholds != test.limits.Filled() {
			t.Errorf("%+v: the step is %s", test.limits, c.Step.Level)
		}
	}
}

func TestThresholdsOfCardinality(t *testing.T) {
	k := store.KeyStat{Metric: "m", Key: "k", Distinct: 1500, Exact: true, Series: 3000, SeriesMax: 3000}
	for _, test := range []struct {
		limits       run.Thresholds
		word, reason string
	}{
		{run.Thresholds{}, "warning", "more than 1,000 values"},
		{run.Thresholds{ValuesCritical: 1_200}, "critical", "more than 1,200 values"},
		{run.Thresholds{ValuesWarning: 5_000}, "warning", "beyond 2,000"},
		{run.Thresholds{ValuesWarning: 5_000, SeriesWarning: 4_000}, "notice", "more than 200 values"},
		{run.Thresholds{ValuesNotice: 2_000, ValuesWarning: 5_000, SeriesWarning: 4_000}, "", ""},
		{run.Thresholds{SeriesCritical: 2_500}, "critical", "3,000 series in one process, more than 2,500"},
	} {
		s := &store.Snapshot{}
		r := &store.Run{Cardinality: []store.KeyStat{k}, Thresholds: test.limits}
		word, reason := "", ""
		for _, f := range Cardinality(s, r) {
			word, reason = f.Word(), f.Reason
		}
		if word != test.word || !strings.Contains(reason, test.reason) {
			t.Errorf("%+v: %q, %q", test.limits, word, reason)
		}
	}
}

package analysis

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

func TestRuns(t *testing.T) {
	f := newFeed(t)
	grid(f, 6)
	f.now += 10e9
	f.spans(trainer(0, 1, str("nemo.run.id", "run-2"), str("nemo.user.id", "ada")), f.mk("op", 0, sec))
	f.now += 5e9
	f.Tick(f.now)
	s, _ := f.look()
	rows := Runs(s, nil)
	if len(rows) != 2 || rows[0].ID != "run-2" || rows[1].ID != "run-1" {
		t.Fatalf("%+v", rows)
	}
	a, b := rows[1], rows[0]
	if a.State != Live || a.Quiet != 15 || a.Presence.Seen != 8 || a.Presence.World != 8 || a.Processes != 8 || a.Attempts != 1 {
		t.Errorf("%+v", a)
	}
	if !a.HasIteration || a.Iteration != 5 || !near(a.StepP50, 0.009, 1e-5) || a.Spans != 8*6*3 {
		t.Errorf("iteration %d, step %v, spans %d", a.Iteration, a.StepP50, a.Spans)
	}
	nan := math.NaN()
	want := []float64{nan, 0.009, 0.009, 0.009, 0.009, 0.009}
	if diff := cmp.Diff(want, a.Series, cmpopts.EquateNaNs(), cmpopts.EquateApprox(1e-5, 0)); diff != "" {
		t.Error("series: the first iteration of an attempt is excluded: ", diff)
	}
	if b.User != "ada" || b.HasIteration || !math.IsNaN(b.StepP50) || len(b.Series) != 0 {
		t.Errorf("%+v", b)
	}
	if only := Runs(s, func(r *store.Run) bool { return r.ID == "run-1" }); len(only) != 1 || only[0].ID != "run-1" {
		t.Errorf("filtered: %+v", only)
	}
}

func TestStates(t *testing.T) {
	f := newFeed(t)
	grid(f, 2)
	at := func(quiet int64) RunRow {
		f.now = int64(t0) + quiet*1e9
		f.Tick(f.now)
		s, _ := f.look()
		return Runs(s, nil)[0]
	}
	if r := at(LiveFor - 1); r.State != Live || r.Summary() != "live" {
		t.Errorf("%s", r.Summary())
	}
	if r := at(240); r.State != Idle || r.Summary() != "idle for 240 s" {
		t.Errorf("%s", r.Summary())
	}
	for rank := range 8 {
		f.spans(trainer(rank, 8, sizes(2, 2, 2)...), f.mk("megatron.train", 0, 50*sec, truncated()))
	}
	if r := at(300); r.State != Ended {
		t.Errorf("after a shutdown: %s", r.Summary())
	}
	s := &store.Snapshot{Clock: store.SenderClock, Runs: []*store.Run{{ID: "x"}}}
	if got := StateOf(s, s.Runs[0]); got != Recorded {
		t.Errorf("a file is %s", got)
	}
}

func TestWarningsAreCounted(t *testing.T) {
	f := newFeed(t)
	var sets [][]run.Attr
	for i := range 1100 {
		sets = append(sets, []run.Attr{num("id", int64(i))})
	}
	f.counter(trainer(0, 1), "m", sets...)
	s, _ := f.look()
	if r := Runs(s, nil)[0]; r.Warnings < 1 || r.Critical != 0 {
		t.Errorf("%d warnings, %d critical", r.Warnings, r.Critical)
	}
}

func TestCountIterations(t *testing.T) {
	f := newFeed(t)
	res := trainer(0, 1)
	for i := range 10 {
		from := uint64(i) * 10 * sec
		step := f.mk("megatron.train_step", from, from+sec, num("megatron.iteration", int64(i)))
		step.TraceID = traceID(uint64(100 + i))
		var beneath []run.Span
		switch i {
		case 4:
			beneath = append(beneath, under(step, f.mk("megatron.checkpoint.save", from, from+ms)))
		case 6:
			beneath = append(beneath, under(step, f.mk("megatron.evaluate", from, from+ms)))
		}
		f.spans(res, append(beneath, step)...)
	}
	_, r := f.look()
	it := CountIterations(r)
	want := Iterations{First: 0, Last: 9, Seen: 10, Complete: 7, Excluded: map[string]int{
		"first": 1, "checkpoint": 1, "evaluate": 1, "graph_capture": 0, "gc": 0, "skipped": 0, "truncated": 0,
	}}
	if diff := cmp.Diff(want, it); diff != "" {
		t.Error(diff)
	}
	if it := CountIterations(&store.Run{}); it.Seen != 0 || it.Complete != 0 || len(it.Excluded) != len(reasons) {
		t.Errorf("%+v", it)
	}
}

func TestFirstReasonCounts(t *testing.T) {
	for _, c := range []struct {
		flags    store.CellFlags
		ordinary bool
		want     string
	}{
		{0, false, ""},
		{store.ComputeIsUmbrella, false, ""},
		{store.FirstOfAttempt | store.HasCheckpoint, false, "first"},
		{store.HasCheckpoint | store.StepTruncated, false, "checkpoint"},
		{store.HasGC, false, "gc"},
		{store.HasGC, true, ""},
		{store.HasGC | store.Skipped, true, "skipped"},
		{store.HasGC | store.Skipped, false, "gc"},
	} {
		if got := firstReason(c.flags, c.ordinary); got != c.want {
			t.Errorf("flags %b, gc ordinary %v: %q, want %q", c.flags, c.ordinary, got, c.want)
		}
	}
}

// TestIterationsThatLeftTheWindowStayCounted: the account is of the whole run.
func TestIterationsThatLeftTheWindowStayCounted(t *testing.T) {
	f := newFeed(t)
	const n = 700
	for i := range n {
		from := uint64(i) * 10 * sec
		step := f.mk("megatron.train_step", from, from+sec, num("megatron.iteration", int64(i)))
		step.TraceID = traceID(uint64(100 + i))
		spans := []run.Span{step}
		if i%100 == 50 {
			spans = []run.Span{under(step, f.mk("megatron.checkpoint.save", from, from+ms)), step}
		}
		f.spans(trainer(0, 1), spans...)
	}
	_, r := f.look()
	if len(r.Columns) >= n {
		t.Fatalf("all %d columns are kept", len(r.Columns))
	}
	it := CountIterations(r)
	if it.Seen != n || it.Excluded["first"] != 1 || it.Excluded["checkpoint"] != 7 || it.Complete != n-8 {
		t.Errorf("%+v", it)
	}
}

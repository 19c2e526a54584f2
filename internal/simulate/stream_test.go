package simulate

import (
	"bytes"
	"encoding/hex"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestSameSeedSameBytes(t *testing.T) {
	c := small(Straggler{Rank: 3, Factor: 1.3, From: 2}, Explosion{}, Hang{Rank: 9, Iteration: 4})
	c.CheckpointEvery, c.EvalEvery, c.NaNEvery = 2, 3, 2
	read := func(c Config) (out [][]byte) {
		s := stream(t, c)
		for r, ok := s.Next(); ok; r, ok = s.Next() {
			out = append(out, r.Body)
		}
		return out
	}
	a, b := read(c), read(c)
	if len(a) != len(b) {
		t.Fatalf("%d and %d requests", len(a), len(b))
	}
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			t.Fatalf("request %d of two equal runs differs", i)
		}
	}
	c.Seed++
	if other := read(c); len(other) == len(a) && bytes.Equal(other[0], a[0]) {
		t.Error("another seed gives the same bytes")
	}
}

// Reading a run does not depend on when it is exported: the same spans come
// with another export interval.
func TestExportIntervalLosesAndDoublesNothing(t *testing.T) {
	content := func(every time.Duration) map[string][2]uint64 {
		c := small()
		c.ExportEvery, c.CheckpointEvery = every, 2
		all := map[string][2]uint64{}
		for _, s := range collect(t, stream(t, c)).spans {
			id := hex.EncodeToString(s.SpanId)
			if _, twice := all[id]; twice {
				t.Fatalf("span %s twice at an interval of %s", id, every)
			}
			all[id] = [2]uint64{s.StartTimeUnixNano, s.EndTimeUnixNano}
		}
		return all
	}
	want := content(5 * time.Second)
	for _, every := range []time.Duration{130 * time.Millisecond, 1700 * time.Millisecond, time.Hour} {
		if d := cmp.Diff(want, content(every)); d != "" {
			t.Errorf("interval %s (-5s +it):\n%s", every, d)
		}
	}
}

func TestIdsAreUniqueAndValid(t *testing.T) {
	got := collect(t, stream(t, small()))
	spans, traces := map[string]bool{}, map[string]int{}
	for _, s := range got.spans {
		if len(s.SpanId) != 8 || len(s.TraceId) != 16 || spans[string(s.SpanId)] {
			t.Fatalf("span id %x, trace id %x: repeated or malformed", s.SpanId, s.TraceId)
		}
		spans[string(s.SpanId)] = true
		if r, ok := traces[string(s.TraceId)]; ok && r != s.rank {
			t.Fatalf("ranks %d and %d share trace %x", r, s.rank, s.TraceId)
		}
		traces[string(s.TraceId)] = s.rank
	}
	if want := 16 * (6 + 1); len(traces) != want {
		t.Errorf("%d traces, want one a step and process: %d", len(traces), want)
	}
}

func TestChildrenStayWithinTheirParentsAndComeFirst(t *testing.T) {
	c := small()
	c.CheckpointEvery, c.EvalEvery, c.GCEvery = 2, 3, 2
	for _, oneTrace := range []bool{false, true} {
		c.OneTrace = oneTrace
		got := collect(t, stream(t, c))
		at := map[string]int{}
		for i, s := range got.spans {
			at[string(s.SpanId)] = i
		}
		for i, s := range got.spans {
			if s.EndTimeUnixNano < s.StartTimeUnixNano {
				t.Fatalf("%s ends before it starts", s.Name)
			}
			if len(s.ParentSpanId) == 0 {
				continue
			}
			j, ok := at[string(s.ParentSpanId)]
			if !ok {
				t.Fatalf("%s has no parent", s.Name)
			}
			p := got.spans[j]
			if j < i || p.rank != s.rank || !bytes.Equal(p.TraceId, s.TraceId) {
				t.Fatalf("%s of rank %d (place %d) under %s of rank %d (place %d)", s.Name, s.rank, i, p.Name, p.rank, j)
			}
			if s.StartTimeUnixNano < p.StartTimeUnixNano || s.EndTimeUnixNano > p.EndTimeUnixNano {
				t.Fatalf("%s [%d, %d] leaves %s [%d, %d]", s.Name, s.StartTimeUnixNano, s.EndTimeUnixNano, p.Name, p.StartTimeUnixNano, p.EndTimeUnixNano)
			}
		}
	}
}

func TestSpansComeInTheOrderInWhichTheyEnd(t *testing.T) {
	last := map[int]uint64{}
	for _, s := range collect(t, stream(t, small())).spans {
		if s.EndTimeUnixNano+2*jitterRange < last[s.rank] {
			t.Fatalf("rank %d: %s ends %d ns before the span sent before it", s.rank, s.Name, last[s.rank]-s.EndTimeUnixNano)
		}
		last[s.rank] = s.EndTimeUnixNano
	}
}

func TestSpansAreExportedAfterTheirEnd(t *testing.T) {
	c := small()
	start := stream(t, c).Config().Start
	for _, s := range collect(t, stream(t, c)).spans {
		if at := start.Add(s.at + jitterRange).UnixNano(); at < int64(s.EndTimeUnixNano) {
			t.Fatalf("%s of rank %d was sent %d ns before its end", s.Name, s.rank, int64(s.EndTimeUnixNano)-at)
		}
	}
}

// In a synchronous run all ranks' steps are equally long.
func TestStepsAreEquallyLong(t *testing.T) {
	steps := map[int][]time.Duration{}
	for _, s := range collect(t, stream(t, small(Straggler{Rank: 4, Factor: 1.5}))).named("nv.dl.training.iteration") {
		i := number(s.Attributes, "nv.dl.training.step")
		steps[i] = append(steps[i], duration(s))
	}
	if len(steps) != 6 {
		t.Fatalf("%d iterations, want 6", len(steps))
	}
	for i, list := range steps {
		if len(list) != 16 {
			t.Errorf("iteration %d on %d ranks", i, len(list))
		}
		for _, d := range list {
			if (d - list[0]).Abs() > 10*time.Microsecond {
				t.Errorf("iteration %d takes %s and %s", i, list[0], d)
			}
		}
	}
}

func TestTensorPeersAreCoupled(t *testing.T) {
	times := map[string]sentSpan{} // of tp 0, by what follows
	key := func(s sentSpan, n map[int]int) string {
		n[s.rank]++
		return string(rune(s.rank/2)) + s.Name + string(rune(n[s.rank]))
	}
	n, pairs := map[int]int{}, 0
	for _, s := range collect(t, stream(t, small())).spans {
		k := key(s, n)
		peer, ok := times[k]
		if !ok {
			times[k] = s
			continue
		}
		pairs++
		ds, de := int64(s.StartTimeUnixNano-peer.StartTimeUnixNano), int64(s.EndTimeUnixNano-peer.EndTimeUnixNano)
		if max(ds, -ds, de, -de) > 3*jitterRange {
			t.Fatalf("%s of ranks %d and %d: %d and %d ns apart", s.Name, peer.rank, s.rank, ds, de)
		}
	}
	if pairs != len(times) {
		t.Errorf("%d spans of tp 0 have %d partners", len(times), pairs)
	}
}

func TestNoRequestOfMoreThanABatch(t *testing.T) {
	c := Config{Iterations: 2, Microbatches: 400, ExportEvery: time.Hour}
	s := stream(t, c)
	var items []int
	for r, ok := s.Next(); ok; r, ok = s.Next() {
		if r.Signal == run.Traces {
			items = append(items, r.Items)
		}
	}
	// Two steps of 2 × 400 microbatches and 8 other spans, and two of the job.
	if want := []int{512, 512, 512, 2*(800+8) + 2 - 3*512}; !cmp.Equal(items, want) {
		t.Errorf("requests of %v spans, want %v", items, want)
	}
}

func TestStop(t *testing.T) {
	s := stream(t, Config{DP: 4})
	for range 40 {
		if _, ok := s.Next(); !ok {
			t.Fatal("an endless run ended")
		}
	}
	s.Stop()
	got := collect(t, s)
	open := map[string]int{}
	for _, sp := range got.spans {
		if truncated(sp) {
			open[sp.Name]++
		}
	}
	if open["nv.dl.job"] != 4 {
		t.Errorf("truncated at the stop: %v, want 4 jobs", open)
	}
	if _, ok := s.Next(); ok {
		t.Error("a request after the end")
	}
}

func TestRunWithoutAnyTickBeforeItsEnd(t *testing.T) {
	c := Config{Iterations: 1, Step: 10 * time.Millisecond, ExportEvery: time.Hour, MetricEvery: time.Hour, DP: 3, Gateway: true}
	got := collect(t, stream(t, c))
	if n := len(got.named("nv.dl.training.iteration")); n != 3 {
		t.Errorf("%d steps, want 3", n)
	}
	if len(got.points) == 0 || len(got.logs) != 3 {
		t.Errorf("%d points, %d records: the shutdown flushes every signal", len(got.points), len(got.logs))
	}
}

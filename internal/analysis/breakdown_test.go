package analysis

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/run"
)

// part is a span of a step by its name and place, in ms after the step's start.
type part struct {
	name     string
	from, to uint64
	attrs    []run.Attr
	under    int // 1 + place of its parent among the parts; 0 is the step
}

// parted sends steps of 1,000 ms that have these parts.
func (f *feed) parted(rank, world, steps int, step string, parts ...part) {
	f.Helper()
	for i := range steps {
		from := uint64(i) * 1100 * ms
		root := f.mk(step, from, from+1000*ms, num("iteration", int64(i)))
		root.TraceID = traceID(10_000 + f.ids)
		spans := make([]run.Span, len(parts))
		for k, p := range parts {
			parent := root
			if p.under > 0 {
				parent = spans[p.under-1]
			}
			spans[k] = under(parent, f.mk(p.name, from+p.from*ms, from+p.to*ms, p.attrs...))
		}
		f.spans(trainer(rank, world), append(spans, root)...)
	}
}

func shares(rows []BreakdownRow) map[string]float64 {
	out := map[string]float64{}
	for _, r := range rows {
		word := r.Class
		if r.Phase != "" {
			word = r.Phase
		}
		out[word] += math.Round(r.Share*1e6) / 1e6
	}
	return out
}

func TestBreakdown(t *testing.T) {
	tests := []struct {
		name   string
		parts  []part
		want   map[string]float64
		phases map[string]float64
	}{
		{"side by side", []part{{name: "m.forward_backward", from: 0, to: 600}, {name: "m.all_reduce", from: 600, to: 900}},
			map[string]float64{"compute": 0.6, "wait": 0.3, "dark": 0.1},
			map[string]float64{"forward_backward": 0.6, "grad_sync": 0.3, "": 0}},
		{"nested, each moment once", []part{
			{name: "m.forward_backward", from: 0, to: 800}, {name: "m.microbatch.forward", from: 100, to: 300, under: 1},
			{name: "m.p2p.recv_forward", from: 300, to: 400, under: 1}, {name: "m.microbatch.backward", from: 400, to: 800, under: 1}},
			map[string]float64{"compute": 0.7, "wait": 0.1, "dark": 0.2},
			map[string]float64{"forward_backward": 0.1, "microbatch_forward": 0.2, "microbatch_backward": 0.4, "p2p": 0.1}},
		{"overlapping, the later wins", []part{{name: "m.all_reduce", from: 0, to: 500}, {name: "m.forward_backward", from: 300, to: 800}},
			map[string]float64{"wait": 0.3, "compute": 0.5, "dark": 0.2}, map[string]float64{"grad_sync": 0.3, "forward_backward": 0.5}},
		{"unknown names are other", []part{{name: "my.thing", from: 0, to: 250}},
			map[string]float64{"other": 0.25, "dark": 0.75}, map[string]float64{"my.thing": 0.25}},
		{"nothing inside", nil, map[string]float64{"dark": 1}, map[string]float64{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFeed(t)
			for rank := range 2 {
				f.parted(rank, 2, 6, "megatron.train_step", tt.parts...)
			}
			_, r := f.look()
			b := BreakdownOf(Scope{Run: r}, 0)
			approx := cmpopts.EquateApprox(0, 1e-4)
			if d := cmp.Diff(tt.want, shares(b.Rows), approx); d != "" || b.Steps != 5 || b.Ranks != 2 || !near(b.Step, 1, 1e-4) {
				t.Errorf("%d steps, %d ranks of %v s (-want +got):\n%s", b.Steps, b.Ranks, b.Step, d)
			}
			got := shares(b.ByPhase)
			for phase, want := range tt.phases {
				if !near(got[phase]+1, want+1, 1e-4) {
					t.Errorf("%s = %v, want %v", phase, got[phase], want)
				}
			}
			if (b.CannotTell != "") != (tt.parts == nil) || b.RL {
				t.Errorf("cannot tell %q, RL %t", b.CannotTell, b.RL)
			}
		})
	}
}

// Of RL only the leaves of rl.bucket count, never what is around them.
func TestBucketsOfRL(t *testing.T) {
	bucket := func(word string) []run.Attr { return []run.Attr{str("rl.bucket", word)} }
	f := newFeed(t)
	f.parted(0, 1, 4, "rl.grpo.step",
		part{name: "rl.rollout", from: 0, to: 600, attrs: bucket("productive")}, // an umbrella
		part{name: "generation", from: 0, to: 400, attrs: bucket("productive"), under: 1},
		part{name: "rl.idle.wait", from: 400, to: 500, attrs: bucket("idle"), under: 1},
		part{name: "no.bucket", from: 600, to: 950},
		part{name: "policy_training", from: 650, to: 900, attrs: bucket("productive"), under: 4},
		part{name: "discarded", from: 950, to: 1000, attrs: bucket("wasted")},
		part{name: "odd", from: 600, to: 640, attrs: bucket("nonsense")},
	)
	_, r := f.look()
	b := BreakdownOf(Scope{Run: r}, 0)
	want := map[string]float64{"productive": 0.65, "idle": 0.1, "wasted": 0.05, "dark": 0.2}
	if d := cmp.Diff(want, shares(b.Rows), cmpopts.EquateApprox(0, 1e-4)); d != "" || !b.RL {
		t.Errorf("RL %t (-want +got):\n%s", b.RL, d)
	}
}

// Spans that have no duration are no part of the step, and neither is the job
// around it.
func TestBreakdownLeavesOut(t *testing.T) {
	f := newFeed(t)
	f.parted(0, 1, 4, "megatron.train_step",
		part{name: "m.forward_backward", from: 0, to: 500}, part{name: "m.all_reduce", from: 500, to: 900, attrs: []run.Attr{truncated()}})
	f.spans(trainer(0, 1), f.mk("megatron.pretrain", 0, 10*sec))
	_, r := f.look()
	got := shares(BreakdownOf(Scope{Run: r}, 0).Rows)
	if d := cmp.Diff(map[string]float64{"compute": 0.5, "dark": 0.5}, got, cmpopts.EquateApprox(0, 1e-4)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// What lies beneath an evaluation is evaluation, whatever its name.
func TestBreakdownCovers(t *testing.T) {
	s := &stepSpans{length: 100}
	f := newFeed(t)
	f.spans(trainer(0, 1), f.mk("m.evaluate", 0, ms), f.mk("m.forward_backward", 0, ms))
	_, r := f.look()
	for i, n := range r.Names {
		from, to := uint64(0), uint64(50)
		if n.Phase.Covers() {
			to = 80
		}
		s.spans = append(s.spans, inStep{from: from, to: to, name: uint16(i)})
	}
	got := map[string]uint64{}
	s.selfTimes(r.Names, func(name int, ns uint64) {
		if name == dark {
			got["dark"] += ns
			return
		}
		got[r.Names[name].Text] += ns
	})
	if d := cmp.Diff(map[string]uint64{"m.evaluate": 80, "dark": 20}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestBreakdownWithoutSteps(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0, 1), f.mk("m.forward_backward", 0, ms))
	_, r := f.look()
	if b := BreakdownOf(Scope{Run: r}, 0); len(b.Rows) != 0 || b.CannotTell == "" || !math.IsNaN(b.Step) || !math.IsNaN(b.Goodput.Share) {
		t.Errorf("%+v", b)
	}
}

// Goodput: six steps of 1 s that begin every 1.1 s, the first of which does not
// count.
func TestGoodput(t *testing.T) {
	f := newFeed(t)
	f.parted(0, 1, 6, "megatron.train_step")
	_, r := f.look()
	g := BreakdownOf(Scope{Run: r}, 0).Goodput
	if !near(g.Useful, 5, 1e-3) || !near(g.Elapsed, 6.5, 1e-3) || !near(g.Between, 0.5, 1e-2) || !near(g.Share, 5/6.5, 1e-3) || !near(g.Excluded["first"], 1, 1e-3) {
		t.Errorf("%+v", g)
	}
}

// The parts always add up to the step, whatever lies in it.
func FuzzSelfTimes(f *testing.F) {
	f.Add([]byte{0, 10, 5, 20, 3, 7})
	f.Add([]byte{9, 9, 0, 255, 200, 100})
	f.Fuzz(func(t *testing.T, data []byte) {
		fd := newFeed(t)
		fd.spans(trainer(0, 1), fd.mk("m.evaluate", 0, ms), fd.mk("a", 0, ms), fd.mk("b", 0, ms))
		_, r := fd.look()
		s := &stepSpans{length: 255}
		for i := 0; i+1 < len(data) && i < 60; i += 2 {
			from, to := uint64(min(data[i], data[i+1])), uint64(max(data[i], data[i+1]))
			if from < to {
				s.spans = append(s.spans, inStep{from: from, to: to, name: uint16(i / 2 % len(r.Names)), id: spanID(uint64(i + 1)), parent: spanID(uint64(i)), bucket: uint8(i / 2 % 3)})
			}
		}
		total, buckets := uint64(0), uint64(0)
		s.selfTimes(r.Names, func(_ int, ns uint64) { total += ns })
		s.bucketTimes(func(_ int, ns uint64) { buckets += ns })
		if total != 255 || buckets != 255 {
			t.Errorf("parts add up to %d, buckets to %d of 255", total, buckets)
		}
	})
}

func BenchmarkBreakdown(b *testing.B) {
	for _, ranks := range []int{64, 1024} {
		b.Run(fmt.Sprint(ranks), func(b *testing.B) {
			f := seriesFeed(b, ranks, 24, func(rank, i int) float64 { return 1 + float64((rank*7+i)%13)/100 })
			_, r := f.look()
			b.ResetTimer()
			for b.Loop() {
				BreakdownOf(Scope{Run: r}, 0)
			}
		})
	}
}

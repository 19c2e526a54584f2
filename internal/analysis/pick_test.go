package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// pick answers Pick for the first run or fails the test.
func (f *feed) pick(filter Filter, opt PickOptions) Picked {
	f.Helper()
	_, r := f.look()
	p, err := Pick(context.Background(), []Scope{{r, filter}}, opt)
	if err != nil {
		f.Fatal(err)
	}
	return p
}

func named(name string) []Branch { return []Branch{{By: "name", Value: name, Known: true}} }

func durationsOf(list []PickedSpan) []float64 {
	var out []float64
	for _, s := range list {
		out = append(out, s.Duration)
	}
	return out
}

func TestPickSlowest(t *testing.T) {
	f := newFeed(t)
	for i := range uint64(50) {
		f.spans(trainer(0, 2), f.mk("op", 0, (i*37%50+1)*ms), f.mk("other", 0, 9*sec))
		f.spans(trainer(1, 2), f.mk("op", 0, (i*17%50+101)*ms))
	}
	p := f.pick(nil, PickOptions{Path: named("op"), Most: 4})
	if diff := cmp.Diff([]float64{0.150, 0.149, 0.148, 0.147}, durationsOf(p.Slowest)); diff != "" {
		t.Errorf("slowest (-want +got):\n%s", diff)
	}
	if p.Counted != 100 || p.Beside != 0 || len(p.Histogram.Counts) != 0 {
		t.Errorf("counted %d, beside %d, %d buckets; want 100, 0 and none", p.Counted, p.Beside, len(p.Histogram.Counts))
	}
	if s := p.Slowest[0]; s.Name != "op" || s.Run.Processes[s.Process].ID.Rank != 1 || s.TraceID != traceID(1) || s.ID.IsZero() {
		t.Errorf("the slowest is %+v", s)
	}
}

func TestPickOfEqualsTakesTheFirst(t *testing.T) {
	f := newFeed(t)
	for range 30 {
		f.spans(trainer(0, 1), f.mk("op", 0, sec))
	}
	var got []run.SpanID
	for _, s := range f.pick(nil, PickOptions{Most: 3}).Slowest {
		got = append(got, s.ID)
	}
	if diff := cmp.Diff([]run.SpanID{spanID(1), spanID(2), spanID(3)}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPickKeepsTruncatedBeside(t *testing.T) {
	f := newFeed(t)
	for i := range uint64(9) {
		f.spans(trainer(0, 1), f.mk("train_step", i*sec, (i+1)*sec))
	}
	f.spans(trainer(0, 1), f.mk("train_step", 9*sec, 7209*sec, truncated()))
	open := f.mk("train_step", 10*sec, 0)
	open.End = 0
	f.spans(trainer(0, 1), open)
	p := f.pick(nil, PickOptions{Path: named("train_step"), Most: 20, Buckets: 10})
	if p.Counted != 9 || p.Beside != 2 || len(p.Slowest) != 9 || len(p.Cut) != 2 {
		t.Fatalf("counted %d, beside %d, lists of %d and %d", p.Counted, p.Beside, len(p.Slowest), len(p.Cut))
	}
	if p.Histogram.Max != 1 {
		t.Errorf("the histogram reaches to %v s, want 1", p.Histogram.Max)
	}
	if s := p.Cut[1]; s.Duration != 7200 || !s.Marks.Has(run.Truncated) {
		t.Errorf("the truncated one is %+v", s)
	}
	if s := p.Cut[0]; !math.IsNaN(s.Duration) || !s.Marks.Has(run.Open) {
		t.Errorf("the open one is %+v", s)
	}
}

func TestPickBoundsWhatIsBeside(t *testing.T) {
	f := newFeed(t)
	for range 25 {
		f.spans(trainer(0, 1), f.mk("cut", 0, sec, truncated()))
	}
	p := f.pick(nil, PickOptions{Most: 4})
	if p.Beside != 25 || len(p.Cut) != 4 || p.Cut[0].ID != spanID(25) || p.Cut[3].ID != spanID(22) {
		t.Errorf("beside %d, listed %+v; want the newest 4 of 25", p.Beside, p.Cut)
	}
}

func TestPickKnowsTheIteration(t *testing.T) {
	f := newFeed(t)
	for i := range uint64(4) {
		f.step(trainer(0, 1), int64(i), i*sec, 600*ms, 400*ms)
	}
	f.spans(trainer(0, 1), f.mk("job", 0, 4*sec))
	f.spans(trainer(0, 1), f.mk("cut", 2*sec+ms, 9*sec, truncated()))
	for name, want := range map[string][]string{
		"megatron.train_step":       {"0", "1", "2", "3"},
		"megatron.forward_backward": {"0", "1", "2", "3"},
		"job":                       {"none"},
		"cut":                       {"2"},
	} {
		p := f.pick(nil, PickOptions{Path: named(name), Most: 9})
		var got []string
		for _, s := range append(p.Slowest, p.Cut...) {
			text := "none"
			if s.HasIteration {
				text = fmt.Sprint(s.Iteration)
			}
			got = append(got, text)
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s lies in iterations %v, want %v", name, got, want)
		}
	}
}

// everyGroup calls f for every group of a table with the way to it.
func everyGroup(groups []*Group, path []Branch, f func([]Branch, *Group)) {
	for _, g := range groups {
		way := append(slices.Clone(path), Branch{g.By, g.Value, g.Known})
		f(way, g)
		everyGroup(g.Groups, way, f)
	}
}

func TestPickAgreesWithDurations(t *testing.T) {
	f := newFeed(t)
	grid(f, 3)
	for i := range 40 {
		f.spans(trainer(i%8, 8, sizes(2, 2, 2)...), f.mk("op", 0, uint64(i+1)*ms, num("bucket", int64(i%5))))
	}
	f.spans([]run.Attr{str("service.name", "s"), str("nemo.run.id", "run-1")}, f.mk("op", 0, sec), f.mk("op", 0, sec, truncated()))
	odd := fakeFilter{span: func(c *store.Chunk, i int) bool { return c.ID(i)[7]%2 == 1 }}
	for _, by := range [][]string{nil, {"run"}, {"run", "pp", "rank"}, {"name", "host"}, {"bucket"}, {"phase", "bucket", "tp"}, {"class"}} {
		for _, filter := range []Filter{nil, odd} {
			tab := f.table(filter, by...)
			everyGroup(tab.Groups, nil, func(way []Branch, g *Group) {
				p := f.pick(filter, PickOptions{By: by, Path: way, Most: 1})
				if p.Counted != g.Stats.N || p.Beside != g.Stats.Truncated+g.Stats.Invalid {
					t.Errorf("%v: %d and %d beside, the table says %d and %d", way, p.Counted, p.Beside, g.Stats.N, g.Stats.Truncated)
				}
				if len(p.Slowest) > 0 && p.Slowest[0].Duration != g.Stats.Max {
					t.Errorf("%v: slowest %v, the table's maximum %v", way, p.Slowest[0].Duration, g.Stats.Max)
				}
			})
		}
	}
}

func TestPickOfAnUnknownWay(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0, 1), f.mk("op", 0, sec))
	for _, way := range [][]Branch{
		named("nobody"), {{By: "name", Value: "op"}}, {{By: "rank", Value: "op", Known: true}},
		{{By: "name", Value: "op", Known: true}, {By: "rank", Value: "0", Known: true}},
	} {
		if p := f.pick(nil, PickOptions{Path: way, Most: 3, Buckets: 3}); p.Counted != 0 || len(p.Slowest) != 0 {
			t.Errorf("%v holds %d spans", way, p.Counted)
		}
	}
}

func TestPickStops(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0, 1), f.mk("op", 0, sec))
	_, r := f.look()
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Pick(ctx, []Scope{{Run: r}}, PickOptions{Most: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}

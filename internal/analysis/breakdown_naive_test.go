package analysis

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// naiveOwner asks of one moment which span it belongs to, with no sweep: of the
// open ones a covering one that began first, else the one that began last, and of
// several that the shorter.
func naiveOwner(s *stepSpans, names []store.Name, at uint64) int {
	deepest, cover := -1, -1
	for i, e := range s.spans {
		if at < e.from || at >= e.to {
			continue
		}
		if names[e.name].Phase.Covers() && (cover < 0 || s.before(i, cover)) {
			cover = i
		}
		if deepest < 0 || s.before(deepest, i) {
			deepest = i
		}
	}
	switch {
	case cover >= 0:
		return int(s.spans[cover].name)
	case deepest >= 0:
		return int(s.spans[deepest].name)
	}
	return dark
}

// before reports whether span i begins before span j, or with it and lasts longer.
func (s *stepSpans) before(i, j int) bool {
	a, b := s.spans[i], s.spans[j]
	if a.from != b.from {
		return a.from < b.from
	}
	if a.to != b.to {
		return a.to > b.to
	}
	return i < j
}

func namesOf(words ...string) []store.Name {
	var out []store.Name
	for _, w := range words {
		out = append(out, store.Name{Text: w, Phase: run.DefaultPhases().Of(w)})
	}
	return out
}

// TestSelfTimesAgainstEveryMoment holds the sweep against asking of every
// nanosecond.
func TestSelfTimesAgainstEveryMoment(t *testing.T) {
	names := namesOf("m.evaluate", "m.forward_backward", "m.microbatch.forward", "m.all_reduce", "thing")
	d := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		s := &stepSpans{length: 120}
		for i := range d.IntN(12) {
			from := uint64(d.IntN(120))
			name := 1 + d.IntN(len(names)-1)
			if round%5 == 0 && i == 0 {
				name = 0
			}
			s.spans = append(s.spans, inStep{from: from, to: min(from+1+uint64(d.IntN(60)), 120), name: uint16(name), id: spanID(uint64(i + 1))})
		}
		want := map[int]uint64{}
		for at := range s.length {
			want[naiveOwner(s, names, at)]++
		}
		got := map[int]uint64{}
		s.selfTimes(names, func(name int, ns uint64) { got[name] += ns })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("round %d, spans %v (-asked +swept):\n%s", round, s.spans, diff)
		}
	}
}

// TestPhaseSecondsAgainstEveryMoment holds unions against counting.
func TestPhaseSecondsAgainstEveryMoment(t *testing.T) {
	names := namesOf("m.forward_backward", "m.all_reduce", "m.reduce_scatter", "thing")
	d := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		s := &stepSpans{length: 100}
		for range d.IntN(10) {
			from := uint64(d.IntN(100))
			s.spans = append(s.spans, inStep{from: from, to: min(from+1+uint64(d.IntN(50)), 100), name: uint16(d.IntN(len(names)))})
		}
		want := map[phaseKey]float64{}
		for at := range s.length {
			open := map[phaseKey]bool{}
			for _, e := range s.spans {
				key := phaseKey{names[e.name].Phase.Name, names[e.name].Phase.Class.String()}
				if key.name == "" {
					key.name = names[e.name].Text
				}
				if e.from <= at && at < e.to {
					open[key] = true
				}
			}
			for key := range open {
				want[key] += 1e-9
			}
		}
		got := s.phaseSeconds(names)
		for key := range keysOf(want, got) {
			if !near(got[key]+1, want[key]+1, 1e-12) {
				t.Fatalf("round %d: %v is %v, want %v", round, key, got[key], want[key])
			}
		}
	}
}

func keysOf(a, b map[phaseKey]float64) map[phaseKey]bool {
	out := map[phaseKey]bool{}
	for k := range a {
		out[k] = true
	}
	for k := range b {
		out[k] = true
	}
	return out
}

// An umbrella of buckets is one at any depth, and no parent is followed in a
// circle.
func TestLeavesOfBuckets(t *testing.T) {
	e := func(id, parent uint64, bucket uint8) inStep {
		return inStep{from: id, to: 90 - id, id: spanID(id), parent: spanID(parent), bucket: bucket}
	}
	for _, tt := range []struct {
		name  string
		spans []inStep
		want  []uint64
	}{
		{"parent and child", []inStep{e(1, 0, 1), e(2, 1, 2)}, []uint64{2}},
		{"grandchild through one without a bucket", []inStep{e(1, 0, 1), e(2, 1, 0), e(3, 2, 2)}, []uint64{3}},
		{"siblings", []inStep{e(1, 0, 0), e(2, 1, 1), e(3, 1, 2)}, []uint64{2, 3}},
		{"in a circle", []inStep{e(1, 2, 1), e(2, 1, 1)}, nil},
		{"a parent that is not there", []inStep{e(1, 9, 3)}, []uint64{1}},
		{"none", []inStep{e(1, 0, 0)}, nil},
	} {
		s := &stepSpans{length: 100, spans: tt.spans}
		var got []uint64
		for _, l := range s.leaves() {
			for id := range uint64(5) {
				if l.id == spanID(id) {
					got = append(got, id)
				}
			}
		}
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, d)
		}
	}
}

// Permuting ranks permutes nothing in a mean, and a rank like the others changes
// no share.
func TestBreakdownOfMoreRanksIsTheSame(t *testing.T) {
	send := func(ranks []int) Breakdown {
		f := newFeed(t)
		for _, rank := range ranks {
			f.parted(rank, 8, 5, "megatron.train_step",
				part{name: "m.forward_backward", from: 0, to: 600 + uint64(rank%2)*50}, part{name: "m.all_reduce", from: 700, to: 900})
		}
		_, r := f.look()
		return BreakdownOf(Scope{Run: r}, 0)
	}
	a, b, c := send([]int{0, 1, 2, 3}), send([]int{3, 1, 0, 2}), send([]int{0, 1, 2, 3, 4, 5})
	for i := range a.Rows {
		if !near(a.Rows[i].Share, b.Rows[i].Share, 1e-9) || !near(a.Rows[i].Share, c.Rows[i].Share, 1e-6) {
			t.Errorf("%+v, %+v, %+v", a.Rows[i], b.Rows[i], c.Rows[i])
		}
	}
}

// Of many ranks those at equal distances stand for all, and the answer says so.
func TestBreakdownOfManyRanks(t *testing.T) {
	const ranks = mostBroken + 44
	f := newFeed(t)
	for rank := range ranks {
		for i := range 3 {
			f.step(trainer(rank, ranks), int64(i), uint64(i)*2*sec, 600*ms, 400*ms)
		}
	}
	_, r := f.look()
	b := BreakdownOf(Scope{Run: r}, 0)
	if b.Ranks != mostBroken || b.Of != ranks || b.Coverage() != fmt.Sprintf("%d of %d ranks, 2 steps", mostBroken, ranks) {
		t.Errorf("%d of %d: %s", b.Ranks, b.Of, b.Coverage())
	}
	if got := shares(b.Rows)["compute"]; !near(got, 0.6, 1e-4) {
		t.Errorf("compute %v", got)
	}
}

// Where the spans are gone the columns answer, and say that they do.
func TestBreakdownFromColumns(t *testing.T) {
	f := newFeed(t)
	for i := range 4 {
		f.step(trainer(0, 1), int64(i), uint64(i)*2*sec, 600*ms, 300*ms)
	}
	_, r := f.look()
	bare := *r
	bare.Chunks = nil
	b := BreakdownOf(Scope{Run: &bare}, 0)
	want := map[string]float64{"compute": 2.0 / 3, "wait": 1.0 / 3, "dark": 0}
	for class, share := range want {
		if got := shares(b.Rows)[class]; !near(got+1, share+1, 1e-3) {
			t.Errorf("%s = %v, want %v", class, got, share)
		}
	}
	if !b.Approximate || b.CannotTell != "" || len(b.ByPhase) != 0 {
		t.Errorf("%+v", b)
	}
}

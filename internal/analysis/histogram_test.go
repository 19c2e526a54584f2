package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func total(counts []uint64) (n uint64) {
	for _, c := range counts {
		n += c
	}
	return n
}

func TestHistogram(t *testing.T) {
	for _, c := range []struct {
		name    string
		ns      []uint64
		buckets int
		want    []uint64
	}{
		{"decades", []uint64{ms, 20 * ms, 20 * ms, 200 * ms, sec}, 3, []uint64{1, 2, 2}},
		{"one", []uint64{7 * ms}, 5, []uint64{1}},
		{"equal", []uint64{ms, ms, ms}, 5, []uint64{3}},
		{"nothing at all", []uint64{0, 0}, 5, []uint64{2}},
		{"from nothing", []uint64{0, 1, sec}, 3, []uint64{2, 0, 1}},
		{"no buckets is one", []uint64{1, 2}, 0, []uint64{2}},
	} {
		h := newHistogram(c.ns, c.buckets)
		if diff := cmp.Diff(c.want, h.Counts); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestHistogramBounds(t *testing.T) {
	h := newHistogram([]uint64{ms, sec}, 3)
	for i, want := range []float64{0.001, 0.01, 0.1, 1} {
		if got := h.Bound(i); !near(got, want, 1e-9) {
			t.Errorf("bound %d is %v, want %v", i, got, want)
		}
	}
	if h.Bound(-1) != h.Min || h.Bound(99) != h.Max || h.Bucket(1e-6) != 0 || h.Bucket(9) != 2 {
		t.Error("what lies outside is not put into the first or last")
	}
}

// Every duration is counted once, in the bucket whose bounds hold it, by the
// exact way and by the sketch.
func TestHistogramAgainstCounting(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		n, buckets := 1+dice.IntN(500), 1+dice.IntN(80)
		ns, sketch := make([]uint64, n), &logHist{}
		for i := range ns {
			ns[i] = uint64(math.Exp(dice.Float64() * 25))
			sketch.add(ns[i])
		}
		h, s := newHistogram(ns, buckets), histogramOfSketch(sketch, buckets)
		if total(h.Counts) != uint64(n) || total(s.Counts) != uint64(n) {
			t.Fatalf("%d and %d counted of %d", total(h.Counts), total(s.Counts), n)
		}
		if !s.Approximate || h.Approximate || !near(s.Min, h.Min, 0.02) || !near(s.Max, h.Max, 0.02) {
			t.Fatalf("sketch %v … %v, exact %v … %v", s.Min, s.Max, h.Min, h.Max)
		}
		for _, v := range ns {
			sec := seconds(v)
			b := h.Bucket(sec)
			if low, high := h.Bound(b), h.Bound(b+1); sec < low*(1-1e-9) || sec > high*(1+1e-9) {
				t.Fatalf("%v s is in bucket %d from %v to %v", sec, b, low, high)
			}
		}
	}
}

func TestPickFallsBackToTheSketch(t *testing.T) {
	p := picker{opt: PickOptions{Buckets: 8}, ns: make([]uint64, maxExact)}
	for i := range p.ns {
		p.ns[i] = uint64(i + 1)
	}
	p.count(uint64(maxExact + 1))
	p.count(1)
	h := p.picked(nil).Histogram
	if p.ns != nil || !h.Approximate || total(h.Counts) != maxExact+2 {
		t.Errorf("%d counted, approximate %v; want %d in a sketch", total(h.Counts), h.Approximate, maxExact+2)
	}
}

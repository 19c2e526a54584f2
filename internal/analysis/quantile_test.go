package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func upTo(n int, unit uint64) []uint64 {
	v := make([]uint64, n)
	for i := range v {
		v[i] = uint64(i+1) * unit
	}
	return v
}

func TestNearestRank(t *testing.T) {
	const ms = 1_000_000
	for _, c := range []struct {
		name string
		v    []uint64
		want percentiles[uint64]
	}{
		{"1…20 ms", upTo(20, ms), percentiles[uint64]{10 * ms, 19 * ms, 20 * ms}},
		{"1…100 ms", upTo(100, ms), percentiles[uint64]{50 * ms, 95 * ms, 99 * ms}},
		{"one", []uint64{7 * ms}, percentiles[uint64]{7 * ms, 7 * ms, 7 * ms}},
		{"two", []uint64{2000 * ms, 1000 * ms}, percentiles[uint64]{1000 * ms, 2000 * ms, 2000 * ms}},
		{"equal", []uint64{5, 5, 5, 5}, percentiles[uint64]{5, 5, 5}},
		{"1…1000", upTo(1000, 1), percentiles[uint64]{500, 950, 990}},
	} {
		if got := selectPercentiles(slices.Clone(c.v)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestRankOfIsExact(t *testing.T) {
	for n := 1; n <= 10_000; n++ {
		for _, p := range []int{50, 95, 99} {
			r := rankOf(p, n)
			if r*100 < p*n || (r-1)*100 >= p*n || r < 1 || r > n {
				t.Fatalf("rankOf(%d, %d) = %d", p, n, r)
			}
		}
	}
}

// TestSelectAgainstSort compares with the definition over shapes that are hard
// for a selection, each in several orders.
func TestSelectAgainstSort(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	shapes := map[string]func(i, n int) uint64{
		"random":   func(int, int) uint64 { return rng.Uint64() },
		"few":      func(int, int) uint64 { return rng.Uint64N(3) },
		"rising":   func(i, _ int) uint64 { return uint64(i) },
		"falling":  func(i, n int) uint64 { return uint64(n - i) },
		"sawtooth": func(i, _ int) uint64 { return uint64(i % 17) },
		"organ":    func(i, n int) uint64 { return uint64(min(i, n-i)) },
		"extreme":  func(i, _ int) uint64 { return []uint64{0, math.MaxUint64}[i%2] },
	}
	for name, shape := range shapes {
		for _, n := range []int{1, 2, 3, 19, 64, 65, 200, 1001, 5000} {
			v := make([]uint64, n)
			for i := range v {
				v[i] = shape(i, n)
			}
			sorted := slices.Clone(v)
			slices.Sort(sorted)
			want := percentiles[uint64]{sorted[rankOf(50, n)-1], sorted[rankOf(95, n)-1], sorted[rankOf(99, n)-1]}
			for range 3 {
				if got := selectPercentiles(slices.Clone(v)); got != want {
					t.Errorf("%s of %d: %v, want %v", name, n, got, want)
				}
				rng.Shuffle(n, func(i, j int) { v[i], v[j] = v[j], v[i] })
			}
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		want float64
	}{
		{[]float64{3}, 3},
		{[]float64{4, 2}, 3},
		{[]float64{9, 1, 5}, 5},
		{[]float64{1, 2, 3, 100}, 2.5},
	} {
		if got := median(c.v); got != c.want {
			t.Errorf("median %v = %v, want %v", c.v, got, c.want)
		}
	}
	if got := median(nil); !math.IsNaN(got) {
		t.Errorf("median of nothing = %v, want NaN", got)
	}
}

func TestSketchIsWithinOnePercent(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var whole, a, b logHist
	v := make([]uint64, 20_000)
	for i := range v {
		v[i] = uint64(math.Exp(rng.Float64() * 40)) // 1 ns … 7 years
		whole.add(v[i])
		[]*logHist{&a, &b}[i%2].add(v[i])
	}
	a.merge(&b)
	if got, want := a.percentiles(), whole.percentiles(); got != want {
		t.Errorf("merged %v, together %v", got, want)
	}
	want := selectPercentiles(v)
	got := whole.percentiles()
	for _, p := range [][2]uint64{{got.p50, want.p50}, {got.p95, want.p95}, {got.p99, want.p99}} {
		if err := math.Abs(float64(p[0])-float64(p[1])) / float64(p[1]); err > 0.0101 {
			t.Errorf("sketch says %d, exact is %d: %.2f %% off", p[0], p[1], 100*err)
		}
	}
}

func TestSketchOfOddValues(t *testing.T) {
	var h logHist
	for _, ns := range []uint64{0, 0, 1, math.MaxUint64} {
		h.add(ns)
	}
	p := h.percentiles()
	if p.p50 != 0 || h.n != 4 {
		t.Errorf("p50 = %d of %d, want 0 of 4", p.p50, h.n)
	}
	if off := float64(p.p99) / math.MaxUint64; off < 0.98 || off > 1.02 {
		t.Errorf("p99 = %d", p.p99)
	}
}

func FuzzSelect(f *testing.F) {
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return
		}
		v := slices.Clone(b)
		got := selectPercentiles(v)
		slices.Sort(b)
		want := percentiles[byte]{b[rankOf(50, len(b))-1], b[rankOf(95, len(b))-1], b[rankOf(99, len(b))-1]}
		if got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func BenchmarkSelect1M(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	v := make([]uint64, 1<<20)
	for i := range v {
		v[i] = rng.Uint64()
	}
	work := make([]uint64, len(v))
	for b.Loop() {
		copy(work, v)
		selectPercentiles(work)
	}
}

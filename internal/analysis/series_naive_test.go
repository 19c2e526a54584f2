package analysis

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// sortedMedian is the median the slow way.
func sortedMedian(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	n := len(s)
	if n == 0 {
		return math.NaN()
	}
	return (s[(n-1)/2] + s[n/2]) / 2
}

// TestJudgementAgainstTheRule holds what is marked against the rule as it is
// written, point by point.
func TestJudgementAgainstTheRule(t *testing.T) {
	d := rand.New(rand.NewPCG(7, 8))
	for round := range 40 {
		points := make([]StepPoint, 130)
		for i := range points {
			v := 1 + 0.02*d.NormFloat64()
			if d.IntN(15) == 0 {
				v *= 1 + 2*d.Float64()
			}
			points[i] = StepPoint{Iteration: int64(i), Median: v, Slowest: v * (1 + 0.3*d.Float64())}
			if d.IntN(10) == 0 {
				points[i].Excluded = "checkpoint"
			}
		}
		s := StepSeries{Points: slices.Clone(points)}
		s.judge(*usual())
		var clean []float64
		for i, p := range s.Points {
			if p.Excluded == "" {
				clean = append(clean, p.Median)
			}
			window := clean[max(0, len(clean)-50):]
			med := sortedMedian(window)
			var away []float64
			for _, x := range window {
				away = append(away, math.Abs(x-med))
			}
			judged := p.Excluded == "" && len(window) >= rollingLeast
			spike := judged && p.Median > med+3.5*1.4826*sortedMedian(away) && p.Median > 1.10*med
			irregular := judged && p.Median >= 2*med
			if p.Spike != spike || p.Irregular != irregular || cmp.Compare(p.Rolling, med) != 0 {
				t.Fatalf("round %d, point %d: %+v; want spike %t, irregular %t, rolling %v", round, i, p, spike, irregular, med)
			}
		}
		if s.Clean != len(clean) {
			t.Fatalf("%d clean, want %d", s.Clean, len(clean))
		}
	}
}

// TestRankTestAgainstAllOrders holds the normal approximation against the exact
// distribution over all ways to choose the first sample.
func TestRankTestAgainstAllOrders(t *testing.T) {
	d := rand.New(rand.NewPCG(9, 10))
	for range 30 {
		all := make([]float64, 12)
		for i := range all {
			all[i] = d.Float64()
		}
		exact := exactRankTest(all[:6], all[6:])
		if got := rankTest(all[:6], all[6:]); math.Abs(got-exact) > 0.03 {
			t.Errorf("%v: p = %v, exactly %v", all, got, exact)
		}
	}
}

// exactRankTest counts the subsets whose rank sum is at least as far from the
// middle.
func exactRankTest(a, b []float64) float64 {
	all := slices.Concat(a, b)
	rank := func(v float64) (r float64) {
		for _, x := range all {
			if x <= v {
				r++
			}
		}
		return r
	}
	sum := 0.0
	for _, v := range a {
		sum += rank(v)
	}
	middle := float64(len(a)*(len(all)+1)) / 2
	far, total := 0, 0
	for set := range 1 << len(all) {
		n, s := 0, 0.0
		for i := range all {
			if set>>i&1 == 1 {
				n, s = n+1, s+float64(i+1)
			}
		}
		if n != len(a) {
			continue
		}
		total++
		if math.Abs(s-middle) >= math.Abs(sum-middle)-1e-9 {
			far++
		}
	}
	return float64(far) / float64(total)
}

// A shift is found where it is, to within a few steps, whatever the noise around
// it, and only once.
func TestShiftsAreFoundOnce(t *testing.T) {
	found, where := 0, 0
	const rounds = 60
	for seed := range uint64(rounds) {
		d := rand.New(rand.NewPCG(seed, 11))
		v := make([]float64, 160)
		for i := range v {
			v[i] = 1 + 0.01*d.NormFloat64()
			if i >= 80 {
				v[i] *= 1.06
			}
		}
		got := shifts(v, usual().Shift)
		if len(got) == 1 {
			found++
			if at := got[0].at; at >= 74 && at <= 86 {
				where++
			}
		}
	}
	if found < rounds-1 || where < rounds-2 {
		t.Errorf("of %d shifts %d are found once, %d where they are", rounds, found, where)
	}
}

// Two attempts are judged each for itself: that the second is slower is no spike
// and no shift.
func TestAttemptsAreJudgedApart(t *testing.T) {
	var s StepSeries
	for attempt := range 2 {
		for i := range 60 {
			s.Points = append(s.Points, StepPoint{Attempt: attempt, Iteration: int64(i), Median: float64(1 + attempt*2), Slowest: float64(1 + attempt*2)})
		}
	}
	s.judge(*usual())
	if s.Spikes != 0 || len(s.Shifts) != 0 || s.Clean != 120 {
		t.Errorf("%d spikes, %d shifts, %d clean", s.Spikes, len(s.Shifts), s.Clean)
	}
}

// The slowest rank may be odd while the median one is not.
func TestSlowestRankIsJudgedBesideTheMedian(t *testing.T) {
	s := stepsOf(t, seriesFeed(t, 4, 30, func(rank, i int) float64 {
		if rank == 2 && i == 20 {
			return 1.5
		}
		return 1
	}))
	for _, p := range s.Points {
		if want := p.Iteration == 20; p.SlowestOddity != want || p.Spike || want && p.SlowestRank != 2 {
			t.Errorf("%+v", p)
		}
	}
}

// Work is done once for each index, whatever the number of processors.
func TestInParallel(t *testing.T) {
	for _, n := range []int{0, 1, 2, 7, 1000} {
		got := make([]int, n)
		inParallel(n, func(i int) { got[i]++ })
		if slices.ContainsFunc(got, func(c int) bool { return c != 1 }) {
			t.Errorf("%d: %v", n, got)
		}
	}
}

package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// seriesFeed is a run of so many ranks whose i-th step takes what step says, in
// seconds.
func seriesFeed(t testing.TB, ranks, steps int, step func(rank, i int) float64) *feed {
	f := newFeed(t)
	from := uint64(0)
	for i := range steps {
		longest := uint64(0)
		for rank := range ranks {
			ns := uint64(step(rank, i) * 1e9)
			f.step(trainer(rank, ranks), int64(i), from, ns/2, ns-ns/2)
			longest = max(longest, ns)
		}
		from += longest
	}
	return f
}

func stepsOf(t testing.TB, f *feed) StepSeries {
	t.Helper()
	_, r := f.look()
	return Steps(Scope{Run: r}, 0)
}

func TestSlowestAndMedianRank(t *testing.T) {
	s := stepsOf(t, seriesFeed(t, 3, 4, func(rank, i int) float64 { return 1 + float64(rank)/10 }))
	if len(s.Points) != 4 || s.Clean != 3 {
		t.Fatalf("%d points, %d clean", len(s.Points), s.Clean)
	}
	first, p := s.Points[0], s.Points[3]
	if first.Excluded != "first" || !near(first.Median, 1.1, 1e-6) || !math.IsNaN(first.Rolling) {
		t.Errorf("first %+v", first)
	}
	if !near(p.Median, 1.1, 1e-6) || !near(p.Slowest, 1.2, 1e-6) || p.SlowestRank != 2 || p.Seen != 3 || p.Excluded != "" || !near(p.Rolling, 1.1, 1e-6) {
		t.Errorf("last %+v", p)
	}
}

// Spikes are beyond 3.5 deviations and 1.10 times the median; irregular is twice.
func TestSpikes(t *testing.T) {
	v := map[int]float64{20: 1.09, 25: 1.12, 30: 2.1, 35: 0.5}
	s := stepsOf(t, seriesFeed(t, 1, 40, func(_, i int) float64 {
		if x, ok := v[i]; ok {
			return x
		}
		return 1 + 0.001*float64(i%3)
	}))
	var spikes, irregular []int64
	for _, p := range s.Points {
		if p.Spike {
			spikes = append(spikes, p.Iteration)
		}
		if p.Irregular {
			irregular = append(irregular, p.Iteration)
		}
	}
	if d := cmp.Diff([][]int64{{25, 30}, {30}}, [][]int64{spikes, irregular}); d != "" || s.Spikes != 2 || s.Irregular != 1 {
		t.Errorf("spikes and irregular (-want +got):\n%s", d)
	}
}

// Noise as wide as the jump hides it: the deviation counts, not the ratio alone.
func TestNoiseIsNoSpike(t *testing.T) {
	s := stepsOf(t, seriesFeed(t, 1, 60, func(_, i int) float64 { return 1 + 0.3*float64(i%2) }))
	if s.Spikes != 0 {
		t.Errorf("%d spikes in a series that goes up and down", s.Spikes)
	}
}

// The steps after an upward shift are judged by the level they stay at; one that
// stands out from it is a spike still, and so is one before.
func TestStepsAfterAShiftAreNoSpikes(t *testing.T) {
	odd := map[int]float64{15: 1.3, 52: 1.8, 58: 3}
	s := stepsOf(t, seriesFeed(t, 1, 90, func(_, i int) float64 {
		if v, ok := odd[i]; ok {
			return v
		}
		return (1 + 0.326*float64(min(1, i/45))) * (1 + 0.001*float64(i%5))
	}))
	var spikes, irregular []int64
	for _, p := range s.Points {
		if p.Spike {
			spikes = append(spikes, p.Iteration)
		}
		if p.Irregular {
			irregular = append(irregular, p.Iteration)
		}
	}
	if d := cmp.Diff([][]int64{{15, 52, 58}, {58}}, [][]int64{spikes, irregular}); d != "" || s.Spikes != 3 || s.Irregular != 1 || len(s.Shifts) != 1 {
		t.Errorf("%d spikes, %d irregular, shifts %+v; (-want +got):\n%s", s.Spikes, s.Irregular, s.Shifts, d)
	}
}

func TestShift(t *testing.T) {
	tests := []struct {
		name   string
		step   func(i int) float64
		at     []int64
		change float64
	}{
		{"none", func(i int) float64 { return 1 }, nil, 0},
		{"below 3 %", func(i int) float64 { return 1 + 0.02*float64(i/50) }, nil, 0},
		{"up", func(i int) float64 { return 1 + 0.1*float64(i/50) }, []int64{50}, 0.1},
		{"down", func(i int) float64 { return 1.1 - 0.1*float64(i/50) }, []int64{50}, -1.0 / 11},
		{"one long step", func(i int) float64 { return 1 + float64(1-min(1, max(i-50, 50-i))) }, nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := stepsOf(t, seriesFeed(t, 1, 100, func(_, i int) float64 { return tt.step(i) * (1 + 0.0001*float64(i%7)) }))
			var at []int64
			for _, x := range s.Shifts {
				at = append(at, x.Iteration)
				if !near(x.Change, tt.change, 0.01) || x.P >= shiftP {
					t.Errorf("shift %+v", x)
				}
			}
			if d := cmp.Diff(tt.at, at); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// Steps that differ by chance alone shift nowhere.
func TestHealthySeriesDoNotShift(t *testing.T) {
	bad := 0
	for seed := range uint64(200) {
		d := rand.New(rand.NewPCG(seed, 1))
		v := make([]float64, 200)
		for i := range v {
			v[i] = 1 + 0.02*d.NormFloat64()
		}
		if len(shifts(v, usual().Shift)) > 0 {
			bad++
		}
	}
	if bad > 2 {
		t.Errorf("%d of 200 healthy series shift", bad)
	}
}

// By hand: five and five with U = 5 is z = 7/4.787; 20 and 20 that are wholly
// apart is z = 199.5/36.97.
func TestRankTest(t *testing.T) {
	var low, high []float64
	for i := range 20 {
		low, high = append(low, float64(i)), append(high, float64(i+100))
	}
	tests := []struct {
		a, b []float64
		want float64
	}{
		{[]float64{1, 2, 3}, []float64{1, 2, 3}, 1},
		{[]float64{5, 5}, []float64{5, 5}, 1},
		{[]float64{1, 2, 4, 6, 7}, []float64{3, 5, 8, 9, 10}, 0.14367},
		{nil, []float64{1}, 1},
		{low, high, 6.7956e-8},
	}
	for _, tt := range tests {
		got := rankTest(tt.a, tt.b)
		if !near(got, tt.want, 0.01) || got != rankTest(tt.b, tt.a) {
			t.Errorf("%v and %v: p = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// Scaling time scales seconds and changes no judgement.
func TestSeriesScales(t *testing.T) {
	shape := func(_, i int) float64 { return (1 + 0.1*float64(i/45) + float64(i%41/40)) * (1 + 0.001*float64(i%5)) }
	a := stepsOf(t, seriesFeed(t, 2, 90, shape))
	b := stepsOf(t, seriesFeed(t, 2, 90, func(r, i int) float64 { return 8 * shape(r, i) }))
	for i := range b.Points {
		p := &b.Points[i]
		p.Median, p.Slowest, p.Rolling = p.Median/8, p.Slowest/8, p.Rolling/8
	}
	for i := range b.Shifts {
		b.Shifts[i].Before, b.Shifts[i].After = b.Shifts[i].Before/8, b.Shifts[i].After/8
	}
	if d := cmp.Diff(a, b, cmpopts.EquateApprox(1e-6, 0), cmpopts.EquateNaNs()); d != "" || a.Spikes == 0 || len(a.Shifts) == 0 {
		t.Errorf("%d spikes, %d shifts (-once +eight times):\n%s", a.Spikes, len(a.Shifts), d)
	}
}

// A reader that is used again answers as a new one.
func TestReaderReadsOnlyWhatChanged(t *testing.T) {
	f := newFeed(t)
	sr := NewStepReader()
	for i := range 30 {
		for rank := range 3 {
			f.step(trainer(rank, 3), int64(i), uint64(i)*2*sec, sec, uint64(i%7)*100*ms)
			_, r := f.look()
			if d := cmp.Diff(Steps(Scope{Run: r}, 0), sr.Read(Scope{Run: r}, 0), cmpopts.EquateNaNs()); d != "" {
				t.Fatalf("step %d of rank %d (-new +again):\n%s", i, rank, d)
			}
		}
	}
}

func TestSeriesOfNothing(t *testing.T) {
	if s := Steps(Scope{Run: &store.Run{WorldSize: run.Unknown}}, 0); len(s.Points) != 0 || len(s.Shifts) != 0 {
		t.Errorf("%+v", s)
	}
}

func BenchmarkSteps(b *testing.B) {
	for _, ranks := range []int{64, 1024} {
		b.Run(fmt.Sprint(ranks), func(b *testing.B) {
			f := seriesFeed(b, ranks, 32, func(rank, i int) float64 { return 1 + float64((rank*7+i)%13)/100 })
			_, r := f.look()
			b.ResetTimer()
			for b.Loop() {
				Steps(Scope{Run: r}, 0)
			}
		})
	}
}

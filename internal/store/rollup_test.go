package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// plain is statistics computed in the plainest way.
type plain struct {
	durations                  []uint64
	truncated, invalid, errors uint64
}

func (p *plain) note(s run.Span) {
	if s.Status == run.StatusError {
		p.errors++
	}
	switch {
	case len(s.Attrs) > 0 && s.Attrs[0].Key == "nemo.span.truncated":
		p.truncated++
	case s.End < s.Start:
		p.invalid++
	default:
		p.durations = append(p.durations, s.End-s.Start)
	}
}

func (p *plain) stat(name int) NameStat {
	n := NameStat{Name: name, Truncated: p.truncated, Invalid: p.invalid, Errors: p.errors, Count: uint64(len(p.durations))}
	for _, d := range p.durations {
		n.Sum.Add(d)
	}
	if len(p.durations) > 0 {
		n.Min, n.Max = slices.Min(p.durations), slices.Max(p.durations)
	}
	return n
}

// randomSpan is one span of a few names; one in ten is no use as a duration.
func randomSpan(r *rand.Rand, id uint64) run.Span {
	from := uint64(r.IntN(1e6)) * ms
	s := sp(id, 0, fmt.Sprint("op-", r.IntN(5)), from, from+uint64(math.Exp(r.Float64()*20)))
	switch r.IntN(30) {
	case 0:
		s.Attrs = []run.Attr{truth("nemo.span.truncated", true)}
	case 1:
		s.End = s.Start - 1
	case 2:
		s.Status = run.StatusError
	}
	return s
}

// TestRollUpsEqualAPlainComputation sends far more than is retained.
func TestRollUpsEqualAPlainComputation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	f := newFixture(t, func(c *Config) { c.Budget = 2 << 20 })
	byProcess := map[[2]string]*plain{}
	byStage := map[[2]string]*plain{}
	note := func(m map[[2]string]*plain, who any, s run.Span) {
		k := [2]string{fmt.Sprint(who), s.Name}
		if m[k] == nil {
			m[k] = &plain{}
		}
		m[k].note(s)
	}
	for i := range uint64(400) {
		n := r.IntN(6)
		res := rank(n, num("dl.pipeline_parallel.rank", int64(n/2)))
		var spans []run.Span
		for k := range uint64(100) {
			s := randomSpan(r, i*100+k+1)
			spans = append(spans, s)
			note(byProcess, n, s)
			note(byStage, n/2, s)
		}
		f.send(res, spans...)
	}
	run0 := f.only()
	if run0.Accounts[run.Traces].Evicted == 0 {
		t.Fatal("nothing was evicted: the test is too small")
	}
	checkProcesses(t, run0, byProcess)
	checkStages(t, run0, byStage)
}

func checkProcesses(t *testing.T, r *Run, want map[[2]string]*plain) {
	t.Helper()
	got := 0
	for _, p := range r.Processes {
		for _, st := range p.Stats() {
			got++
			w := want[[2]string{fmt.Sprint(p.ID.Rank), r.Names[st.Name].Text}]
			if d := cmp.Diff(w.stat(st.Name), st, cmp.Comparer(func(a, b Sum) bool { return a == b })); d != "" {
				t.Errorf("rank %d, %s differs (-want +got):\n%s", p.ID.Rank, r.Names[st.Name].Text, d)
			}
		}
	}
	if got != len(want) {
		t.Errorf("statistics = %d, want %d", got, len(want))
	}
}

func checkStages(t *testing.T, r *Run, want map[[2]string]*plain) {
	t.Helper()
	if len(r.Stages) != len(want) {
		t.Errorf("stages = %d, want %d", len(r.Stages), len(want))
	}
	for _, st := range r.Stages {
		w := want[[2]string{fmt.Sprint(st.Stage), r.Names[st.Name].Text}]
		if d := cmp.Diff(w.stat(st.Name), st.NameStat, cmp.Comparer(func(a, b Sum) bool { return a == b })); d != "" {
			t.Errorf("stage %d, %s differs (-want +got):\n%s", st.Stage, r.Names[st.Name].Text, d)
		}
		checkQuantiles(t, st, w.durations)
	}
}

// checkQuantiles holds percentiles against those of all durations by nearest
// rank: equal while few, within 1 % beyond.
func checkQuantiles(t *testing.T, st *StageStat, all []uint64) {
	t.Helper()
	slices.Sort(all)
	for _, q := range []float64{0, .01, .25, .5, .9, .95, .99, .999, 1} {
		want := all[nearestRank(q, uint64(len(all)))-1]
		got, exact := st.Quantile(q)
		if exact != (len(all) <= exactDurations) {
			t.Errorf("exact = %v of %d", exact, len(all))
		}
		off := math.Abs(float64(got) - float64(want))
		if exact && got != want || off > 1.01*sketchAccuracy*float64(want)+1 || got < st.Min || got > st.Max {
			t.Errorf("q%g of %d = %d, want %d", q, len(all), got, want)
		}
	}
}

func TestQuantileTurnsFromExactToSketch(t *testing.T) {
	for _, n := range []int{1, 2, exactDurations - 1, exactDurations, exactDurations + 1, 5000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			st := &StageStat{}
			var all []uint64
			for i := range n {
				d := uint64(i*i) * 1000 // zero too
				all = append(all, d)
				st.NameStat.add(d)
				st.quantiles.add(d)
			}
			checkQuantiles(t, st, all)
		})
	}
}

func TestMergedStages(t *testing.T) {
	part := func(stage, from, to int) *StageStat {
		st := &StageStat{Stage: stage, NameStat: NameStat{Name: 3}}
		for i := from; i < to; i++ {
			st.NameStat.add(uint64(i))
			st.quantiles.add(uint64(i))
		}
		return st
	}
	tests := []struct {
		name  string
		parts []*StageStat
		n     int
		exact bool
		stage int
	}{
		{"two exact ones", []*StageStat{part(0, 1, 1001), part(1, 1001, 2001)}, 2000, true, run.Unknown},
		{"one stage", []*StageStat{part(2, 1, 11)}, 10, true, 2},
		{"a sketch and few", []*StageStat{part(0, 1, 3001), part(1, 3001, 3011)}, 3010, false, run.Unknown},
		{"few and a sketch", []*StageStat{part(0, 1, 11), part(0, 11, 3001)}, 3000, false, 0},
		{"with an empty one", []*StageStat{part(0, 1, 11), {Stage: 1}}, 10, true, run.Unknown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := MergeStages(tt.parts...)
			if m.Count != uint64(tt.n) || m.Min != 1 || m.Max != uint64(tt.n) || m.Stage != tt.stage {
				t.Errorf("merged = %+v", m.NameStat)
			}
			var all []uint64
			for i := range tt.n {
				all = append(all, uint64(i+1))
			}
			if !tt.exact {
				checkQuantiles(t, &m, all)
				return
			}
			if ns, exact := m.Quantile(.5); !exact || ns != all[nearestRank(.5, uint64(tt.n))-1] {
				t.Errorf("p50 = %d, exact %v", ns, exact)
			}
		})
	}
}

func TestNearestRankOfOddFractions(t *testing.T) {
	for _, q := range []float64{-1, 0, math.NaN()} {
		if r := nearestRank(q, 5); r != 1 {
			t.Errorf("rank of %g = %d, want 1", q, r)
		}
	}
	if r := nearestRank(2, 5); r != 5 {
		t.Errorf("rank of 2 = %d, want 5", r)
	}
}

func TestTooManyNamesAreCountedTogether(t *testing.T) {
	f := newFixture(t)
	const n = maxNames + 500
	for i := 0; i < n; i += 100 {
		var spans []run.Span
		for k := i; k < min(i+100, n); k++ {
			spans = append(spans, sp(uint64(k+1), 0, fmt.Sprint("op for user ", k), 0, second))
		}
		f.send(rank(0), spans...)
	}
	f.send(rank(0), sp(n+1, 0, fmt.Sprint("op for user ", n-1), 0, second)) // again a late name
	r := f.only()
	if len(r.Names) != maxNames+1 {
		t.Errorf("names = %d, want %d", len(r.Names), maxNames+1)
	}
	if st := total(r, OtherNames); st.Count != 501 {
		t.Errorf("others count %d, want 501", st.Count)
	}
	spans := live(r)
	if got := spans[n-1].Name; got != fmt.Sprint("op for user ", n-1) {
		t.Errorf("a late span is called %q: its own name is lost", got)
	}
	if !hasNotice(r.Notices, "many-span-names", "") {
		t.Errorf("notices = %+v", r.Notices)
	}
}

func TestTablesOfStatisticsAreBounded(t *testing.T) {
	f := newFixture(t)
	f.limits.pairs = 20
	for i := range 50 {
		f.send(rank(i%5), sp(uint64(i+1), 0, fmt.Sprint("op-", i), 0, second))
	}
	r := f.only()
	if f.pairs > 20+5 {
		t.Errorf("pairs = %d, want at most 25", f.pairs)
	}
	var count uint64
	for _, p := range r.Processes {
		for _, st := range p.Stats() {
			count += st.Count
		}
	}
	if count != 50 {
		t.Errorf("counted %d of 50 spans", count)
	}
}

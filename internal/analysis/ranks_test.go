package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

func TestRanks(t *testing.T) {
	f := newFeed(t)
	grid(f, 11) // the first iteration of an attempt is in no step statistic
	f.now += 5e9
	f.step(trainer(3, 8, sizes(2, 2, 2)...), 11, 11*20*ms, 4*ms, 5*ms)
	f.spans(trainer(3, 8, sizes(2, 2, 2)...), f.mk("megatron.train_step", 0, 99*sec, truncated()))
	f.now += 5e9
	f.Tick(f.now)
	s, r := f.look()
	rows := Ranks(s, Scope{Run: r}, 0)
	if len(rows) != 8 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, row := range rows {
		if row.Rank != i || row.Role != "trainer" || row.Host != fmt.Sprint("node", i/4) || !row.Grid {
			t.Errorf("row %d: %+v", i, row)
		}
		want := run.Coord{TP: i % 2, DP: i / 2 % 2, PP: i / 4, Derived: true}
		if row.Coord != want {
			t.Errorf("rank %d at %+v, want %+v", i, row.Coord, want)
		}
		if !near(row.StepP50, 0.009, 1e-5) || !near(row.StepP95, 0.009, 1e-5) {
			t.Errorf("rank %d: step %v %v, want 9 ms", i, row.StepP50, row.StepP95)
		}
		if !near(row.Compute, float64(i+1)/1000, 1e-5) || !near(row.Wait, float64(8-i)/1000, 1e-5) {
			t.Errorf("rank %d: compute %v, wait %v", i, row.Compute, row.Wait)
		}
	}
	r3 := rows[3]
	if r3.Iteration != 11 || r3.Age != 5 || r3.Truncated != 1 || rows[2].Iteration != 10 || rows[2].Age != 10 {
		t.Errorf("rank 3: iteration %d, age %v, truncated %d; rank 2: %d, %v", r3.Iteration, r3.Age, r3.Truncated, rows[2].Iteration, rows[2].Age)
	}
	if !r3.Few() || r3.Steps != 11 {
		t.Errorf("%d steps, few %v", r3.Steps, r3.Few())
	}
}

func TestRanksFilteredAndWithoutSteps(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0, 2), f.mk("op", 0, sec))
	f.spans([]run.Attr{str("nemo.run.id", "run-1"), str("service.name", "helper")}, f.mk("op", 0, sec))
	s, r := f.look()
	rows := Ranks(s, Scope{r, fakeFilter{process: func(p int) bool { return p == 1 }}}, 0)
	if len(rows) != 1 || rows[0].Rank != run.Unknown || rows[0].HasIteration {
		t.Fatalf("%+v", rows)
	}
	for _, v := range []float64{rows[0].StepP50, rows[0].StepP95, rows[0].Compute, rows[0].Wait} {
		if !math.IsNaN(v) {
			t.Errorf("a figure of no step is %v", v)
		}
	}
	if rows = Ranks(s, Scope{Run: r}, 0); rows[len(rows)-1].Rank != 0 && rows[0].Role != "" {
		t.Errorf("order %+v", rows)
	}
}

func TestComputeThatNobodySpannedIsUnknown(t *testing.T) {
	f := newFeed(t)
	for i := range 4 {
		f.spans(trainer(0, 1), f.mk("train_step", uint64(i)*sec, uint64(i+1)*sec, num("iteration", int64(i))))
	}
	s, r := f.look()
	row := Ranks(s, Scope{Run: r}, 0)[0]
	if row.StepP50 != 1 || !math.IsNaN(row.Compute) || !math.IsNaN(row.Wait) {
		t.Errorf("step %v, compute %v, wait %v", row.StepP50, row.Compute, row.Wait)
	}
}

func TestGroupRanks(t *testing.T) {
	f := newFeed(t)
	grid(f, 5)
	f.step(trainer(7, 8, sizes(2, 2, 2)...), 5, 5*20*ms, 8*ms, ms)
	s, r := f.look()
	rows := Ranks(s, Scope{Run: r}, 0)
	for by, want := range map[string][]string{
		"host": {"node0", "node1"}, "tp": {"0", "1"}, "pp": {"0", "1"}, "dp": {"0", "1"},
		"role": {"trainer"}, "rank": {"0", "1", "2", "3", "4", "5", "6", "7"}, "no.such": {""}, "name": {""},
	} {
		var got []string
		n := 0
		for _, g := range GroupRanks(r, rows, by) {
			got = append(got, g.Value)
			n += len(g.Ranks)
		}
		if diff := cmp.Diff(want, got); diff != "" || n != 8 {
			t.Errorf("by %s: %d ranks, %s", by, n, diff)
		}
	}
	stage := GroupRanks(r, rows, "pp")[1]
	if stage.Behind != 1 || !near(stage.Compute, 0.0065, 1e-5) || !near(stage.StepP50, 0.009, 1e-5) || !near(stage.Slowest, 0.009, 1e-5) {
		t.Errorf("stage 1: %+v", stage)
	}
	if len(GroupRanks(r, nil, "pp")) != 0 {
		t.Error("groups of nothing")
	}
}

// TestRanksIgnoreTruncatedSteps: they are counted beside.
func TestRanksIgnoreTruncatedSteps(t *testing.T) {
	plain, cut := newFeed(t), newFeed(t)
	grid(plain, 5)
	grid(cut, 5)
	for rank := range 8 {
		cut.spans(trainer(rank, 8, sizes(2, 2, 2)...), cut.mk("megatron.train_step", 0, 7200*sec, truncated(), num("megatron.iteration", 99)))
	}
	s, r := plain.look()
	want := Ranks(s, Scope{Run: r}, 0)
	s, r = cut.look()
	opt := cmpopts.IgnoreFields(Rank{}, "Truncated", "Spans")
	if diff := cmp.Diff(want, Ranks(s, Scope{Run: r}, 0), opt, cmpopts.EquateNaNs()); diff != "" {
		t.Error(diff)
	}
}

func TestTopology(t *testing.T) {
	f := newFeed(t)
	grid(f, 5)
	s, r := f.look()
	g := Topology(s, Scope{Run: r}, GridOptions{AnyRole: true, Measure: ComputeTime})
	if g.Sizes != (run.Sizes{TP: 2, PP: 2, DP: 2, CP: 1, EP: 1}) || len(g.Cells) != 8 || !g.Derived || g.Seen != 8 {
		t.Fatalf("%+v", g)
	}
	for i, c := range g.Cells { // by pp, dp, cp, tp: the default order of ranks
		if c.Rank != i || c.Process < 0 || !near(c.Value, float64(i+1)/1000, 1e-5) || c.Iteration != 4 {
			t.Errorf("cell %d: %+v", i, c)
		}
	}
	for d, want := range map[run.Dim][]float64{
		run.DimTP: {0.004, 0.005}, run.DimDP: {0.0035, 0.0055}, run.DimPP: {0.0025, 0.0065}, run.DimCP: {0.0045},
	} {
		if diff := cmp.Diff(want, g.Medians[d], cmpopts.EquateApprox(1e-5, 0)); diff != "" {
			t.Errorf("medians along %s: %s", d, diff)
		}
	}
	if !near(g.Low, 0.001, 1e-5) || !near(g.High, 0.008, 1e-5) || len(g.Problems) != 0 {
		t.Errorf("range %v … %v, problems %q", g.Low, g.High, g.Problems)
	}
}

func TestTopologyWithMissingRanks(t *testing.T) {
	f := newFeed(t)
	for _, rank := range []int{0, 1, 2, 3, 4, 6} {
		for i := range 3 {
			f.step(trainer(rank, 8, sizes(2, 2, 2)...), int64(i), uint64(i)*sec, 600*ms, 300*ms)
		}
	}
	s, r := f.look()
	g := Topology(s, Scope{Run: r}, GridOptions{AnyRole: true})
	if c := g.Cells[5]; c.Rank != 5 || c.Process != -1 || !math.IsNaN(c.Value) || c.Coord != (run.Coord{TP: 1, PP: 1, Derived: true}) {
		t.Errorf("the cell of rank 5: %+v", c)
	}
	want := []string{"6 of 8 ranks seen, never ranks 5, 7"}
	if diff := cmp.Diff(want, g.Problems); diff != "" {
		t.Error(diff)
	}
	ps := MainRole(r)
	if diff := cmp.Diff([]int{5, 7}, ps.NeverSeen); diff != "" || ps.Seen != 6 || ps.World != 8 {
		t.Errorf("%+v %s", ps, diff)
	}
}

func TestTopologyOfOddSizes(t *testing.T) {
	for _, c := range []struct {
		name  string
		world int
		attrs func(rank int) []run.Attr
		cells int
		says  string
	}{
		{"no sizes", 2, func(int) []run.Attr { return nil }, 0, "no parallel sizes were sent"},
		{"too small", 8, func(int) []run.Attr { return sizes(2, 2, 3) }, 0, "sizes do not multiply to world size"},
		{"cp inferred", 16, func(int) []run.Attr { return sizes(2, 2, 2) }, 16, ""},
		{"sent coordinates", 4, func(rank int) []run.Attr {
			return append(sizes(1, 2, 2), num("dl.tensor_parallel.rank", 0), num("dl.pipeline_parallel.rank", int64(rank%2)), num("dl.data_parallel.rank", int64(rank/2)))
		}, 4, ""},
	} {
		f := newFeed(t)
		for rank := range min(c.world, 4) {
			f.spans(trainer(rank, c.world, c.attrs(rank)...), f.mk("train_step", 0, sec, num("iteration", 1)))
		}
		s, r := f.look()
		g := Topology(s, Scope{Run: r}, GridOptions{AnyRole: true})
		if len(g.Cells) != c.cells || !strings.Contains(strings.Join(g.Problems, "; "), c.says) {
			t.Errorf("%s: %d cells, problems %q", c.name, len(g.Cells), g.Problems)
		}
		if c.name == "sent coordinates" {
			// pp varies fastest: no order in use, so places come from what was sent
			if g.Derived && g.Order == "" || g.Cells[1].Rank != 2 || g.Cells[2].Rank != 1 {
				t.Errorf("%s: %+v", c.name, g.Cells)
			}
		}
	}
}

func TestTopologyFinds16OrdersOfRanks(t *testing.T) {
	f := newFeed(t)
	o, err := run.ParseOrder("tp-cp-ep-pp-dp")
	if err != nil {
		t.Fatal(err)
	}
	l, err := run.NewLayout(run.Sizes{TP: 2, PP: 2, DP: 2, CP: run.Unknown, EP: run.Unknown}, 8, o)
	if err != nil {
		t.Fatal(err)
	}
	for rank := range 7 {
		c, _ := l.Coord(rank)
		f.spans(trainer(rank, 8, append(sizes(2, 2, 2), num("dl.tensor_parallel.rank", int64(c.TP)),
			num("dl.pipeline_parallel.rank", int64(c.PP)), num("dl.data_parallel.rank", int64(c.DP)))...),
			f.mk("train_step", 0, sec, num("iteration", 1)))
	}
	s, r := f.look()
	g := Topology(s, Scope{Run: r}, GridOptions{AnyRole: true})
	if g.Order != "tp-cp-ep-pp-dp" {
		t.Errorf("order %q", g.Order)
	}
	for _, c := range g.Cells {
		if want, _ := l.Rank(c.Coord); c.Rank != want {
			t.Errorf("rank %d stands at %+v", c.Rank, c.Coord)
		}
	}
}

func TestTopologyShowsWhatTheFilterLetsThrough(t *testing.T) {
	f := newFeed(t)
	grid(f, 3)
	s, r := f.look()
	g := Topology(s, Scope{r, fakeFilter{process: func(p int) bool { return r.Processes[p].ID.Rank < 2 }}}, GridOptions{AnyRole: true, Measure: ComputeTime})
	shown := 0
	for _, c := range g.Cells {
		if c.Shown {
			shown++
		}
	}
	if shown != 2 || !near(g.High, 0.002, 1e-5) || !math.IsNaN(g.Medians[run.DimPP][1]) {
		t.Errorf("%d shown, high %v, medians %v", shown, g.High, g.Medians[run.DimPP])
	}
}

func TestRolesAreNumberedApart(t *testing.T) {
	f := newFeed(t)
	for rank := range 4 {
		f.step(trainer(rank, 4, str("nv.dl.role", "policy")), 1, 0, ms, ms)
	}
	for rank := range 2 {
		f.spans(trainer(rank, 2, str("nv.dl.role", "generation")), f.mk("generation", 0, sec))
	}
	f.spans(trainer(0, 1, str("nv.dl.role", "gym"), str("gym.server.name", "a")), f.mk("verify", 0, sec))
	_, r := f.look()
	got := map[string][2]int{}
	for _, ps := range Roles(r) {
		got[ps.Role] = [2]int{ps.Seen, ps.World}
	}
	if diff := cmp.Diff(map[string][2]int{"policy": {4, 4}, "generation": {2, 2}}, got); diff != "" {
		t.Error(diff)
	}
	if MainRole(r).Role != "policy" || MainRole(&store.Run{WorldSize: 5}).World != 5 {
		t.Error("main role")
	}
}

func TestChecks(t *testing.T) {
	for _, c := range []struct {
		name  string
		attrs func(rank int) []run.Attr
		world int
		ranks []int
		want  []string
	}{
		{"healthy", func(rank int) []run.Attr {
			return append(sizes(2, 2, 1), num("nv.gpu.index", int64(rank)), num("nv.dl.local_rank", int64(rank)), str("nv.gpu.uuid", fmt.Sprint("GPU-", rank)))
		}, 4, []int{0, 1, 2, 3}, nil},
		{"one rank", func(int) []run.Attr { return nil }, 8, []int{3}, []string{"one-rank"}},
		{"missing", func(int) []run.Attr { return nil }, 4, []int{0, 1}, []string{"ranks-missing"}},
		{"shared gpu", func(int) []run.Attr { return []run.Attr{str("nv.gpu.uuid", "GPU-1")} }, 2, []int{0, 1}, []string{"gpu-shared"}},
		{"gpu index", func(rank int) []run.Attr {
			return []run.Attr{num("nv.gpu.index", int64(1-rank)), num("nv.dl.local_rank", int64(rank))}
		}, 2, []int{0, 1}, []string{"gpu-index"}},
		{"each sees only its own GPU", func(rank int) []run.Attr {
			return []run.Attr{num("nv.gpu.index", 0), num("nv.dl.local_rank", int64(rank))}
		}, 2, []int{0, 1}, nil},
		{"tp across hosts", func(rank int) []run.Attr { return append(sizes(2, 1, 1), str("host.name", fmt.Sprint("h", rank))) }, 2, []int{0, 1}, []string{"tp-across-hosts"}},
		{"versions", func(rank int) []run.Attr { return []run.Attr{str("nv.dl.software.torch", fmt.Sprint("2.", rank))} }, 2, []int{0, 1}, []string{"versions-mixed"}},
	} {
		f := newFeed(t)
		for _, rank := range c.ranks {
			f.spans(trainer(rank, c.world, c.attrs(rank)...), f.mk("train_step", 0, sec, num("iteration", 1)))
		}
		_, r := f.look()
		var got []string
		for _, n := range Checks(r) {
			got = append(got, n.Code)
			if n.Text == "" || n.Run != r.ID {
				t.Errorf("%s: %+v", c.name, n)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

func TestListOfRanks(t *testing.T) {
	for want, ranks := range map[string][]int{
		"rank 5":                             {5},
		"ranks 0–3, 7":                       {0, 1, 2, 3, 7},
		"ranks ":                             {},
		"ranks 1, 3, 5, 7, 9, 11, 13, 15, …": {1, 3, 5, 7, 9, 11, 13, 15, 17, 19},
	} {
		if got := list("rank", ranks); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

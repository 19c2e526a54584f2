package run_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// sizes is tp, pp, dp as producers send them.
func sizes(tp, pp, dp int) run.Sizes {
	s := run.UnknownSizes()
	s.TP, s.PP, s.DP = tp, pp, dp
	return s
}

func layout(t *testing.T, s run.Sizes, world int, order string) run.Layout {
	t.Helper()
	o, err := run.ParseOrder(order)
	if err != nil {
		t.Fatal(err)
	}
	l, err := run.NewLayout(s, world, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestGroups(t *testing.T) {
	tests := []struct {
		name  string
		sizes run.Sizes
		world int
		order string
		dim   run.Dim
		first [][]int // the first groups
		last  []int
	}{
		{"16 ranks, dp", sizes(2, 4, 2), 16, "", run.DimDP, [][]int{{0, 2}, {1, 3}, {4, 6}, {5, 7}}, []int{13, 15}},
		{"16 ranks, pp", sizes(2, 4, 2), 16, "", run.DimPP, [][]int{{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15}}, []int{3, 7, 11, 15}},
		{"16 ranks, tp", sizes(2, 4, 2), 16, "", run.DimTP, [][]int{{0, 1}, {2, 3}}, []int{14, 15}},
		{"24 ranks, dp", sizes(2, 4, 3), 24, "", run.DimDP, [][]int{{0, 2, 4}}, []int{19, 21, 23}},
		{"8 ranks, dp slowest", sizes(2, 2, 2), 8, "tp-pp-dp", run.DimDP, [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}, []int{3, 7}},
		{"the same by its full name", sizes(2, 2, 2), 8, "tp-cp-ep-pp-dp", run.DimDP, [][]int{{0, 4}, {1, 5}, {2, 6}, {3, 7}}, []int{3, 7}},
		{"32 ranks, cp inferred", sizes(1, 1, 2), 32, "", run.DimDP, [][]int{{0, 16}, {1, 17}}, []int{15, 31}},
		{"experts take no ranks", run.Sizes{TP: 2, CP: 1, EP: 2, DP: 4, PP: 1}, 8, "", run.DimDP, [][]int{{0, 2, 4, 6}}, []int{1, 3, 5, 7}},
		{"experts share dp", run.Sizes{TP: 2, CP: 1, EP: 2, DP: 4, PP: 1}, 8, "", run.DimEP, [][]int{{0, 2}, {1, 3}, {4, 6}}, []int{5, 7}},
		{"experts across cp", run.Sizes{TP: 1, CP: 2, EP: 4, DP: 2, PP: 2}, 8, "", run.DimEP, [][]int{{0, 1, 2, 3}}, []int{4, 5, 6, 7}},
	}
	for _, tt := range tests {
		got := layout(t, tt.sizes, tt.world, tt.order).Groups(tt.dim)
		if len(got) < len(tt.first) {
			t.Errorf("%s: groups %v", tt.name, got)
			continue
		}
		if diff := cmp.Diff(tt.first, got[:len(tt.first)]); diff != "" {
			t.Errorf("%s: first groups (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.last, got[len(got)-1]); diff != "" {
			t.Errorf("%s: last group (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestCoord(t *testing.T) {
	l := layout(t, sizes(1, 1, 2), 32, "")
	if !l.Inferred || l.Sizes.CP != 16 {
		t.Errorf("cp %d, inferred %t; want 16, true", l.Sizes.CP, l.Inferred)
	}
	c, ok := l.Coord(17)
	if want := (run.Coord{CP: 1, DP: 1, Derived: true}); !ok || c != want {
		t.Errorf("rank 17 is at %+v, want %+v", c, want)
	}
	for _, rank := range []int{-1, 32, 1 << 40} {
		if c, ok := l.Coord(rank); ok || c != run.UnknownCoord() {
			t.Errorf("rank %d is at %+v", rank, c)
		}
	}
	if _, ok := (run.Layout{}).Coord(0); ok {
		t.Error("the zero layout places rank 0")
	}
	if _, ok := (run.Layout{}).Rank(run.Coord{}); ok {
		t.Error("the zero layout has a rank at 0, 0, 0")
	}
}

// TestRoundTrip holds Coord against Rank, and Groups against both, for every
// rank of many layouts: each group is a partition, of the size of its dimension.
func TestRoundTrip(t *testing.T) {
	for _, order := range []string{"tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp", "pp-dp-tp-cp", "tp-ep-dp-cp-pp"} {
		for _, s := range []run.Sizes{{2, 1, 1, 3, 4}, {1, 4, 2, 2, 2}, {2, 2, 4, 4, 1}, {1, 1, 1, 1, 1}} {
			l := layout(t, s, s.TP*s.CP*s.DP*s.PP, order)
			for rank := range l.World {
				c, ok := l.Coord(rank)
				back, ok2 := l.Rank(c)
				if !ok || !ok2 || back != rank {
					t.Errorf("%s %+v: rank %d is at %+v and there is rank %d", order, s, rank, c, back)
				}
			}
			for d := range run.DimCount {
				checkGroups(t, l, d)
			}
		}
	}
}

func checkGroups(t *testing.T, l run.Layout, d run.Dim) {
	t.Helper()
	seen := map[int]bool{}
	for _, g := range l.Groups(d) {
		if len(g) != l.Sizes.Of(d) {
			t.Errorf("%s %+v: %s group %v has %d ranks, want %d", l.Order, l.Sizes, d, g, len(g), l.Sizes.Of(d))
		}
		coords := map[int]bool{}
		for _, rank := range g {
			c, _ := l.Coord(rank)
			if seen[rank] || coords[c.Of(d)] {
				t.Errorf("%s %+v: %s group %v has rank %d or its coordinate twice", l.Order, l.Sizes, d, g, rank)
			}
			seen[rank], coords[c.Of(d)] = true, true
		}
	}
	if len(seen) != l.World {
		t.Errorf("%s %+v: %s groups hold %d of %d ranks", l.Order, l.Sizes, d, len(seen), l.World)
	}
}

func TestRankOutside(t *testing.T) {
	l := layout(t, sizes(2, 2, 2), 8, "")
	for _, c := range []run.Coord{{TP: 2}, {PP: -1}, {DP: 2}, {CP: 1}, run.UnknownCoord()} {
		if rank, ok := l.Rank(c); ok {
			t.Errorf("%+v is rank %d", c, rank)
		}
	}
}

func TestNewLayoutInfers(t *testing.T) {
	with := func(s run.Sizes, cp int) run.Sizes { s.CP = cp; return s }
	tests := []struct {
		name      string
		sizes     run.Sizes
		world     int
		wantSizes run.Sizes
		wantWorld int
	}{
		{"cp", sizes(2, 4, 2), 32, run.Sizes{TP: 2, CP: 2, EP: 1, DP: 2, PP: 4}, 32},
		{"world", sizes(2, 4, 2), run.Unknown, run.Sizes{TP: 2, CP: 1, EP: 1, DP: 2, PP: 4}, 16},
		{"world with cp", with(sizes(2, 4, 2), 2), 0, run.Sizes{TP: 2, CP: 2, EP: 1, DP: 2, PP: 4}, 32},
		{"dp", with(sizes(2, 4, run.Unknown), 2), 64, run.Sizes{TP: 2, CP: 2, EP: 1, DP: 4, PP: 4}, 64},
	}
	for _, tt := range tests {
		l, err := run.NewLayout(tt.sizes, tt.world, run.Order{})
		if err != nil || l.Sizes != tt.wantSizes || l.World != tt.wantWorld {
			t.Errorf("%s: %+v, world %d, %v; want %+v, world %d", tt.name, l.Sizes, l.World, err, tt.wantSizes, tt.wantWorld)
		}
	}
}

func TestNewLayoutProblems(t *testing.T) {
	cp2 := sizes(2, 2, 2)
	cp2.CP = 2
	ep3 := cp2
	ep3.EP = 3
	tests := []struct {
		name  string
		sizes run.Sizes
		world int
		order string
		says  string
	}{
		{"does not divide", sizes(2, 2, 3), 16, "", "sizes do not multiply to world size: tp 2 × dp 3 × pp 2 = 12, world size 16"},
		{"more than the world", sizes(4, 4, 4), 16, "", "sizes do not multiply to world size"},
		{"given cp does not fit", cp2, 8, "", "sizes do not multiply to world size: tp 2 × cp 2 × dp 2 × pp 2 = 16, world size 8"},
		{"overflowing sizes", sizes(1<<24, 1<<24, 1<<24), 1 << 24, "", "= more than 16777216, world size 16777216"},
		{"ep does not divide", ep3, 16, "", "ep 3 does not divide cp 2 × dp 2"},
		{"nothing sent", run.UnknownSizes(), 8, "", "no parallel sizes were sent"},
		{"no tp", sizes(-1, 2, 2), 8, "", "the tensor-parallel size was not sent"},
		{"no pp", sizes(2, -1, 2), 8, "", "the pipeline-parallel size was not sent"},
		{"no dp and no cp", sizes(2, 2, -1), 8, "", "the data-parallel size was not sent"},
		{"order without cp", cp2, 16, "tp-dp-pp", "rank order tp-dp-pp does not name cp, whose size is 2"},
		{"order without an inferred cp", sizes(2, 2, 2), 16, "tp-dp-pp", "does not name cp"},
	}
	for _, tt := range tests {
		o, err := run.ParseOrder(tt.order)
		if err != nil {
			t.Fatal(err)
		}
		l, err := run.NewLayout(tt.sizes, tt.world, o)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: %+v, error %v; want one that says %q", tt.name, l, err, tt.says)
		}
	}
}

func TestParseOrder(t *testing.T) {
	for in, want := range map[string]string{
		"": "tp-cp-ep-dp-pp", "tp-cp-ep-dp-pp": "tp-cp-ep-dp-pp", "TP-CP-EP-PP-DP": "tp-cp-ep-pp-dp", "tp-pp-dp": "tp-pp-dp",
	} {
		if o, err := run.ParseOrder(in); err != nil || o.String() != want {
			t.Errorf("%q: %s, %v; want %s", in, o, err, want)
		}
	}
	for in, says := range map[string]string{
		"tp-vp-dp": `"vp" is no dimension`, "tp--dp": `"" is no dimension`, "tp-dp-tp": "names tp twice",
		"tp,dp": `"tp,dp" is no dimension`, "unknown": "is no dimension",
	} {
		if o, err := run.ParseOrder(in); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %s, error %v; want one that says %q", in, o, err, says)
		}
	}
}

// FuzzNewLayout looks for sizes that crash, hang or overflow.
func FuzzNewLayout(f *testing.F) {
	f.Add(2, 1, 1, 2, 4, 16, "")
	f.Add(1<<62, 1<<62, -1, 1<<62, 3, 1<<62, "tp-pp-dp")
	f.Fuzz(func(t *testing.T, tp, cp, ep, dp, pp, world int, order string) {
		o, err := run.ParseOrder(order)
		if err != nil {
			return
		}
		l, err := run.NewLayout(run.Sizes{TP: tp, CP: cp, EP: ep, DP: dp, PP: pp}, world, o)
		if err != nil {
			return
		}
		if l.World > 1<<24 {
			t.Fatalf("a world of %d ranks", l.World)
		}
		for _, rank := range []int{0, l.World / 2, l.World - 1} {
			c, ok := l.Coord(rank)
			if back, ok2 := l.Rank(c); !ok || !ok2 || back != rank {
				t.Errorf("rank %d is at %+v and there is rank %d", rank, c, back)
			}
		}
	})
}

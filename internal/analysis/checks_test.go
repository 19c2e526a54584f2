package analysis

import (
	"strconv"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// checksOf feeds n ranks, each with what attrs gives it, and checks the run.
func checksOf(f *feed, n int, attrs func(rank int) []run.Attr) (notices []run.Notice, allocations float64) {
	f.Helper()
	for rank := range n {
		f.step(trainer(rank, n, attrs(rank)...), 1, 0, 1e9, 0)
	}
	_, r := f.look()
	allocations = testing.AllocsPerRun(1, func() { notices = Checks(r) })
	return notices, allocations
}

// A check looks its attributes up once, not once for each rank: at 16,384 ranks
// the difference is seconds.
func TestChecksCostLittlePerRank(t *testing.T) {
	const ranks = 512
	_, got := checksOf(newFeed(t), ranks, func(rank int) []run.Attr {
		return []run.Attr{str("nv.gpu.uuid", "GPU-"+strconv.Itoa(rank)), str("nv.dl.software.torch", "2.9")}
	})
	if got > 20*ranks {
		t.Errorf("%g allocations for %d ranks", got, ranks)
	}
}

// Services without a run id make a run of every process.
func TestChecksOfOneRankCostNextToNothing(t *testing.T) {
	if _, got := checksOf(newFeed(t), 1, func(int) []run.Attr { return nil }); got > 200 {
		t.Errorf("%g allocations for a run of one process", got)
	}
}

func TestChecksStayShortWhenAllRanksDiffer(t *testing.T) {
	notices, _ := checksOf(newFeed(t), 300, func(rank int) []run.Attr {
		return append(sizes(int64(rank+1), 1, 1), str("nv.dl.software.torch", strconv.Itoa(rank)))
	})
	found := false
	for _, n := range notices {
		found = found || n.Code == "versions-mixed"
		if len(n.Text) > 200 {
			t.Errorf("%s: %d characters: %s", n.Code, len(n.Text), n.Text)
		}
	}
	if !found {
		t.Errorf("no word of mixed versions: %v", notices)
	}
}

func TestDifferingSizesAreCountedWhenTheyAreMany(t *testing.T) {
	f := newFeed(t)
	checksOf(f, 20, func(rank int) []run.Attr { return sizes(int64(rank+1), 1, 1) })
	_, r := f.look()
	got := differing(r, MainRole(r))
	if !strings.Contains(got, "tp 1 and 2 and") || !strings.HasSuffix(got, "8 and 12 more") {
		t.Errorf("20 sizes are told as %q", got)
	}
}

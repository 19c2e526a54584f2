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

func noticeTexts(ns []run.Notice) map[string]string {
	out := map[string]string{}
	for _, n := range ns {
		out[n.Code] = n.Text
	}
	return out
}

// Each check finds what it looks for, and a run that is in order has none.
func TestEachCheck(t *testing.T) {
	const ranks = 8
	local := func(rank int) []run.Attr {
		return append(sizes(2, 2, 2), num("nv.dl.local_rank", int64(rank%4)), num("nv.gpu.index", int64(rank%4)),
			str("nv.gpu.uuid", "GPU-"+strconv.Itoa(rank)), str("nv.dl.software.torch", "2.9"))
	}
	tests := []struct {
		name, code, says string
		attrs            func(rank int) []run.Attr
	}{
		{"in order", "", "", local},
		{"a tp group across hosts", "tp-across-hosts", "rank 0 spans hosts a and b; 3 more groups do so",
			func(rank int) []run.Attr { return append(local(rank), str("host.name", string(rune('a'+rank%2)))) }},
		{"one GPU twice", "gpu-shared", "ranks 0 and 2 say that they use the same GPU GPU-x; 1 more rank",
			func(rank int) []run.Attr {
				if rank%2 == 0 && rank < 6 {
					return append(local(rank), str("nv.gpu.uuid", "GPU-x"))
				}
				return local(rank)
			}},
		{"the older spelling", "gpu-shared", "GPU-y",
			func(rank int) []run.Attr { return append(sizes(2, 2, 2), str("dl.gpu.uuid", "GPU-y")) }},
		{"another GPU than the local rank's", "gpu-index", "ranks 0–3",
			func(rank int) []run.Attr {
				if rank < 4 {
					return append(local(rank), num("nv.gpu.index", int64(7-rank%4)))
				}
				return local(rank)
			}},
		{"each sees only its own GPU", "", "", func(rank int) []run.Attr { return append(local(rank), num("nv.gpu.index", 0)) }},
		{"two versions", "versions-mixed", "nv.dl.software.torch 2.8, 2.9",
			func(rank int) []run.Attr {
				return append(local(rank), str("nv.dl.software.torch", "2."+strconv.Itoa(9-rank/7)))
			}},
		{"sizes that differ", "sizes-differ", "", func(rank int) []run.Attr { return sizes(int64(1+rank/7), 2, 2) }},
		{"a world that is no multiple", "topology", "sizes do not multiply to world size", func(int) []run.Attr { return sizes(2, 2, 3) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFeed(t)
			checksOf(f, ranks, tt.attrs)
			_, r := f.look()
			got := noticeTexts(append(Checks(r), r.Notices...))
			if tt.code == "" {
				if len(got) > 0 {
					t.Errorf("found %v", got)
				}
				return
			}
			if text, ok := got[tt.code]; !ok || !strings.Contains(text, tt.says) {
				t.Errorf("found %v, want %s: %s", got, tt.code, tt.says)
			}
		})
	}
}

func TestOneRankExports(t *testing.T) {
	f := newFeed(t)
	f.step(trainer(3, 64), 1, 0, 1e9, 0)
	_, r := f.look()
	if text := noticeTexts(Checks(r))["one-rank"]; !strings.Contains(text, "only rank 3 of 64") {
		t.Errorf("%q", text)
	}
}

// Ranks of an earlier attempt beside the latest one: left over while they send,
// not back when they do not, and neither during a restart.
func TestMixedAttempts(t *testing.T) {
	attempt := func(rank, n int) []run.Attr { return trainer(rank, 3, str("nv.dl.run.uuid", strconv.Itoa(n))) }
	for _, tt := range []struct {
		name string
		wait int64
		old  int // which of the ranks 0 … old−1 still send as attempt 1
		code string
	}{{"a restart", 10, 0, ""}, {"two are not back", 100, 0, "ranks-not-back"}, {"one was left over", 100, 1, "attempts-mixed"}} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFeed(t)
			for rank := range 3 {
				f.step(attempt(rank, 1), 1, 0, 1e9, 0)
			}
			f.now += 1e9
			f.step(attempt(2, 2), 2, 2e9, 1e9, 0)
			f.now += tt.wait * 1e9
			f.step(attempt(2, 2), 3, 4e9, 1e9, 0)
			for rank := range tt.old {
				f.step(attempt(rank, 1), 2, 2e9, 1e9, 0)
			}
			_, r := f.look()
			got := noticeTexts(Checks(r))
			delete(got, "sizes-differ")
			if _, ok := got[tt.code]; len(got) > 1 || ok != (tt.code != "") {
				t.Errorf("found %v, want %q", got, tt.code)
			}
		})
	}
}

package analysis

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/run"
)

// healthFeed is four ranks on two hosts, whose i-th step is sent when send says
// so, by a clock that is off by so many ns.
func healthFeed(t *testing.T, offset uint64, send func(rank, i int) bool) *feed {
	f := newFeed(t)
	for i := range 20 {
		for rank := range 4 {
			from := uint64(i) * 2 * sec
			if rank >= 2 {
				from += offset
			}
			if send(rank, i) {
				f.step(trainer(rank, 4, str("host.name", fmt.Sprintf("h%d", rank/2))), int64(i), from, sec, 500*ms)
			}
		}
		f.now += 2e9
	}
	return f
}

func always(int, int) bool { return true }

func TestMissingIterations(t *testing.T) {
	f := healthFeed(t, 0, func(rank, i int) bool { return rank != 2 || i < 5 || i > 8 && i%7 != 0 })
	s, r := f.look()
	h := HealthOf(s, Scope{Run: r})
	if d := cmp.Diff([]RankGap{{Rank: 2, Missing: 5, Of: 18}}, h.Missing); d != "" || h.Iterations != 18 {
		t.Errorf("%d iterations (-want +got):\n%s", h.Iterations, d)
	}
	if ns := HealthNotices(s, r); len(ns) != 1 || ns[0].Text != "rank 2 lacks 5 of 18 iterations that other ranks finished" {
		t.Errorf("%v", ns)
	}
}

func TestRanksThatComeLateOrLeaveLackNothing(t *testing.T) {
	f := healthFeed(t, 0, func(rank, i int) bool { return rank != 1 || i > 5 && i < 15 })
	s, r := f.look()
	if h := HealthOf(s, Scope{Run: r}); len(h.Missing) != 0 || len(h.Late) != 0 {
		t.Errorf("%+v", h)
	}
}

func TestClockOffsets(t *testing.T) {
	s, r := healthFeed(t, 3*sec, always).look()
	want := []HostClock{{Host: "h0", Ranks: 2, Offset: -1.5}, {Host: "h1", Ranks: 2, Offset: 1.5}}
	if d := cmp.Diff(want, HealthOf(s, Scope{Run: r}).Clocks, cmpopts.EquateApprox(0, 1e-3)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if ns := HealthNotices(s, r); len(ns) != 1 || ns[0].Code != "clock-offset" || ns[0].Level != run.Info {
		t.Errorf("%v", ns)
	}
	s, r = healthFeed(t, 0, always).look()
	if ns := HealthNotices(s, r); len(ns) != 0 {
		t.Errorf("clocks that agree: %v", ns)
	}
}

func TestLateData(t *testing.T) {
	f := newFeed(t)
	for i := range 10 {
		for rank := range 3 {
			f.step(trainer(rank, 3), int64(i), uint64(i)*2*sec, sec, sec)
			if rank == 1 {
				f.now += 45e9 // rank 2 comes later
			}
		}
	}
	s, r := f.look()
	h := HealthOf(s, Scope{Run: r})
	if len(h.Late) != 1 || h.Late[0].Rank != 2 || math.Abs(h.Late[0].Delay-45) > 0.1 {
		t.Errorf("%+v", h.Late)
	}
	if ns := HealthNotices(s, r); len(ns) != 1 || !strings.HasPrefix(ns[0].Text, "the spans of rank 2 arrive 45 s after") {
		t.Errorf("%v", ns)
	}
}

func TestHealthOfLittle(t *testing.T) {
	f := newFeed(t)
	f.step(trainer(0, 8), 1, 0, sec, 0)
	s, r := f.look()
	if h := HealthOf(s, Scope{Run: r}); len(h.Missing)+len(h.Late)+len(h.Clocks) != 0 {
		t.Errorf("%+v", h)
	}
}

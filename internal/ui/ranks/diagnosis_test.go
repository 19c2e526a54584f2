package ranksscreen

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func diagnosisOf(t testing.TB, s *store.Snapshot, filter string) *Model {
	t.Helper()
	m := New(theme.New(theme.Options{ASCII: true}))
	m.SetSize(160, 30)
	uitest.Give(t, m, uitest.Data(t, s, filter))
	return m
}

// Sixteen ranks, dp 4 of tp 2 and pp 2: the lane of the slow rank is named, as its
// tensor-parallel peer and the other stage cannot be told apart from it.
func TestTheSlowOneHasItsSlowdown(t *testing.T) {
	s := uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 16, Steps: 12, Slow: 5})
	m := diagnosisOf(t, s, "")
	d := analysis.Diagnose(s, s.Runs[0], analysis.DiagnoseOptions{})
	if len(d.Stragglers.Found) == 0 {
		t.Fatalf("%+v", d.Stragglers)
	}
	for _, r := range m.seen.ranks {
		want := math.NaN()
		for _, w := range d.Stragglers.Workers {
			for _, p := range w.Processes {
				if p == r.Process {
					want = w.BusyRatio
				}
			}
		}
		slow := false
		for _, f := range d.Stragglers.Found {
			for _, p := range f.Processes {
				slow = slow || p == r.Process
			}
		}
		if got := r.ratio(); got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("rank %d: %v, want %v", r.Rank.Rank, got, want)
		}
		if word := r.told.word(); slow != (word == "slow") {
			t.Errorf("rank %d is %q", r.Rank.Rank, word)
		}
	}
	if view := m.View(); !strings.Contains(view, "! slow") || !strings.Contains(view, "slowdown") {
		t.Error(view)
	}
	m.table.SetSort(draw.Sort{Column: "slowdown", Desc: true})
	m.arrange()
	if first := m.shown.list[0].rank; !first.told.slow {
		t.Errorf("rank %d is first", first.Rank.Rank)
	}
}

// A rank is slow among its like, also where the filter shows it alone.
func TestTheDiagnosisIsOverAllRanks(t *testing.T) {
	s := uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 16, Steps: 12, Slow: 5})
	all, one := diagnosisOf(t, s, ""), diagnosisOf(t, s, "rank=5")
	if len(one.seen.ranks) != 1 {
		t.Fatal(len(one.seen.ranks))
	}
	for _, r := range all.seen.ranks {
		if r.Rank.Rank == 5 && r.ratio() != one.seen.ranks[0].ratio() {
			t.Errorf("%v alone, %v among all", one.seen.ranks[0].ratio(), r.ratio())
		}
	}
}

func TestGroupsShowTheirWorst(t *testing.T) {
	s := uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 16, Steps: 12, Slow: 5})
	m := diagnosisOf(t, s, "")
	uitest.Press(m, "b") // by host
	for _, at := range m.shown.list {
		if at.group == nil {
			continue
		}
		worst := math.NaN()
		for _, r := range at.group.ranks {
			if v := r.ratio(); !(worst >= v) {
				worst = v
			}
		}
		if at.group.slowdown != worst {
			t.Errorf("host %s: %v, want %v", at.group.Value, at.group.slowdown, worst)
		}
	}
}

func TestStatesInOrder(t *testing.T) {
	last := math.Inf(-1)
	for _, x := range []told{
		{standing: analysis.Standing{State: analysis.ProcessOK}}, {standing: analysis.Standing{State: analysis.ProcessEnded}},
		{standing: analysis.Standing{State: analysis.ProcessOK}, slow: true}, {standing: analysis.Standing{State: analysis.ProcessFrozenTogether}},
		{standing: analysis.Standing{State: analysis.ProcessAliveStuck}}, {standing: analysis.Standing{State: analysis.ProcessSilent}},
		{standing: analysis.Standing{State: analysis.ProcessBehind}}, {standing: analysis.Standing{State: analysis.ProcessAliveStuck}, suspect: true},
	} {
		if !(x.grave() > last) {
			t.Errorf("%s is not graver than what stands before it", x.word())
		}
		last = x.grave()
	}
	if !math.IsNaN((*told)(nil).grave()) || (*told)(nil).word() != "" {
		t.Error("nothing is told of nobody")
	}
}

func TestHowLongADiagnosisHolds(t *testing.T) {
	d := diagnosed{Aged: screen.Aged{Version: 7, Now: 10e9, Took: time.Second}}
	for _, test := range []struct {
		s    store.Snapshot
		want bool
	}{
		{store.Snapshot{Version: 7}, true}, {store.Snapshot{Version: 8, Now: 15e9, Live: true}, true},
		{store.Snapshot{Version: 8, Now: 20e9, Live: true}, false}, {store.Snapshot{Version: 8, Now: 11e9}, false},
		{store.Snapshot{Version: 8, Now: 11e9, Live: true, Clock: store.SenderClock}, false},
	} {
		if got := d.Holds(&test.s); got != test.want {
			t.Errorf("%+v: %v", test.s, got)
		}
	}
}

// Eight ranks, one of which stops while the others go on sending nothing either.
func TestWhereAStalledRankStands(t *testing.T) {
	s := uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 8, Steps: 12, Slow: -1, Quiet: 100})
	m := diagnosisOf(t, s, "")
	for _, r := range m.seen.ranks {
		if w := r.told.word(); w == "" || w == "ok" {
			t.Errorf("rank %d is %q", r.Rank.Rank, w)
		}
	}
	uitest.Press(m, "o")
	if view := m.View(); !strings.Contains(view, "state") || !strings.Contains(view, "grad_sync") {
		t.Error(view)
	}
}

package overviewscreen

import (
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

const looking = "Looking at who is slow"

// Of a large run there is something to look at before all is worked out, and what
// was seen of it already is not taken away for it.
func TestALargeRunIsShownInTwoParts(t *testing.T) {
	d := uitest.Data(t, uitest.Snapshot(t, uitest.Training{Run: "large", Ranks: 8, Steps: 12}), "")
	m := New(plain())
	m.many = 8
	m.SetSize(120, 38)
	next := m.Update(m.SetData(d)())
	wants(t, m, looking, "large", "world 8", "iteration 12", "median rank")
	lacks(t, m, "[ADVANCING]")
	if next == nil {
		t.Fatal("the rest is not asked for")
	}
	if m.Update(next()) != nil {
		t.Error("more is asked for than the rest")
	}
	wants(t, m, "[ADVANCING]", "8 of 8 ranks seen")
	lacks(t, m, looking)

	m.Release()
	other := *d.Snapshot
	other.Version++
	d.Snapshot = &other
	next = m.Update(m.SetData(d)())
	wants(t, m, "[ADVANCING]")
	lacks(t, m, looking)
	if next == nil {
		t.Fatal("what was seen before is not brought up to date")
	}
	uitest.Settle(m, next)
	wants(t, m, "[ADVANCING]")
}

// Data that come while the first part is shown do not put the rest off.
func TestNewDataDoNotPutTheRestOff(t *testing.T) {
	s := uitest.Snapshot(t, uitest.Training{Run: "large", Ranks: 8, Steps: 12})
	d := uitest.Data(t, s, "")
	m := New(plain())
	m.many = 8
	m.SetSize(120, 38)
	first := m.SetData(d)
	later := *s
	later.Version++
	d.Snapshot = &later
	if m.SetData(d) != nil {
		t.Fatal("two are worked out at a time")
	}
	queued := m.Update(first())
	wants(t, m, looking)
	again := *s
	again.Version += 2
	d.Snapshot = &again
	if m.SetData(d) != nil {
		t.Fatal("two are worked out at a time")
	}
	uitest.Settle(m, queued)
	wants(t, m, "[ADVANCING]")
}

func TestASmallRunIsShownAtOnce(t *testing.T) {
	m := New(plain())
	m.SetSize(120, 38)
	d := uitest.Data(t, cases(t)["steady"], "")
	if m.Update(m.SetData(d)()) != nil {
		t.Error("a small run is asked for twice")
	}
	lacks(t, m, looking)
}

// While files are read each answer costs time that the reading needs.
func TestTheSlowPartRestsWhileFilesAreRead(t *testing.T) {
	q := question{run: "r"}
	now := time.Now()
	reading := &store.Snapshot{Version: 8, Clock: store.SenderClock, Loading: &run.Loading{}, Now: 99e9}
	for _, test := range []struct {
		name string
		kept slowKept
		snap *store.Snapshot
		want bool
	}{
		{"nothing kept", slowKept{of: q}, reading, false},
		{"of now", slowKept{of: q, Aged: screen.Aged{Version: 7, Now: 1, At: now}}, reading, true},
		{"of another run", slowKept{of: question{run: "s"}, Aged: screen.Aged{Version: 7, Now: 1, At: now}}, reading, false},
		{"old", slowKept{of: q, Aged: screen.Aged{Version: 7, Now: 1, At: now.Add(-3 * time.Second)}}, reading, false},
		{"old, but it took long", slowKept{of: q, Aged: screen.Aged{Version: 7, Now: 1, At: now.Add(-3 * time.Second), Took: time.Second}}, reading, true},
		{"the same version", slowKept{of: q, Aged: screen.Aged{Version: 8, Now: 1, At: now.Add(-time.Hour)}}, reading, true},
		{"all is read", slowKept{of: q, Aged: screen.Aged{Version: 7, Now: 1, At: now}}, &store.Snapshot{Version: 8, Clock: store.SenderClock, Now: 99e9}, false},
	} {
		if got := test.kept.holds(test.snap, q); got != test.want {
			t.Errorf("%s: holds %v", test.name, got)
		}
	}
}

func lacks(t *testing.T, m *Model, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if view := m.View(); strings.Contains(view, part) {
			t.Errorf("%q is in\n%s", part, view)
		}
	}
}

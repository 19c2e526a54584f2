package ui

import (
	"math"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

func at(seconds int64, spans uint64) *store.Snapshot {
	s := &store.Snapshot{Version: uint64(seconds) + 1, Now: seconds * 1e9}
	s.Accounts[run.Traces].Received = spans
	return s
}

func TestRate(t *testing.T) {
	var r rate
	if _, ok := r.perSecond(); ok {
		t.Error("a rate without time")
	}
	r.add(at(10, 0))
	r.add(at(10, 500))
	if _, ok := r.perSecond(); ok {
		t.Error("a rate over no time")
	}
	for i := int64(11); i <= 20; i++ {
		r.add(at(i, 500+uint64(i-10)*1000))
	}
	if got, _ := r.perSecond(); math.Abs(got-1000) > 1 {
		t.Errorf("%v spans/s, want 1000", got)
	}
	for i := int64(21); i <= 30; i++ {
		r.add(at(i, 10_500))
	}
	if got, _ := r.perSecond(); got != 0 {
		t.Errorf("%v spans/s after ten silent seconds, want 0", got)
	}
	if len(r.samples) > 6 {
		t.Errorf("%d samples are kept", len(r.samples))
	}
	r.add(at(5, 0)) // the clock went back
	if _, ok := r.perSecond(); ok {
		t.Error("a rate over negative time")
	}
}

func TestFocus(t *testing.T) {
	older, newer := &store.Run{ID: "older", Last: 5}, &store.Run{ID: "newer", Last: 9}
	src := &source{snap: &store.Snapshot{Version: 1, Runs: []*store.Run{older, newer}}}
	f := newFeed(src)
	if f.run != "newer" {
		t.Errorf("at first %q, want the run heard of last", f.run)
	}
	f.focus("older")
	src.snap = &store.Snapshot{Version: 2, Runs: []*store.Run{older, newer}}
	if !f.poll() || f.run != "older" {
		t.Errorf("focus went to %q", f.run)
	}
	src.snap = &store.Snapshot{Version: 3, Runs: []*store.Run{newer}}
	f.poll()
	if f.run != "newer" {
		t.Errorf("when the run in focus went, focus is %q", f.run)
	}
	src.snap = &store.Snapshot{Version: 4}
	f.poll()
	if f.run != "" {
		t.Errorf("without runs focus is %q", f.run)
	}
}

// TestFocusGoesToRanks holds that what has no rank, as the doctor's test span,
// takes no run with ranks out of sight unless it was asked for.
func TestFocusGoesToRanks(t *testing.T) {
	of := func(id string, rank int, last int64) *store.Run {
		return &store.Run{ID: id, Last: last, Processes: []*store.Process{{ID: run.Identity{Rank: rank}}}}
	}
	none := run.Unknown
	for _, test := range []struct {
		name   string
		before []*store.Run
		ask    string
		after  []*store.Run
		want   string
	}{
		{"ranks come later", []*store.Run{of("doctor", none, 1)}, "", []*store.Run{of("doctor", none, 1), of("job", 0, 2)}, "job"},
		{"heard of last is a service", []*store.Run{of("job", 0, 1), of("service", none, 2)}, "", []*store.Run{of("job", 0, 1), of("service", none, 3)}, "job"},
		{"two services", []*store.Run{of("a", none, 1)}, "", []*store.Run{of("a", none, 1), of("b", none, 2)}, "a"},
		{"a second job", []*store.Run{of("a", 0, 1)}, "", []*store.Run{of("a", 0, 1), of("b", 0, 2)}, "a"},
		{"asked for", []*store.Run{of("doctor", none, 1), of("job", 0, 2)}, "doctor", []*store.Run{of("doctor", none, 1), of("job", 0, 3)}, "doctor"},
		{"asked for, and gone", []*store.Run{of("a", 0, 1), of("b", none, 2)}, "b", []*store.Run{of("a", 0, 1)}, "a"},
		{"asked for what is not there", []*store.Run{of("a", 0, 1), of("b", 0, 2)}, "c", []*store.Run{of("a", 0, 3), of("b", 0, 2)}, "b"},
	} {
		src := &source{snap: &store.Snapshot{Version: 1, Runs: test.before}}
		f := newFeed(src)
		if test.ask != "" {
			f.focus(test.ask)
		}
		src.snap = &store.Snapshot{Version: 2, Runs: test.after}
		if f.poll(); f.run != test.want {
			t.Errorf("%s: focus is %q, want %q", test.name, f.run, test.want)
		}
	}
}

func TestPausedFeedKeepsWhatItShows(t *testing.T) {
	src := &source{snap: at(1, 100)}
	f := newFeed(src)
	f.toggle()
	src.snap = at(2, 350)
	if !f.poll() {
		t.Error("a paused feed does not see what comes")
	}
	if f.shown.Version == src.snap.Version || f.waiting() != 250 {
		t.Errorf("paused: version %d is shown, %d wait", f.shown.Version, f.waiting())
	}
	f.toggle()
	if f.shown != src.snap || f.waiting() != 0 {
		t.Error("after the pause the newest is not shown")
	}
}

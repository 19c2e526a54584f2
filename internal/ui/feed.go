package ui

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Source is where snapshots come from.
type Source interface {
	Version() uint64
	Snapshot() *store.Snapshot
}

// feed is the data side of the program: the snapshot on screen, the newest one,
// and the run in focus.
type feed struct {
	source Source
	shown  *store.Snapshot // what screens draw
	newest *store.Snapshot // the same unless paused
	paused bool
	run    string // id of the run in focus, "" when there is none
	chosen bool   // the run in focus was asked for
	rate   rate
}

func newFeed(source Source) feed {
	s := source.Snapshot()
	f := feed{source: source, shown: s, newest: s}
	f.rate.add(s)
	f.refocus()
	return f
}

// poll takes a new snapshot when there is one, and reports whether there was.
func (f *feed) poll() bool {
	if f.source.Version() == f.newest.Version {
		return false
	}
	f.newest = f.source.Snapshot()
	f.rate.add(f.newest)
	if !f.paused {
		f.show()
	}
	return true
}

// show puts the newest snapshot on screen.
func (f *feed) show() {
	f.shown = f.newest
	f.refocus()
}

// toggle pauses, or goes on with the newest.
func (f *feed) toggle() {
	f.paused = !f.paused
	if !f.paused {
		f.show()
	}
}

// waiting is how many spans, points and logs arrived since the pause.
func (f *feed) waiting() uint64 {
	var n uint64
	for i := range f.newest.Accounts {
		n += f.newest.Accounts[i].Received - min(f.newest.Accounts[i].Received, f.shown.Accounts[i].Received)
	}
	return n
}

// focus puts a run that was asked for into focus, where it is there.
func (f *feed) focus(id string) {
	if f.shown.Run(id) != nil {
		f.run, f.chosen = id, true
	}
	f.refocus()
}

// refocus keeps the run in focus. One that went, or that nobody asked for and that
// has no rank while another has (the doctor's test span came first), leaves it to
// the run with ranks that was heard of last.
func (f *feed) refocus() {
	now := f.shown.Run(f.run)
	if now != nil && (f.chosen || ranked(now)) {
		return
	}
	best := now
	for _, r := range f.shown.Runs {
		if (now == nil || ranked(r)) && better(r, best) {
			best = r
		}
	}
	f.run, f.chosen = "", false
	if best != nil {
		f.run = best.ID
	}
}

// better reports whether a run is to be looked at rather than the best so far.
func better(r, best *store.Run) bool {
	switch {
	case best == nil:
		return true
	case ranked(r) != ranked(best):
		return ranked(r)
	}
	return r.Last > best.Last
}

// ranked reports whether any process of a run has said which rank it is.
func ranked(r *store.Run) bool {
	return slices.ContainsFunc(r.Processes, func(p *store.Process) bool { return p.ID.Rank != run.Unknown })
}

// rate is spans a second over the last few snapshots, by the snapshot's clock.
type rate struct{ samples []sample }

type sample struct {
	at    int64
	spans uint64
}

// rateWindow is how far back the rate looks, in nanoseconds: long enough not to
// flicker, short enough to show a stop.
const rateWindow = 5e9

func (r *rate) add(s *store.Snapshot) {
	now := sample{at: s.Now, spans: s.Accounts[run.Traces].Received}
	keep := r.samples[:0]
	for _, old := range r.samples {
		if now.at-old.at <= rateWindow && old.at < now.at {
			keep = append(keep, old)
		}
	}
	r.samples = append(keep, now)
}

// perSecond is spans a second; ok is false until time has passed.
func (r *rate) perSecond() (float64, bool) {
	if len(r.samples) < 2 {
		return 0, false
	}
	first, last := r.samples[0], r.samples[len(r.samples)-1]
	return float64(last.spans-first.spans) / (float64(last.at-first.at) / 1e9), true
}

package ui

import (
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
	rate   rate
}

func newFeed(source Source) feed {
	s := source.Snapshot()
	f := feed{source: source, shown: s, newest: s}
	f.rate.add(s)
	f.focus("")
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
	f.focus(f.run)
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

// focus puts a run into focus; one that is not there leaves it to the run that
// was heard of last. A run in focus keeps it.
func (f *feed) focus(id string) {
	if f.shown.Run(id) != nil {
		f.run = id
		return
	}
	f.run = ""
	var last int64
	for _, r := range f.shown.Runs {
		if f.run == "" || r.Last > last {
			f.run, last = r.ID, r.Last
		}
	}
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

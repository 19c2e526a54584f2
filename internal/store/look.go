package store

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Snapshot is everything as it is now. It takes the writer's lock for well under
// a millisecond; what it gives may be read without any.
func (s *Store) Snapshot() *Snapshot {
	var r run.Receiver
	if s.cfg.Receiver != nil {
		r = s.cfg.Receiver()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.cfg.Files {
		s.now = max(s.now, s.clock())
	}
	s.receiver = r
	s.measure()
	snap := &Snapshot{
		Version: s.version.Load(), Now: s.now, Live: s.live(),
		Memory: s.memory(), Receiver: r,
	}
	snap.Accounts, snap.Senders = s.door.accounts(&s.ledger)
	if s.senders {
		snap.Clock = SenderClock
	}
	for i, w := range s.runs {
		snap.Runs = append(snap.Runs, w.look(i))
		snap.Notices = append(snap.Notices, snap.Runs[i].Notices...)
	}
	snap.Notices = append(snap.Notices, s.alike.notices(s)...)
	snap.Notices = append(snap.Notices, s.forgottenNotice()...)
	snap.Notices = append(snap.Notices, s.beyondNotice()...)
	snap.Notices = append(snap.Notices, s.cfg.Thresholds.Notices()...)
	s.gen++
	return snap
}

// look is the run as a reader may have it: the last view when nothing changed.
func (w *runWriter) look(index int) *Run {
	if w.view != nil {
		return w.view
	}
	r := w.pub
	r.Index = index
	r.Attempts = slices.Clone(w.pub.Attempts)
	r.Processes = w.lookProcesses()
	r.Names = w.names
	r.Chunks = make([]*Chunk, len(w.chunks))
	for i, c := range w.chunks {
		r.Chunks[i] = c.look(w.names)
	}
	r.Columns = w.columns.look()
	r.Stages = w.stageList()
	r.Metrics, r.Cardinality, r.Logs = w.metrics.snapshot(), w.metrics.keyStats(), w.logs.snapshot()
	r.LogLevels = w.logs.levels
	r.Accounts = w.accounts()
	r.Seen = w.columns.iterations()
	r.Notices = w.noticeList()
	w.view = &r
	return w.view
}

func (w *runWriter) lookProcesses() []*Process {
	if w.procView == nil || w.procsChanged || len(w.procView) != len(w.procs) {
		w.procView = make([]*Process, len(w.procs))
		for i, p := range w.procs {
			w.procView[i] = p.pub
		}
		w.procsChanged = false
	}
	return w.procView
}

// accounts are the run's: nothing of a run is in flight, because only the store
// finds out which run an item belongs to.
func (w *runWriter) accounts() [run.SignalCount]run.Account {
	out := w.ledger
	for sig := range out {
		out[sig].Received = w.recv[sig]
	}
	return out
}

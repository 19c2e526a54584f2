package store

import (
	"github.com/beamline-hpc/lensview/internal/run"
)

// idleBeforeForgotten is how long a run must have been silent before it may be
// forgotten as a whole.
const idleBeforeForgotten = int64(600e9)

// forget lets whole runs go, longest silent first, while what never ages (their
// processes, statistics, columns) takes more than half of the budget, or more
// processes or runs are there than may be. When none has been silent for long
// enough, it looks again when the first one can have been.
func (s *Store) forget() {
	if s.now < s.forgetAt {
		return
	}
	for len(s.runs) > 1 && (s.fixed() > s.budget/2 || s.processes >= s.limits.processes || len(s.runs) >= s.limits.runs) {
		at := s.idlest()
		if s.now-s.runs[at].pub.Last < idleBeforeForgotten {
			s.forgetAt = s.runs[at].pub.Last + idleBeforeForgotten
			return
		}
		s.drop(at)
	}
}

func (s *Store) idlest() (at int) {
	for i, w := range s.runs {
		if w.pub.Last < s.runs[at].pub.Last {
			at = i
		}
	}
	return at
}

// drop lets a run go. What it kept counts as evicted.
func (s *Store) drop(at int) {
	w := s.runs[at]
	for len(w.chunks) > 0 {
		w.evict()
	}
	if w.dict != nil {
		w.recharge(&w.dict.charged, 0)
	}
	w.logsEvicted(int(w.logs.kept))
	for from, n := range w.pointsFrom {
		t := tally{kept: -n, evicted: n}
		s.ledger.book(run.Metrics, t)
		from.ledger.book(run.Metrics, t)
	}
	s.othersUsed -= w.metrics.bytes + w.logs.bytes
	s.columnBytes -= w.columns.bytes
	s.processes -= len(w.procs)
	for _, p := range w.procs {
		s.pairs -= len(p.pub.stats)
		s.pendingRoom -= p.pendingRoom
		s.resourceBytes -= p.resourceBytes
	}
	s.holderBytes -= w.holderBytes()
	s.unlist(at)
}

// unlist takes a run out of the lists. Places change, so all views are old.
func (s *Store) unlist(at int) {
	w := s.runs[at]
	delete(s.byID, w.pub.ID)
	s.runs = append(s.runs[:at:at], s.runs[at+1:]...)
	for _, other := range s.runs {
		other.view = nil
	}
	s.resources = newResources() // found again by their attributes
	s.forgotten++
	s.version.Add(1)
}

func (w *runWriter) holderBytes() (n uint64) {
	for _, r := range w.stages {
		for _, sw := range r.byName {
			if sw != nil {
				n += perHolder + sw.bytes
			}
		}
	}
	return n
}

// forgottenNotice says how many runs were forgotten.
func (s *Store) forgottenNotice() []run.Notice {
	if s.forgotten == 0 {
		return nil
	}
	return []run.Notice{{
		Code: "runs-forgotten", Level: run.Info, Count: s.forgotten, At: s.now,
		Text: run.Count(s.forgotten) + " silent runs were forgotten to stay within --memory",
	}}
}

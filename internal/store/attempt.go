package store

import "github.com/beamline-hpc/lensview/internal/run"

// silence is how long a process must have been silent before another one of its
// rank counts as its successor, where neither sends step spans. With step spans
// none is needed.
const silence = 30e9

// attemptOf is the attempt that a new process belongs to by what it says of
// itself. One that says nothing joins the current attempt, until its group finds
// that it succeeds another process.
func (w *runWriter) attemptOf(id run.Identity, at int64) int {
	as := w.pub.Attempts
	for i := len(as) - 1; i >= 0; i-- {
		if as[i].matches(id) {
			as[i].complete(id)
			return i
		}
	}
	return w.addAttempt(Attempt{UUID: id.Attempt, Restart: id.Restart, First: at})
}

func (w *runWriter) addAttempt(a Attempt) int {
	w.pub.Attempts = append(w.pub.Attempts, a)
	w.changed()
	return len(w.pub.Attempts) - 1
}

// matches reports whether a process that says id may be of attempt a: the uuid
// decides, then the restart count, and what is not said contradicts nothing.
func (a *Attempt) matches(id run.Identity) bool {
	if id.Attempt != "" && a.UUID != "" {
		return id.Attempt == a.UUID
	}
	return id.Restart == run.Unknown || a.Restart == run.Unknown || id.Restart == a.Restart
}

func (a *Attempt) complete(id run.Identity) {
	if a.UUID == "" {
		a.UUID = id.Attempt
	}
	if a.Restart == run.Unknown {
		a.Restart = id.Restart
	}
}

// succeed moves p into a later attempt than that of the process it succeeds.
func (w *runWriter) succeed(p, before *procWriter) {
	at := len(w.pub.Attempts) - 1
	if at <= before.pub.Attempt {
		id := p.pub.ID
		at = w.addAttempt(Attempt{UUID: id.Attempt, Restart: id.Restart, First: p.pub.First})
	}
	p.own().Attempt = at
}

package store

import "github.com/beamline-hpc/lensview/internal/run"

// LastWait is when the step's last wait in which ranks meet began, in seconds
// after the step's start; where there is none, the last wait of any kind. ok is
// false when the step has no wait.
func (c Cell) LastWait() (sec float64, ok bool) {
	return float64(c.lastWait-1) / wholeShare * float64(c.Step), c.lastWait > 0
}

// noteWait remembers where the last waits begin.
func (v *intervals) noteWait(e *pending, info nameInfo) {
	if info.class != run.Wait {
		return
	}
	v.wait = max(v.wait, e.start)
	if info.has(isCollective) {
		v.collective = max(v.collective, e.start)
	}
}

// lastWaitShare is 1 + the place of the last wait in the step, 0 for none.
func (v *intervals) lastWaitShare(s *step) share {
	at := v.collective
	if at == 0 {
		at = v.wait
	}
	if at == 0 || at < s.start || at > s.end {
		return 0
	}
	return 1 + shareOf(at-s.start, s.end-s.start)
}

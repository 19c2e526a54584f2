package screen

import (
	"time"

	"github.com/beamline-hpc/lensview/internal/store"
)

// Aged is when a part of an answer was made that costs more than every snapshot
// should, and of what.
type Aged struct {
	Version uint64 // of the snapshot
	Now     int64  // of the snapshot, ns
	At      time.Time
	Took    time.Duration
}

// Such a part is kept for two seconds while data come, and for ten times as long as
// it took: the receiver, or the reading of files, needs the processor, too.
const (
	keptFor  = 2 * time.Second
	keptRest = 10
)

// Holds reports whether the part still does for a snapshot. Where no further
// snapshot need come it is made anew for every version.
func (a *Aged) Holds(s *store.Snapshot) bool {
	rest := max(keptFor, keptRest*a.Took)
	switch {
	case a.Version == s.Version:
		return true
	case s.Loading != nil && !s.Loading.Following: // time of the files says nothing of how long ago it was
		return time.Since(a.At) < rest
	case s.Clock != store.ReceiverClock || !s.Live:
		return false
	}
	age := s.Now - a.Now
	return 0 <= age && age < int64(rest)
}

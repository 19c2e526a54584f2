package record

import (
	"runtime"
	"time"
)

// budget decides whether a group is compressed. Recording must not slow down what
// it records, so compressing may take a share of the processor's time only; what
// comes faster is stored as it is.
type budget struct {
	left time.Duration // may be negative
	at   time.Time     // of the last look
}

const (
	packShare = 0.03                   // of the time of all processors
	packSaved = 100 * time.Millisecond // of it that may be saved up for a burst
)

// allows reports whether there is time to compress.
func (b *budget) allows(now time.Time) bool {
	if !b.at.IsZero() {
		b.left += time.Duration(packShare * float64(runtime.GOMAXPROCS(0)) * float64(now.Sub(b.at)))
	} else {
		b.left = packSaved
	}
	b.at = now
	b.left = min(b.left, packSaved)
	return b.left > 0
}

// spend takes what compressing a group took.
func (b *budget) spend(d time.Duration) { b.left -= d }

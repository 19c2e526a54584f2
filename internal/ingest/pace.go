package ingest

import "time"

// A body that is being read holds a place among the calls in flight. One that
// stalls must give it back soon: when a node hangs, many do at once.
const (
	bodyGrace = 5 * time.Second
	bodyRate  = 64 << 10 // bytes a second, less than any link that carries training has
)

// pace is how far a body is and how long it may take.
type pace struct {
	start time.Time
	grace time.Duration
	got   int
}

// next is by when more of the body has to be there.
func (p pace) next() time.Time {
	return p.start.Add(min(p.grace+time.Duration(p.got)*time.Second/bodyRate, readTimeout))
}

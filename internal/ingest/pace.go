package ingest

import "time"

// A body that is being read holds a place among the calls in flight. One that
// stalls must give it back soon: when a node hangs, many do at once.
const (
	bodyGrace = 5 * time.Second
	bodyRate  = 64 << 10 // bytes a second, less than any link that carries training has
)

// pace is how far a body is and how long it was waited for. The time in which it
// was unpacked is ours: a receiver with too much to do must not call a sender slow.
type pace struct {
	grace  time.Duration
	got    int
	waited time.Duration
}

// left is how long more of the body may be waited for.
func (p pace) left() time.Duration {
	return min(p.grace+time.Duration(p.got)*time.Second/bodyRate, readTimeout) - p.waited
}

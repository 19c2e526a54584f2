package analysis

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// dark stands for the name of time that is nobody's.
const dark = -1

// selfTimes calls f with the exclusive time of every name in a step: each moment
// belongs to the deepest span that is open then, which of several is the one that
// began last. What lies beneath a checkpoint, an evaluation or a report belongs to
// that. The times of all names and of dark add up to the step.
func (s *stepSpans) selfTimes(names []store.Name, f func(name int, ns uint64)) {
	var open []inStep // by start
	at := uint64(0)
	spend := func(until uint64) {
		for at < until {
			open = slices.DeleteFunc(open, func(e inStep) bool { return e.to <= at })
			next := until
			for _, e := range open {
				next = min(next, e.to)
			}
			f(owner(open, names), next-at)
			at = next
		}
	}
	for _, e := range s.byStart() {
		spend(e.from)
		open = append(open, e)
	}
	spend(s.length)
}

// owner is the name to which a moment belongs while these spans are open.
func owner(open []inStep, names []store.Name) int {
	for _, e := range open {
		if names[e.name].Phase.Covers() {
			return int(e.name)
		}
	}
	if n := len(open); n > 0 {
		return int(open[n-1].name)
	}
	return dark
}

// The buckets of reinforcement learning, in the order in which they are shown.
// rl.bucket on a span says which its time belongs to.
const bucketKey = run.BucketKey

var bucketNames = [...]string{"", "productive", "overhead", "idle", "wasted"}

// bucketNamed is the place of a bucket's word, 0 for none and for unknown words.
func bucketNamed(word string) uint8 {
	return uint8(max(slices.Index(bucketNames[:], word), 0))
}

// bucketTimes calls f with the time of every bucket in a step, 0 being dark. Only
// leaves count: a bucket around others is their umbrella, and what it has beside
// them is nobody's.
func (s *stepSpans) bucketTimes(f func(bucket int, ns uint64)) {
	leaves := s.leaves()
	byBucket := &stepSpans{length: s.length, spans: leaves}
	for i := range leaves {
		leaves[i].name = uint16(leaves[i].bucket)
	}
	byBucket.selfTimes(make([]store.Name, len(bucketNames)), func(name int, ns uint64) { f(max(name, 0), ns) })
}

// leaves is the spans with a bucket that are around no other one with a bucket.
func (s *stepSpans) leaves() []inStep {
	parents := map[run.SpanID]run.SpanID{}
	for _, e := range s.spans {
		parents[e.id] = e.parent
	}
	umbrella := map[run.SpanID]bool{}
	for _, e := range s.spans {
		if e.bucket == 0 {
			continue
		}
		for up, depth := e.parent, 0; !up.IsZero() && !umbrella[up] && depth < len(s.spans); depth++ {
			umbrella[up] = true
			up = parents[up]
		}
	}
	var out []inStep
	for _, e := range s.spans {
		if e.bucket != 0 && !umbrella[e.id] {
			out = append(out, e)
		}
	}
	return out
}

package store

import "math"

// share is a part of a step in 65,534ths, 0 for none.
type share uint16

const wholeShare = math.MaxUint16 - 1

// shareOf is part/whole as a share.
func shareOf(part, whole uint64) share {
	if whole == 0 {
		return 0
	}
	return share(min(float64(part)/float64(whole), 1)*wholeShare + .5)
}

func (s share) float() float64 { return float64(s) / wholeShare }

func (s share) above(limit float64) bool { return s.float() > limit }

// heavyGC is the share of a step beyond which a garbage collection makes an
// iteration an unusual one.
const heavyGC = .05

// GC is the seconds of the step in garbage collections, to 1/65,534 of it.
func (c Cell) GC() float64 { return c.gc.float() * float64(c.Step) }

// gcShare is the share of a step in garbage collections.
func (v *intervals) gcShare(s *step) share {
	if len(v.gc) == 0 {
		return 0
	}
	return shareOf(union(v.gc), s.end-s.start)
}

// withoutGC is the length of a union of intervals less what of it was garbage
// collection.
func (v *intervals) withoutGC(ivs []interval) uint64 {
	all := union(ivs)
	if len(v.gc) == 0 || all == 0 {
		return all
	}
	gc := union(v.gc)
	v.both = append(append(v.both[:0], ivs...), v.gc...)
	return union(v.both) - gc
}

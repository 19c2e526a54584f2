package store

import "math"

// ComputeLevel says from which spans Cell.Compute comes, coarse to fine.
type ComputeLevel uint8

// The levels.
const (
	NoCompute ComputeLevel = iota
	NamedCompute
	ForwardBackward
	Microbatch
)

// levelOf is the level of the spans that were found; those of no length count.
func (v *intervals) levelOf(level int) ComputeLevel {
	if len(v.compute[level]) == 0 {
		return NoCompute
	}
	return ComputeLevel(level) + NamedCompute
}

// countPass counts the passes of microbatches.
func (v *intervals) countPass(info nameInfo) {
	if info.level != microbatch {
		return
	}
	v.passes++
	if info.has(isForward) {
		v.forwards++
	}
}

// microbatches is how many microbatches the passes make: each has a forward and a
// backward pass, of which one may be missing.
func (v *intervals) microbatches() uint16 {
	return uint16(min(max(v.forwards, v.passes-v.forwards), math.MaxUint16))
}

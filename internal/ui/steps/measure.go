package stepsscreen

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/store"
)

// measure is what the shades stand for.
type measure uint8

const (
	slowdown measure = iota // compute over the median of the ranks of the same stage
	stepTime
	computeTime
	waitTime
	ioTime
	otherTime
	measureCount
)

// String is the word on screen.
func (m measure) String() string {
	return [...]string{"slowdown", "step", "compute", "wait", "io", "other"}[min(m, otherTime)]
}

// seconds is what a cell says of the measure, NaN when it says nothing: a class of
// which a step had no span was not measured. The slowdown is made of compute.
func (m measure) seconds(c *store.Cell) float64 {
	v := float64([...]float32{c.Compute, c.Step, c.Compute, c.Wait, c.IO, c.Other}[min(m, otherTime)])
	if m != stepTime && v <= 0 {
		return math.NaN()
	}
	return v
}

// timed reports whether values are seconds, and not a ratio.
func (m measure) timed() bool { return m != slowdown }

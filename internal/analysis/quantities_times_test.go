package analysis

import (
	"math"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
)

// atTime is a point at a time of its own.
func atTime(ns uint64, v float64) otlp.DataPoint {
	p := at(0, v)
	p.Time = ns
	return p
}

// A point whose time cannot be true does not hide the others: not in a quantity's
// newest value, not in the line over several ranks.
func TestPointsOfImpossibleTimes(t *testing.T) {
	for name, odd := range map[string]uint64{"none": 0, "milliseconds": 1760000000000, "2^64-1": math.MaxUint64} {
		f := newFeed(t)
		f.points(trainer(0, 2), gauge("dl.loss"), at(0, 4), atTime(odd, 9), at(1, 3), at(2, 2))
		f.points(trainer(1, 2), gauge("dl.loss"), at(0, 4), at(1, 3), at(2, 2))
		q := f.quantity("loss")
		if q.Last != 2 || q.LastTime != at(2, 0).Time || len(q.Line) != 3 {
			t.Errorf("%s: last %v at %d, line %v", name, q.Last, q.LastTime, q.Line)
		}
		for i, p := range q.Line {
			if p.Value != float64(4-i) {
				t.Errorf("%s: line %v", name, q.Line)
			}
		}
	}
}

// Points that come late stand where they belong: a counter did not fall.
func TestPointsThatComeLate(t *testing.T) {
	f := newFeed(t)
	f.points(trainer(0, 1), counter("nv.dl.training.tokens.processed", otlp.Cumulative), at(0, 10), at(2, 40), at(1, 20), at(3, 50))
	q := f.quantity("tokens")
	if q.Resets != 0 || q.Sum != 40 || q.Min != 10 {
		t.Errorf("%+v", q.PointStats)
	}
}

// When no time can be true, the values are still there.
func TestPointsWithoutATime(t *testing.T) {
	f := newFeed(t)
	f.points(trainer(0, 1), gauge("dl.loss"), atTime(math.MaxUint64, 4), atTime(math.MaxUint64, 3))
	if q := f.quantity("loss"); q.Finite != 2 || q.Last != 3 {
		t.Errorf("%+v", q.PointStats)
	}
}

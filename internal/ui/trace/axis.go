package tracescreen

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// stretch is a length of time in nanoseconds after the origin of a lane. float64
// holds a hundred days of them exactly.
type stretch struct{ from, to float64 }

func (s stretch) long() float64 { return s.to - s.from }
func (s stretch) mid() float64  { return (s.from + s.to) / 2 }

// shift moves the stretch.
func (s stretch) shift(by float64) stretch { return stretch{s.from + by, s.to + by} }

// axis maps time to cells.
type axis struct {
	view  stretch
	cells int
}

// at is the place of a time in cells, which may lie outside.
func (a axis) at(t float64) float64 {
	return (t - a.view.from) / a.view.long() * float64(a.cells)
}

// perCell is the time of a cell.
func (a axis) perCell() float64 { return a.view.long() / float64(max(1, a.cells)) }

// minZoom is the shortest view: one nanosecond a cell would be more than clocks
// can tell.
const minZoom = 1_000.0

// zoomed makes a stretch shorter by a factor around a time that keeps its place.
func (s stretch) zoomed(factor, around float64) stretch {
	f := math.Max(factor, minZoom/math.Max(s.long(), 1))
	return stretch{around - (around-s.from)*f, around + (s.to-around)*f}
}

// inside moves and cuts the stretch so that it lies within another.
func (s stretch) inside(all stretch) stretch {
	if s.long() >= all.long() {
		return all
	}
	if s.from < all.from {
		return s.shift(all.from - s.from)
	}
	if s.to > all.to {
		return s.shift(all.to - s.to)
	}
	return s
}

// ruler is the ticks of the axis as text of exactly its cells: each label stands
// right of its tick.
func (a axis) ruler(g theme.Glyphs) string {
	if a.cells < 8 || !(a.view.long() > 0) {
		return draw.Spaces(a.cells)
	}
	step := tickStep(a.perCell() * minTick)
	var b strings.Builder
	used := 0
	for k := math.Ceil(a.view.from / step); k*step < a.view.to; k++ {
		label := g.Divider + tickLabel(k*step, step)
		cell := int(math.Round(a.at(k * step)))
		if cell < used || cell+draw.Width(label) > a.cells {
			continue
		}
		b.WriteString(draw.Spaces(cell - used))
		b.WriteString(label)
		used = cell + draw.Width(label)
	}
	b.WriteString(draw.Spaces(a.cells - used))
	return b.String()
}

// minTick is the least cells between two ticks.
const minTick = 7

// tickStep is the smallest of 1, 2, 5 times a power of ten that is not below ns.
func tickStep(ns float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(math.Max(ns, 1))))
	for _, m := range []float64{1, 2, 5} {
		if m*p >= ns {
			return m * p
		}
	}
	return 10 * p
}

// tickLabel is a time with as many digits as tell it from the next tick.
func tickLabel(t, step float64) string {
	if t == 0 {
		return "0"
	}
	size := math.Max(math.Abs(t), step)
	unit := draw.Unit{Name: "ns", Ns: 1}
	for _, u := range []draw.Unit{{Name: "µs", Ns: 1e3}, {Name: "ms", Ns: 1e6}, {Name: "s", Ns: 1e9}} {
		if size >= u.Ns {
			unit = u
		}
	}
	unit.Decimals = max(0, int(math.Ceil(math.Log10(unit.Ns/step)-1e-9)))
	return unit.Format(t)
}

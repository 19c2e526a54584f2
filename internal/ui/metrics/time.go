package metricsscreen

import (
	"math"
	"sort"
	"time"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// timeWindow is which part of the time is drawn, and where in it values are read.
// Times are unix ns; with several runs, ns after the first point of each.
type timeWindow struct {
	long   float64 // of the part, 0 for all of it
	cursor float64 // NaN: at the newest
}

func newTimeWindow() timeWindow { return timeWindow{cursor: math.NaN()} }

// elapsed says that lines of several runs are laid over each other from their
// beginnings.
func (c *chart) elapsed() bool { return c.answer.By == analysis.ByRun && c.answer.runs != thisRun }

// x is a point's place on the axis of time.
func (c *chart) x(g *analysis.MetricGroup, t uint64) float64 {
	if c.elapsed() {
		return float64(int64(t - g.Origin))
	}
	return float64(t)
}

// extent is the time of all points.
func (c *chart) extent() (from, to float64) { return c.from, c.to }

func (c *chart) measureExtent() (from, to float64) {
	from, to = math.NaN(), math.NaN()
	for _, g := range c.answer.Groups {
		if g.From == 0 {
			continue
		}
		if a := c.x(g, g.From); !(from <= a) {
			from = a
		}
		if b := c.x(g, g.To); !(to >= b) {
			to = b
		}
	}
	return from, to
}

// span is the part of the time that is drawn.
func (c *chart) span() (from, to float64) {
	from, to = c.extent()
	if c.time.long == 0 || c.time.long >= to-from {
		return from, to
	}
	right := to
	if !math.IsNaN(c.time.cursor) {
		right = math.Min(to, math.Max(c.time.cursor+c.time.long/2, from+c.time.long))
	}
	return right - c.time.long, right
}

// at is where values are read.
func (c *chart) at() float64 {
	from, to := c.extent()
	if math.IsNaN(c.time.cursor) {
		return to
	}
	return math.Max(from, math.Min(c.time.cursor, to))
}

// moveCursor moves the cursor by so many cells. Beyond the newest point it stays
// with the newest.
func (c *chart) moveCursor(cells int) {
	from, to := c.span()
	if !(to > from) {
		return
	}
	at := c.at() + float64(cells)*(to-from)/float64(max(1, c.plotCells()))
	c.setCursor(at)
}

func (c *chart) setCursor(at float64) {
	from, to := c.extent()
	c.time.cursor = math.Max(from, at)
	if at >= to {
		c.time.cursor = math.NaN()
	}
	c.table.SetRows(&groupRows{c})
}

// zoom makes the part of the time that is drawn shorter or longer.
func (c *chart) zoom(factor float64) {
	from, to := c.extent()
	long := c.time.long
	if long == 0 {
		long = to - from
	}
	long *= factor
	switch {
	case !(long < to-from):
		long = 0
	case long < minZoom:
		long = minZoom
	}
	c.time.long = long
}

// minZoom is the shortest part that is drawn, in ns.
const minZoom = 1e9

// valueAt is a group's value where values are read: the newest at or before. word
// says what is there instead of a number, "" for nothing at all.
func (c *chart) valueAt(g *analysis.MetricGroup) (v float64, word string) {
	lines := c.linesOf(g)
	if len(lines) == 0 {
		return math.NaN(), ""
	}
	p, ok := c.pointAt(g, lines[0].Points)
	switch {
	case !ok:
		return math.NaN(), ""
	case p.Marks.Has(analysis.Gap):
		return math.NaN(), "gap"
	case p.Marks.Has(analysis.NotFinite) && math.IsNaN(p.Value):
		return math.NaN(), "NaN"
	}
	return p.Value, ""
}

func (c *chart) pointAt(g *analysis.MetricGroup, points []analysis.Point) (analysis.Point, bool) {
	at := c.at()
	i := sort.Search(len(points), func(i int) bool { return c.x(g, points[i].Time) > at }) - 1
	if i < 0 {
		return analysis.Point{}, false
	}
	return points[i], true
}

// timeText is a time of the axis for a person.
func (c *chart) timeText(x float64, long float64) string {
	switch {
	case math.IsNaN(x):
		return ""
	case c.elapsed():
		return "+" + draw.Duration(x)
	case long > 20*3600e9:
		return time.Unix(0, int64(x)).UTC().Format("01-02 15:04")
	}
	return time.Unix(0, int64(x)).UTC().Format("15:04:05")
}

// ageText is how long before the newest snapshot a time is.
func (c *chart) ageText(x float64) string {
	if c.elapsed() || c.answer.now == 0 {
		return ""
	}
	if age := draw.Age(c.answer.now, int64(x)); age != "now" {
		return age + " ago"
	}
	return "now"
}

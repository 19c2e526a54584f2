package analysis

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
)

// stragglers compares like with like and names what computes longer.
func (v *view) stragglers() Stragglers {
	f := v.frame()
	out := Stragglers{Steps: f.steps, Early: f.steps < DefaultSteps}
	if why := v.nothingToCompare(); why != "" {
		out.CannotTell = []string{why}
		return out
	}
	q := &inquiry{view: v, out: &out}
	q.run()
	return out
}

// nothingToCompare says why ranks cannot be compared at all, "" when they can.
func (v *view) nothingToCompare() string {
	switch f := v.frame(); {
	case len(v.members) == 0:
		return "no rank sends steps"
	case len(v.members) == 1 && v.role.World > 1:
		return fmt.Sprintf("only rank %d of %s sends data: no comparison between ranks; set NEMO_LENS_EXPORT_STRATEGY=all_ranks", v.members[0].rank, thousands(v.role.World))
	case len(v.members) == 1:
		return "one rank: nothing to compare it with"
	case f.steps < fewestSteps:
		return fmt.Sprintf("%s so far, %d are needed to compare ranks", count(f.steps, "clean step"), fewestSteps)
	}
	return ""
}

// inquiry is one look for stragglers.
type inquiry struct {
	view    *view
	out     *Stragglers
	cohorts []*cohort
	clocks  clocks
	lanes   bool // the units are lanes
	told    bool // something could be compared
	lonely  []*cohort
	found   []*finding
}

// finding is something that computes longer than its like.
type finding struct {
	kind    Unit
	coord   run.Coord
	unit    *unit   // whose figures are shown
	members []int   // of the view
	units   []*unit // that it covers
	signals []Signal
}

func (q *inquiry) run() {
	q.prepare()
	q.clocks = q.view.fitClocks()
	for _, c := range q.cohorts {
		q.view.arrivals(c.units, q.clocks)
		c.judge()
		q.judgeArrival(c)
	}
	q.findGroups()
	for _, c := range q.cohorts {
		q.findUnits(c)
	}
	q.tellLonely()
	q.findRanks()
	q.write()
}

// prepare groups the workers into cohorts of comparable ones, and into lanes
// where the stages of a lane move together.
func (q *inquiry) prepare() {
	v := q.view
	coarse := false
	var dark []string
	left := map[int][]*cohort{} // by how many of theirs cannot be compared
	for _, c := range cohorts(v.units(), &v.limits) {
		units, source, n := c.comparable()
		if source == FromNothing {
			dark = append(dark, c.name())
			continue
		}
		if n > 0 {
			left[n] = append(left[n], c)
		}
		c.units = units
		if len(units) > 0 {
			q.cohorts = append(q.cohorts, c)
			q.out.Source = coarser(q.out.Source, source)
			coarse = coarse || source != FromMicrobatches
		}
	}
	q.leftOut(left)
	q.noSpans(dark)
	if coarse && v.layout.Sizes.PP > 1 && len(q.cohorts) > 0 && q.cohorts[0].stage >= 0 {
		q.makeLanes()
	}
}

// leftOut tells of units that cannot be compared with those of their stage; of stages
// that lack as many in one sentence.
func (q *inquiry) leftOut(left map[int][]*cohort) {
	for _, n := range slices.Sorted(maps.Keys(left)) {
		var stages []int
		for _, c := range left[n] {
			stages = append(stages, c.stage)
		}
		where, each := left[n][0].name(), ""
		if len(stages) > 1 {
			where, each = list("stage", stages), " of each"
		}
		q.cannot("%s: %s%s cannot be compared: no recent steps, or not the spans that the others send", where, count(n, left[n][0].unit()), each)
	}
}

// noSpans tells of cohorts that send steps and nothing in them.
func (q *inquiry) noSpans(dark []string) {
	switch {
	case len(dark) == 0:
	case len(q.cohorts) == 0:
		q.cannot("no rank sends spans of compute or waits within its steps: turn the step's inner spans on")
	default:
		q.cannot("no spans of compute or waits within the steps of %s: turn the step's inner spans on", strings.Join(dark, ", "))
	}
}

func (q *inquiry) cannot(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(q.out.CannotTell, text) {
		q.out.CannotTell = append(q.out.CannotTell, text)
	}
}

func (c *cohort) name() string {
	if c.stage < 0 {
		return "the run"
	}
	return fmt.Sprintf("stage %d", c.stage)
}

func (c *cohort) unit() string {
	if len(c.units) > 0 {
		return string(c.units[0].kind)
	}
	return "rank"
}

// coarser is the source that says less.
func coarser(a, b ComputeSource) ComputeSource {
	order := []ComputeSource{FromNothing, FromMicrobatches, FromForwardBackward, FromNamedCompute, FromWaits}
	if slices.Index(order, a) > slices.Index(order, b) {
		return a
	}
	return b
}

// judgeArrival counts who was last to begin the step's last wait.
func (q *inquiry) judgeArrival(c *cohort) {
	if !q.clocks.trusted || len(c.units) < 2 {
		return
	}
	last, n := c.mostIn(func(u *unit) []float64 { return u.meet }, q.clocks.residual)
	if n == 0 {
		return
	}
	for i, u := range c.units {
		u.last = float64(last[i]) / float64(n)
	}
}

// findUnits names the units of a cohort that stand out. Once some are named the
// rest are judged without them, for they hide others in the median.
func (q *inquiry) findUnits(c *cohort) {
	switch n := len(c.units); {
	case n < 2:
		q.lonely = append(q.lonely, c)
		return
	case n < smallCohort:
		q.findSmall(c)
		return
	}
	q.told = true
	before := len(q.found)
	rest := &cohort{limits: c.limits, stage: c.stage, units: slices.Clone(c.units)}
	rest.units = slices.DeleteFunc(rest.units, q.covered)
	for len(rest.units) >= smallCohort && 2*len(rest.units) > len(c.units) {
		n := len(q.found)
		q.nameOutliers(rest)
		if len(q.found) == n {
			break
		}
		rest.units = slices.DeleteFunc(rest.units, q.covered)
	}
	q.doubtUnplaced(c, before)
}

// covered reports whether a group that was named already contains a unit.
func (q *inquiry) covered(u *unit) bool {
	return slices.ContainsFunc(q.found, func(f *finding) bool { return slices.Contains(f.units, u) })
}

// nameOutliers names the units whose compute is beyond the limits and for whom
// more than that speaks. Each is judged beside the usual units alone, so that two
// slow ones do not take the first place from each other.
func (q *inquiry) nameOutliers(c *cohort) {
	c.measure()
	var out []*unit
	usual := &cohort{limits: c.limits, stage: c.stage}
	for _, u := range c.units {
		if c.beyond(u) {
			out = append(out, u)
		} else {
			usual.units = append(usual.units, u)
		}
	}
	for _, u := range out {
		among := &cohort{limits: c.limits, stage: c.stage, compute: c.compute, wait: c.wait, units: append(slices.Clone(usual.units), u)}
		if signals := q.signals(among, len(usual.units)); len(signals) > 1 {
			u.worst = among.worstShare(len(usual.units))
			q.name(u, signals)
		}
	}
}

// beyond reports whether a unit is slow by ratio and by z-score, and not by
// waiting.
func (c *cohort) beyond(u *unit) bool {
	return u.compute >= c.limits.StragglerRatio*c.compute && zScale*(u.compute-c.compute)/c.spread > c.limits.StragglerZ && !c.waits(u)
}

// worstShare is the share of steps in which a unit is worst.
func (c *cohort) worstShare(at int) float64 {
	worst, n := c.mostIn(func(u *unit) []float64 { return u.c }, 0)
	return float64(worst[at]) / float64(max(n, 1))
}

// waits is the veto: most of the unit's extra time is waiting, so it is not its
// own.
func (c *cohort) waits(u *unit) bool {
	return u.source != FromWaits && u.wait-c.wait >= half*(u.compute-c.compute)
}

// signals are those that hold for a unit beyond the limits of magnitude.
func (q *inquiry) signals(c *cohort, at int) []Signal {
	out := []Signal{Magnitude}
	worst, n := c.mostIn(func(u *unit) []float64 { return u.c }, 0)
	if persistent(worst[at], n, len(c.units)) {
		out = append(out, Persistence)
	}
	if q.clocks.trusted {
		last, n := c.mostIn(func(u *unit) []float64 { return u.meet }, q.clocks.residual)
		if persistent(last[at], n, len(c.units)) {
			out = append(out, Arrival)
		}
	}
	return out
}

// name takes a unit into what was found.
func (q *inquiry) name(u *unit, signals []Signal) {
	q.found = append(q.found, &finding{kind: u.kind, coord: u.coord, unit: u, members: u.members, units: []*unit{u}, signals: signals})
}

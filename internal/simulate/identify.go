package simulate

import (
	"fmt"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// What a comparison needs, whoever makes it. A truth is computed from the
// configuration by these rules alone, before and without any analysis.
const (
	// leastRatio is the least ratio to its like at which a worker must be named:
	// below 1.10 nobody calls it slow, and the model's own noise is some percent.
	// Below it a name is right and silence is no miss.
	leastRatio = 1.15
	// leastCohort is how many workers it takes to tell which of them is unusual.
	leastCohort = 3
	// comparedSteps is over how many clean steps workers are compared.
	comparedSteps = 20
	// fewestSteps is how many clean steps it takes at least.
	fewestSteps = 3
	// tailShare is the part of a step outside of its pipeline.
	tailShare = 1 - pipelineShare
)

// identification knows what the spans that are sent can show.
type identification struct {
	c *Config
	l layout
	e effects
}

func (c *Config) identify() *identification {
	return &identification{c: c, l: c.layout(), e: c.effects()}
}

// coarse reports whether stages wait for each other inside of the finest span
// that is sent: then all stages of a lane move together.
func (id *identification) coarse() bool { return id.c.Detail == ForwardBackward && id.c.PP > 1 }

// unplaced reports whether the sizes sent put no rank anywhere.
func (id *identification) unplaced() bool {
	if id.e.claimed == nil {
		return false
	}
	_, err := run.NewLayout(*id.e.claimed, id.l.world(), run.Order{})
	return err != nil
}

// misplaced reports whether the sizes sent put ranks into other workers.
func (id *identification) misplaced() bool { return id.e.claimed != nil && !id.unplaced() }

// seen reports whether some rank of a worker sends all the time.
func (id *identification) seen(pp, dp int) bool {
	return slices.ContainsFunc(id.l.workerRanks(pp, dp), id.e.sends)
}

func (id *identification) laneSeen(dp int) bool {
	for pp := range id.c.PP {
		if id.seen(pp, dp) {
			return true
		}
	}
	return false
}

// cohort is how many workers of a stage send, or lanes where only these can be
// compared, and how many of them a fault makes slow.
func (id *identification) cohort(pp int) (n, slow int) {
	for dp := range id.c.DP {
		switch {
		case id.coarse() && id.laneSeen(dp), !id.coarse() && id.seen(pp, dp):
			n++
		default:
			continue
		}
		if id.isSlow(pp, dp) {
			slow++
		}
	}
	return n, slow
}

func (id *identification) isSlow(pp, dp int) bool {
	return slices.ContainsFunc(id.e.slow, func(s slowdown) bool { return s.dp == dp && (s.pp == pp || id.coarse()) })
}

// why says why nobody can be compared at all, "" when ranks can.
func (id *identification) why(from int) string {
	switch {
	case id.c.Detail == StepOnly:
		return "all ranks' steps are equally long, and nothing inside of them is sent"
	case id.tooLate(from):
		return "it begins too late: most of the steps that are compared are healthy"
	case id.misplaced():
		return "the sizes sent put ranks into workers that are not theirs"
	}
	return ""
}

// tooLate reports whether less than most of the last clean steps are slow. The
// first step of a process is never clean.
func (id *identification) tooLate(from int) bool {
	if id.c.Iterations == 0 {
		return false
	}
	clean := min(comparedSteps, id.c.Iterations-1)
	slow := min(comparedSteps, id.c.Iterations-max(from, 1))
	return clean < fewestSteps || 2*slow <= clean
}

// worker says what of a slow worker can be named.
func (id *identification) worker(t Injected) Injected {
	t.Unit, t.Shown = workerUnit(id.l), id.l.workerRanks(t.PP, t.DP)
	if why := id.why(t.Iteration - id.c.names().base); why != "" {
		return t.nobody(why)
	}
	if id.unplaced() && id.l.world() > id.c.DP {
		return t.nobody("without places, a rank that computes longer may be of a stage that has more to do")
	}
	if id.coarse() {
		return id.lanes(t, []int{t.DP}).faint(id.ratio(t.PP, t.Factor))
	}
	if !id.seen(t.PP, t.DP) {
		return t.nobody("no rank of its worker sends spans")
	}
	switch n, slow := id.cohort(t.PP); {
	case n == 2 && slow == 1 && id.bothElsewhere(t.PP):
	case n < leastCohort:
		return t.nobody(fmt.Sprintf("%d of its stage can be compared: which of them is usual cannot be told", n))
	case 2*slow >= n:
		return t.nobody("half of its stage is slow: which half is usual cannot be told")
	}
	if t.Unit == UnitWorker {
		t.Why = "its ranks wait for each other inside of every layer"
	}
	return t.faint(t.Factor)
}

// bothElsewhere reports whether another stage shows that the two lanes are
// usually alike.
func (id *identification) bothElsewhere(pp int) bool {
	for p := range id.c.PP {
		if n, slow := id.cohort(p); p != pp && n == 2 && slow == 0 {
			return true
		}
	}
	return false
}

// lanes says whether some slow lanes can be named.
func (id *identification) lanes(t Injected, dps []int) Injected {
	n, slow := id.cohort(0)
	switch {
	case slices.ContainsFunc(dps, func(dp int) bool { return !id.laneSeen(dp) }):
		return t.nobody("no rank of its lane sends spans")
	case n < leastCohort:
		return t.nobody(fmt.Sprintf("%d lanes can be compared: which of them is usual cannot be told", n))
	case 2*slow >= n:
		return t.nobody("half of the lanes are slow: which half is usual cannot be told")
	}
	t.Unit, t.Shown = UnitLane, []int{}
	for _, dp := range dps {
		t.Shown = append(t.Shown, id.l.laneRanks(dp)...)
	}
	t.Why = "without microbatches all stages of a lane move together"
	return t
}

// host says what of a slow host can be named: itself when it holds several
// workers and enough of their like are elsewhere.
func (id *identification) host(t Injected, workers []run.Coord) Injected {
	if why := id.why(t.Iteration - id.c.names().base); why != "" {
		return t.nobody(why)
	}
	if len(workers) == 1 {
		t.PP, t.DP = workers[0].PP, workers[0].DP
		return id.worker(t)
	}
	var dps []int
	for _, w := range workers {
		n, slow := id.cohort(w.PP)
		switch {
		case id.coarse():
			if !slices.Contains(dps, w.DP) {
				dps = append(dps, w.DP)
			}
		case id.unplaced() && id.l.world() > id.c.DP:
			return t.nobody("without places, ranks that compute longer may be of a stage that has more to do")
		case !id.seen(w.PP, w.DP):
			return t.nobody("a worker on it sends no spans")
		case 4*(n-slow) < n || n-slow < 2:
			return t.nobody("too few of their like are on other hosts")
		}
	}
	if id.coarse() {
		return id.lanes(t, dps).faint(id.ratio(workers[0].PP, t.Factor))
	}
	t.Unit, t.Shown = UnitHost, []int{}
	for _, w := range workers {
		t.Shown = append(t.Shown, id.l.workerRanks(w.PP, w.DP)...)
	}
	return t.faint(t.Factor)
}

// stage says whether a slow stage can be named. Stages differ by design, so no
// rank can; the last one, which holds the loss layer, is asked about by itself
// (Lin et al., OSDI '25).
func (id *identification) stage(t Injected) Injected {
	why := id.why(t.Iteration - id.c.names().base)
	switch {
	case why != "":
		return t.nobody(why)
	case id.coarse():
		return t.nobody("without microbatches all stages of all lanes look alike")
	case t.PP < id.c.PP-1 || id.c.PP == 1:
		return t.nobody("stages differ by design, and only the last one is expected to be alike")
	case id.unplaced() || !id.allSeen():
		return t.nobody("not every worker is known")
	}
	t.Unit = UnitStage
	for dp := range id.c.DP {
		t.Shown = append(t.Shown, id.l.workerRanks(t.PP, dp)...)
	}
	return t.faint(id.slowdown(t.PP, t.Factor))
}

// slowdown is how much longer a step takes with one slow stage than with the
// same work spread evenly: (m−1)·max + Σ over (m+p−1)·mean, the rest of the step
// beside both.
func (id *identification) slowdown(stage int, factor float64) float64 {
	m, p := float64(id.c.Microbatches), float64(id.c.PP)
	mean := (p - 1 + factor) / p
	tail := (m + p - 1) * tailShare / pipelineShare
	return ((m-1)*factor + p - 1 + factor + tail) / ((m+p-1)*mean + tail)
}

func (id *identification) allSeen() bool {
	for pp := range id.c.PP {
		for dp := range id.c.DP {
			if !id.seen(pp, dp) {
				return false
			}
		}
	}
	return true
}

// rotating names nobody; that it is another one each time can be told when all
// workers are known and steps take enough longer.
func (id *identification) rotating(t Injected) Injected {
	n := float64(id.c.DP)
	s := (t.Factor + tailShare) / ((n-1+t.Factor)/n + tailShare)
	why := id.why(t.Iteration - id.c.names().base)
	if why == "" && s < leastRatio {
		why = fmt.Sprintf("steps take %.2f times as long as with even data, less than %.2f", s, leastRatio)
	}
	if why == "" && (id.unplaced() || !id.allSeen()) {
		why = "not every worker is known"
	}
	t = t.nobody(why)
	if why == "" && id.c.DP > 2 { // of two, each is the longest in half of the steps
		t.Tells, t.Why = TellsRotating, "another lane is the longest each step"
	}
	return t
}

// link names nobody where transfers have spans of their own. Inside of
// forward_backward alone the lane waits as if one of its workers were slow.
func (id *identification) link(t Injected, s SlowLink) Injected {
	if !id.coarse() {
		return t.nobody("time between stages is waiting, on both of its ends")
	}
	if why := id.why(s.From); why != "" {
		return t.nobody(why)
	}
	return id.lanes(t, []int{s.Lane}).faint(id.linkRatio(s.Stage, s.Delay))
}

// hang says who can be told to have stopped: a frozen process by its silence
// whatever the spans, a rank that goes on exporting by the spans that it does
// not end.
func (id *identification) hang(t Injected, h Hang) Injected {
	t.Unit, t.Shown = UnitRank, []int{h.Rank}
	switch {
	case !id.e.sends(h.Rank):
		return t.nobody("it sends nothing")
	case !h.Alive:
		return t
	case id.c.Detail == StepOnly:
		return t.nobody("no rank ends a step any more, and nothing inside of them is sent")
	case h.Within > 0 && id.coarse():
		t.Unit, t.Shown = UnitLane, id.l.laneRanks(t.DP)
		t.Why = "without microbatches all stages of a lane wait inside of the same span"
	case h.Within > 0 && id.l.peers() > 1:
		t.Unit, t.Shown = UnitWorker, id.l.workerRanks(t.PP, t.DP)
		t.Why = "its ranks wait for each other inside of every layer"
	}
	return t
}

// faint marks what shows too little of itself to insist on its name.
func (t Injected) faint(ratio float64) Injected {
	if t.Unit != UnitNone && ratio < leastRatio {
		t.Faint, t.Why = true, fmt.Sprintf("it shows as %.2f times the usual, less than %.2f", ratio, leastRatio)
	}
	return t
}

// nobody is the truth of a fault of which no culprit can be named.
func (t Injected) nobody(why string) Injected {
	t.Unit, t.Shown, t.Why = UnitNone, []int{}, why
	return t
}

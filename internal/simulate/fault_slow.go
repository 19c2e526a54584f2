package simulate

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// SlowStage is a pipeline stage that has more to do in all lanes, such as the
// one that holds the loss layer.
type SlowStage struct {
	Stage  int
	Factor float64 // on its compute time, above 1
	From   int     // iteration, counted from 0
}

// Kind is KindSlowStage.
func (SlowStage) Kind() string { return KindSlowStage }

func (s SlowStage) check(c *Config) error {
	if s.Stage < 0 || s.Stage >= c.PP {
		return fmt.Errorf("stage %d: the run has stages 0 to %d", s.Stage, c.PP-1)
	}
	return errors.Join(checkFactor(s.Factor), checkIteration(c, s.From))
}

func (s SlowStage) inject(l layout, e *effects) {
	for dp := range l.ranks.Sizes.DP {
		e.slow = append(e.slow, slowdown{pp: s.Stage, dp: dp, from: s.From, factor: s.Factor})
	}
}

func (s SlowStage) truth(c *Config) Injected {
	t := placeless(c, s.Kind(), s.From)
	t.PP, t.Factor = s.Stage, s.Factor
	return c.identify().stage(t)
}

// SlowHost is a host all of whose GPUs compute slower, by heat or power.
type SlowHost struct {
	Host   int     // counted from 0
	Factor float64 // on the compute time of its ranks, above 1
	From   int     // iteration, counted from 0
}

// Kind is KindSlowHost.
func (SlowHost) Kind() string { return KindSlowHost }

func (s SlowHost) check(c *Config) error {
	l := c.layout()
	if s.Host < 0 || s.Host >= l.hosts() {
		return fmt.Errorf("host %d: the run has hosts 0 to %d", s.Host, l.hosts()-1)
	}
	for _, w := range s.workers(l) {
		for _, r := range l.workerRanks(w.PP, w.DP) {
			if l.host(r) != s.Host {
				return fmt.Errorf("rank %d of a worker on host %d is on host %d: give ranks per host that hold whole workers", r, s.Host, l.host(r))
			}
		}
	}
	return errors.Join(checkFactor(s.Factor), checkIteration(c, s.From))
}

// workers are the places of the workers that have ranks on the host.
func (s SlowHost) workers(l layout) (out []run.Coord) {
	for r := range l.world() {
		at := run.UnknownCoord()
		at.PP, at.DP = l.coord(r).PP, l.coord(r).DP
		if l.host(r) == s.Host && !slices.Contains(out, at) {
			out = append(out, at)
		}
	}
	return out
}

func (s SlowHost) inject(l layout, e *effects) {
	for _, w := range s.workers(l) {
		e.slow = append(e.slow, slowdown{pp: w.PP, dp: w.DP, from: s.From, factor: s.Factor})
	}
}

func (s SlowHost) truth(c *Config) Injected {
	l := c.layout()
	t := placeless(c, s.Kind(), s.From)
	t.Factor, t.Host = s.Factor, l.hostName(s.Host*l.perHost)
	return c.identify().host(t, s.workers(l))
}

// Rotating is data of uneven length: in each iteration another lane, drawn at
// random, has the longest samples and computes longer in all its stages.
type Rotating struct {
	Factor float64 // on the compute time of that lane, above 1
	From   int     // iteration, counted from 0
}

// Kind is KindRotating.
func (Rotating) Kind() string { return KindRotating }

func (r Rotating) check(c *Config) error {
	if c.DP < 2 {
		return errors.New("one lane: no other can take its turn, give a data parallel size of 2 or more")
	}
	return errors.Join(checkFactor(r.Factor), checkIteration(c, r.From))
}

func (r Rotating) inject(_ layout, e *effects) {
	e.rotation = append(e.rotation, rotation{from: r.From, factor: r.Factor})
}

func (r Rotating) truth(c *Config) Injected {
	t := placeless(c, r.Kind(), r.From)
	t.Factor = r.Factor
	return c.identify().rotating(t)
}

// SlowLink is the connection between a stage and the next one of a lane: every
// transfer over it, in both directions, takes longer. No GPU computes slower.
type SlowLink struct {
	Stage, Lane int           // the link from this stage to the next
	Delay       time.Duration // what each transfer takes more
	From        int           // iteration, counted from 0
}

// Kind is KindSlowLink.
func (SlowLink) Kind() string { return KindSlowLink }

func (s SlowLink) check(c *Config) error {
	switch {
	case c.PP < 2:
		return errors.New("one stage: there is no link between stages, give a pipeline parallel size of 2 or more")
	case s.Stage < 0 || s.Stage >= c.PP-1:
		return fmt.Errorf("stage %d: links lead from stages 0 to %d", s.Stage, c.PP-2)
	case s.Lane < 0 || s.Lane >= c.DP:
		return fmt.Errorf("lane %d: the run has lanes 0 to %d", s.Lane, c.DP-1)
	case s.Delay <= 0 || s.Delay > maxStep:
		return fmt.Errorf("delay %s: must be above 0 and at most %s", s.Delay, maxStep)
	}
	return checkIteration(c, s.From)
}

func (s SlowLink) inject(_ layout, e *effects) {
	e.links = append(e.links, link{pp: s.Stage, dp: s.Lane, from: s.From, delay: s.Delay})
}

func (s SlowLink) truth(c *Config) Injected {
	t := placeless(c, s.Kind(), s.From)
	t.PP, t.DP = s.Stage, s.Lane
	return c.identify().link(t, s)
}

func checkFactor(f float64) error {
	if !(f > 1 && f <= 1000) {
		return fmt.Errorf("compute factor is %g, must be above 1 and at most 1000", f)
	}
	return nil
}

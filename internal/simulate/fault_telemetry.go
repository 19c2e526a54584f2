package simulate

import (
	"errors"
	"fmt"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Skew is host clocks that are off by up to so much, either way.
type Skew struct{ By time.Duration }

// Kind is KindSkew.
func (Skew) Kind() string { return KindSkew }

func (s Skew) check(*Config) error {
	if s.By <= 0 || s.By > time.Hour {
		return fmt.Errorf("clocks off by %s: must be above 0 and at most %s", s.By, time.Hour)
	}
	return nil
}

func (s Skew) inject(_ layout, e *effects) { e.skew = max(e.skew, s.By) }

func (s Skew) truth(c *Config) Injected {
	t := placeless(c, s.Kind(), 0)
	t.Why = "clocks say nothing of durations"
	if c.layout().hosts() > 1 && s.By >= time.Minute {
		t.Tells = TellsClocks
	}
	return t
}

// SeededIDs is a random generator seeded alike on all data-parallel ranks: they
// share their trace and span ids.
type SeededIDs struct{}

// Kind is KindSeededIDs.
func (SeededIDs) Kind() string { return KindSeededIDs }

func (SeededIDs) check(c *Config) error {
	if c.DP < 2 {
		return errors.New("one lane: no rank has a data-parallel peer, give a data parallel size of 2 or more")
	}
	return nil
}

func (SeededIDs) inject(_ layout, e *effects) { e.seeded = true }

func (s SeededIDs) truth(c *Config) Injected {
	t := placeless(c, s.Kind(), 0)
	t.Tells, t.Why = TellsIDs, "ids say nothing of durations"
	return t
}

// Sampled lets only every Nth rank export.
type Sampled struct{ Every int }

// Kind is KindSampled.
func (Sampled) Kind() string { return KindSampled }

func (s Sampled) check(c *Config) error {
	if s.Every < 2 || s.Every > c.Ranks() {
		return fmt.Errorf("every %d ranks: must be 2 to %d", s.Every, c.Ranks())
	}
	return nil
}

func (s Sampled) inject(_ layout, e *effects) { e.sampled = max(e.sampled, s.Every) }

func (s Sampled) truth(c *Config) Injected {
	t := placeless(c, s.Kind(), 0)
	t.Tells, t.Why = TellsUnseen, "the other ranks send nothing"
	return t
}

// Topology is parallel sizes that the processes send and that are not those of
// the run. A size of 0 is sent as it is.
type Topology struct{ TP, PP, DP int }

// Kind is KindTopology.
func (Topology) Kind() string { return KindTopology }

func (x Topology) check(c *Config) error {
	if x.TP < 0 || x.PP < 0 || x.DP < 0 || max(x.TP, x.PP, x.DP) > MaxRanks {
		return fmt.Errorf("sizes tp %d, pp %d, dp %d: must be 0 to %d", x.TP, x.PP, x.DP, MaxRanks)
	}
	if z := x.sizes(c.layout()); z.TP == c.TP && z.PP == c.PP && z.DP == c.DP {
		return errors.New("these are the sizes of the run: give others")
	}
	return nil
}

func (x Topology) sizes(l layout) run.Sizes {
	z := run.Sizes{TP: x.TP, CP: run.Unknown, EP: run.Unknown, PP: x.PP, DP: x.DP}
	orInt(&z.TP, l.ranks.Sizes.TP)
	orInt(&z.PP, l.ranks.Sizes.PP)
	orInt(&z.DP, l.ranks.Sizes.DP)
	return z
}

func (x Topology) inject(l layout, e *effects) {
	z := x.sizes(l)
	e.claimed = &z
}

// truth: sizes that place every rank cannot be told from true ones.
func (x Topology) truth(c *Config) Injected {
	t := placeless(c, x.Kind(), 0)
	t.Why = "the sizes sent place every rank: nothing tells them from true ones"
	if c.identify().unplaced() {
		t.Tells, t.Why = TellsTopology, "the sizes sent place no rank"
	}
	return t
}

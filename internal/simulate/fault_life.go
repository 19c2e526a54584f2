package simulate

import (
	"errors"
	"fmt"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Freeze stops all ranks at the same place: the collective of the gradient norm
// never ends, as when the fabric fails.
type Freeze struct {
	Iteration int  // counted from 0
	Alive     bool // the exporters go on; else all processes are frozen
}

// Kind is KindFreeze.
func (Freeze) Kind() string { return KindFreeze }

func (f Freeze) check(c *Config) error { return checkIteration(c, f.Iteration) }

func (f Freeze) inject(_ layout, e *effects) {
	e.freeze = &stop{rank: run.Unknown, iteration: f.Iteration, alive: f.Alive}
}

func (f Freeze) truth(c *Config) Injected {
	t := placeless(c, f.Kind(), f.Iteration)
	t.Tells, t.Why = TellsTogether, "all ranks stop at the same place"
	if !f.Alive {
		t.Tells, t.Why = "", "all processes are silent at once, and what each had not sent by then is lost"
	}
	return t
}

// Silent is a rank whose exporter fails while its training goes on.
type Silent struct {
	Rank int
	From int // iteration, counted from 0: at 0 nothing is ever sent
}

// Kind is KindSilent.
func (Silent) Kind() string { return KindSilent }

func (s Silent) check(c *Config) error { return checkPlace(c, s.Rank, s.From) }

func (s Silent) inject(_ layout, e *effects) {
	e.quiet = append(e.quiet, quiet{s.Rank, s.From})
}

// truth: that the rank is silent can be told, and nothing of how it does.
func (s Silent) truth(c *Config) Injected {
	t := placed(c, s.Kind(), s.Rank, s.From)
	t.Unit, t.Shown, t.Tells = UnitNone, []int{}, TellsSilent
	if s.From < 1 {
		t.Tells = TellsUnseen
	}
	t.Why = "the rank trains on; only its telemetry is missing"
	return t
}

// Restart ends all processes in the middle of an iteration, without a word, and
// starts them again from a checkpoint. What ran on the host of one rank runs on
// a spare host then.
type Restart struct {
	Rank      int           // whose host is left out from then on
	Iteration int           // counted from 0
	Back      int           // finished iterations that are repeated
	Down      time.Duration // until the new processes start
}

// Kind is KindRestart.
func (Restart) Kind() string { return KindRestart }

func (r Restart) check(c *Config) error {
	switch {
	case r.Back < 0 || r.Back > r.Iteration:
		return fmt.Errorf("%d iterations back from iteration %d: must be 0 to %d", r.Back, r.Iteration, r.Iteration)
	case r.Down < 0 || r.Down > maxStep:
		return fmt.Errorf("down for %s: must be 0 to %s", r.Down, maxStep)
	}
	return checkPlace(c, r.Rank, r.Iteration)
}

func (r Restart) inject(_ layout, e *effects) {
	e.restart = &restart{rank: r.Rank, iteration: r.Iteration, back: r.Back, down: r.Down}
}

func (r Restart) truth(c *Config) Injected {
	t := placed(c, r.Kind(), r.Rank, r.Iteration)
	t.Unit, t.Shown, t.Tells = UnitNone, []int{}, TellsAttempt
	t.Why = "every process started again; that one has another host is no fault of it"
	return t
}

// Truncated shuts the run down in the middle of an iteration: all processes
// close their open spans by force, as at the end of a job's time.
type Truncated struct {
	Iteration int // counted from 0
}

// Kind is KindTruncated.
func (Truncated) Kind() string { return KindTruncated }

func (x Truncated) check(c *Config) error { return checkIteration(c, x.Iteration) }

func (x Truncated) inject(_ layout, e *effects) { e.cut = &x.Iteration }

func (x Truncated) truth(c *Config) Injected {
	t := placeless(c, x.Kind(), x.Iteration)
	t.Tells, t.Why = TellsEnded, "all processes were asked to end at once, in the middle of their work"
	return t
}

// checkEnds refuses faults of which one run can have one only.
func (c *Config) checkEnds() error {
	stops, restarts := 0, 0
	for _, f := range c.Faults {
		switch f.Kind() {
		case KindHang, KindFreeze, KindTruncated:
			stops++
		case KindRestart:
			restarts++
		}
	}
	switch {
	case stops > 1:
		return fmt.Errorf("simulate: %d hangs, freezes and truncated exits: a run stops at its first one, give one", stops)
	case restarts > 1:
		return errors.New("simulate: more than one restart: give one")
	}
	return nil
}

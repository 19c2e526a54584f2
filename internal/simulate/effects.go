package simulate

import (
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// effects is what faults do to the model: plain facts that its parts look up.
type effects struct {
	slow     []slowdown
	rotation []rotation
	links    []link
	hang     *stop
	freeze   *stop // of all ranks: only its iteration and alive count
	restart  *restart
	cut      *int // iteration in which the run is shut down
	quiet    []quiet
	sampled  int           // only every Nth rank sends; 0 all
	skew     time.Duration // host clocks are off by up to so much
	seeded   bool          // data-parallel ranks share their ids
	claimed  *run.Sizes    // parallel sizes that are sent instead of the real ones
	sessions float64       // new values of an exploding attribute per second, 0 none
}

// slowdown multiplies the compute of one worker from an iteration on.
type slowdown struct {
	pp, dp, from int
	factor       float64
}

// rotation multiplies the compute of another lane each iteration.
type rotation struct {
	from   int
	factor float64
}

// link is the connection of a stage to the next one of a lane, with what each
// transfer over it takes more.
type link struct {
	pp, dp, from int
	delay        time.Duration
}

// restart is the end of all processes in an iteration, and their second life.
type restart struct {
	rank, iteration, back int
	down                  time.Duration // from the end to the start of the new processes
}

// quiet is a rank that sends nothing from an iteration on, −1 from the start.
type quiet struct{ rank, from int }

// effects is what all faults of a configuration do.
func (c *Config) effects() effects {
	var e effects
	for _, f := range c.Faults {
		f.inject(c.layout(), &e)
	}
	return e
}

// compute is the factor on a worker's compute in an iteration.
func (e *effects) compute(i, pp, dp int) float64 {
	f := 1.0
	for _, s := range e.slow {
		if s.pp == pp && s.dp == dp && i >= s.from {
			f *= s.factor
		}
	}
	return f
}

// uneven is the factor on a lane whose samples are the longest ones of an
// iteration.
func (e *effects) uneven(seed uint64, lanes, i, dp int) float64 {
	f := 1.0
	for n, r := range e.rotation {
		turn := mix(mix(seed^roomRotation<<56) ^ uint64(n)<<40 ^ uint64(i))
		if i >= r.from && int(turn%uint64(lanes)) == dp {
			f *= r.factor
		}
	}
	return f
}

// transfer is what sending from one stage to another takes more.
func (e *effects) transfer(i, dp, from, to int) time.Duration {
	var d time.Duration
	for _, l := range e.links {
		if l.dp == dp && l.pp == min(from, to) && i >= l.from {
			d += l.delay
		}
	}
	return d
}

// skipped reports whether the exporter of a rank is off from the beginning.
func (e *effects) skipped(rank int) bool {
	if e.sampled > 0 && rank%e.sampled != 0 {
		return true
	}
	for _, q := range e.quiet {
		if q.rank == rank && q.from < 1 {
			return true
		}
	}
	return false
}

// sends reports whether a rank sends spans for as long as it runs.
func (e *effects) sends(rank int) bool {
	for _, q := range e.quiet {
		if q.rank == rank {
			return false
		}
	}
	return !e.skipped(rank)
}

// shift is by how much an iteration's number is below its place in time: a
// restart repeats what came after its checkpoint.
func (e *effects) shift(i int) int {
	if r := e.restart; r != nil && i > r.iteration {
		return 1 + r.back
	}
	return 0
}

// first reports whether an iteration is the first of its processes.
func (e *effects) first(i int) bool {
	return i == 0 || e.restart != nil && i == e.restart.iteration+1
}

// crashes reports whether all processes end within an iteration.
func (e *effects) crashes(i int) bool { return e.restart != nil && i == e.restart.iteration }

// stop is where a rank stops for ever.
type stop struct {
	rank, pp, dp, iteration int
	within                  int  // 1-based microbatch whose backward never ends; 0: on the host, after the last one
	alive                   bool // its exporters go on
}

// at reports whether the lane is the one that hangs in iteration i.
func (h *stop) at(i, dp int) bool { return i == h.iteration && dp == h.dp }

// micro is the microbatch whose backward is the last thing the rank starts.
func (h *stop) micro(micros int) int {
	if h.within > 0 {
		return h.within - 1
	}
	return micros - 1
}

package simulate

// effects is what faults do to the model: plain facts that its parts look up.
type effects struct {
	slow     []slowdown
	hang     *stop
	sessions float64 // new values of an exploding attribute per second, 0 none
}

// slowdown multiplies the compute of one worker from an iteration on.
type slowdown struct {
	pp, dp, from int
	factor       float64
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

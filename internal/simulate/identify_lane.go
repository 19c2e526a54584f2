package simulate

import "time"

// ratio is how much longer a slow worker's finest spans are. With
// forward_backward alone that is what its lane's schedule makes of it: the other
// stages' bubbles hide a part.
func (id *identification) ratio(pp int, factor float64) float64 {
	if !id.coarse() {
		return factor
	}
	return heldUp(id.c.schedule(pp, factor, 0), id.c.schedule(pp, 1, 0))
}

// linkRatio is the same for the link behind a stage.
func (id *identification) linkRatio(pp int, delay time.Duration) float64 {
	return heldUp(id.c.schedule(pp, 1, float64(delay)), id.c.schedule(pp, 1, 0))
}

// heldUp is how much longer the stage that is held up most takes.
func heldUp(slow, usual []float64) float64 {
	most := 0.0
	for p := range slow {
		most = max(most, slow[p]/usual[p])
	}
	return most
}

// schedule is when each stage of a lane ends its last pass, ns: 1F1B without any
// noise, one stage slower by a factor and the transfers behind it by a delay.
func (c *Config) schedule(slow int, factor, delay float64) []float64 {
	n := c.Microbatches
	end := make([]float64, c.PP)
	forward, backward := make([]float64, c.PP*n), make([]float64, c.PP*n) // when a pass's result is there
	for _, o := range oneF1B(c.PP, n) {
		at, from, share, result := o.stage*n+o.micro, o.stage-1, forwardShare, forward
		if o.back {
			from, share, result = o.stage+1, 1-forwardShare, backward
		}
		begin := end[o.stage]
		if from >= 0 && from < c.PP {
			begin = max(begin, result[from*n+o.micro])
		}
		took := c.costs().compute * share
		if o.stage == slow {
			took *= factor
		}
		end[o.stage] = begin + took
		if to := 2*o.stage - from; to >= 0 && to < c.PP && min(to, o.stage) == slow {
			end[o.stage] += delay
		}
		result[at] = end[o.stage]
	}
	return end
}

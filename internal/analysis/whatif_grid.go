package analysis

import (
	"math"
	"slices"
)

// stepGrid is the mean microbatch of every worker in every step, seconds: by
// step, then stage, then lane. It has no holes.
type stepGrid struct {
	pp, dp, steps int
	c             []float64
	mean          float64 // over all
	micro         float64 // microbatches of a step; infinite where they are not known
	tail          float64 // what a step has once, seconds
}

func (g *stepGrid) at(s, pp, dp int) float64 { return g.c[(s*g.pp+pp)*g.dp+dp] }

// fixed says which workers compute as long as the mean.
type fixed func(pp, dp int) bool

func none(int, int) bool { return false }

// time is the mean step time with some workers fixed: the pipeline's slowest
// stage for all microbatches but one, and all stages for one, of the slowest
// lane.
func (g *stepGrid) time(fix fixed) float64 {
	is := make([]bool, g.pp*g.dp)
	for i := range is {
		is[i] = fix(i/g.dp, i%g.dp)
	}
	total := 0.0
	for s := range g.steps {
		slowest := 0.0
		for d := range g.dp {
			slowest = max(slowest, g.lane(s, d, is))
		}
		total += slowest
	}
	return total/float64(g.steps) + g.tail
}

// lane is the time of one lane's pipeline.
func (g *stepGrid) lane(s, d int, is []bool) float64 {
	longest, sum := 0.0, 0.0
	for p := range g.pp {
		c := g.at(s, p, d)
		if is[p*g.dp+d] {
			c = g.mean
		}
		longest, sum = max(longest, c), sum+c
	}
	if math.IsInf(g.micro, 1) {
		return longest // c is of the whole step then, the fill of the pipeline within it
	}
	return (g.micro-1)*longest + sum
}

// equal is the step time with every worker fixed.
func (g *stepGrid) equal() float64 {
	if math.IsInf(g.micro, 1) {
		return g.mean + g.tail
	}
	return (g.micro-1)*g.mean + float64(g.pp)*g.mean + g.tail
}

// exceptLane is the slowdown that is left when everything but one lane, or one
// stage, is fixed.
func (g *stepGrid) exceptLane(d int) float64 {
	is := make([]bool, g.pp*g.dp)
	rest, total := g.equal()-g.tail, 0.0
	for s := range g.steps {
		one := g.lane(s, d, is)
		if g.dp > 1 {
			one = max(one, rest)
		}
		total += one
	}
	return (total/float64(g.steps) + g.tail) / g.equal()
}

func (g *stepGrid) exceptStage(p int) float64 {
	return g.time(func(at, _ int) bool { return at != p }) / g.equal()
}

// spot is a worker by its stage and lane.
type spot struct{ pp, dp int }

// worst is the workers by what they cost, most first: the less of what their
// stage and their lane cost alone.
func (g *stepGrid) worst() []spot {
	lanes, stages := make([]float64, g.dp), make([]float64, g.pp)
	for d := range lanes {
		lanes[d] = g.exceptLane(d)
	}
	for p := range stages {
		stages[p] = g.exceptStage(p)
	}
	var all []spot
	for p := range g.pp {
		for d := range g.dp {
			all = append(all, spot{p, d})
		}
	}
	cost := func(w spot) float64 { return min(stages[w.pp], lanes[w.dp]) }
	slices.SortStableFunc(all, func(a, b spot) int {
		switch {
		case cost(a) > cost(b):
			return -1
		case cost(a) < cost(b):
			return 1
		}
		return 0
	})
	return all
}

// lastIsSlow reports whether the last stage as a whole computes longer than the
// others: the lower quartile of its workers against the median of the rest. A few
// slow workers that happen to be all of that stage, such as those of a host, are
// fixed with it and do not make it slow.
func (g *stepGrid) lastIsSlow(ratio float64) bool {
	var last, rest []float64
	for p := range g.pp {
		for d := range g.dp {
			sum := 0.0
			for s := range g.steps {
				sum += g.at(s, p, d)
			}
			if p == g.pp-1 {
				last = append(last, sum)
			} else {
				rest = append(rest, sum)
			}
		}
	}
	slices.Sort(last)
	return last[rankOf(25, len(last))-1] >= ratio*median(rest)
}

// rotates reports whether no worker is the longest of its stage in half of the
// steps or more.
func (g *stepGrid) rotates() bool {
	count := make([]int, g.pp*g.dp)
	for s := range g.steps {
		at, most := 0, 0.0
		for p := range g.pp {
			for d := range g.dp {
				if c := g.at(s, p, d); c > most {
					at, most = p*g.dp+d, c
				}
			}
		}
		count[at]++
	}
	return 2*slices.Max(count) < g.steps
}

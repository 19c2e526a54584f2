package simulate

import "math"

// slot is one iteration of the whole world: the moments that couple its lanes,
// and what the run has counted by its end. Everything else of the iteration is
// computed again from it.
type slot struct {
	index   int
	start   int64
	sync    []int64 // per stage: end of the gradient sync
	norm    int64   // end of the gradient norm
	stepEnd int64
	save    window // checkpoint, empty when there is none
	test    window // evaluation
	end     int64  // start of the next slot
	frozen  int64  // when the hung rank, or all, stop; never without a hang
	crash   int64  // when all processes end without a word; never without a restart
	totals  totals
}

// window is a stretch of time, empty when it has no length.
type window struct{ from, to int64 }

func (w window) empty() bool { return w.to <= w.from }

// totals is what the run has counted by the end of an iteration's step.
type totals struct {
	steps   int
	tokens  int64
	skipped int
	lasted  int64 // of the last step
	sum     float64
	least   float64
	most    float64
	buckets [stepBuckets + 1]uint64 // of step durations
}

// stepBuckets is the number of bounds of the step duration histogram.
const stepBuckets = 14

// stepBounds are upper bounds of step durations in milliseconds, around the
// configured step time.
func (c *Config) stepBounds() [stepBuckets]float64 {
	var bounds [stepBuckets]float64
	unit := float64(c.Step.Microseconds()) / 1000
	for i, f := range [stepBuckets]float64{0.5, 0.75, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.35, 1.5, 2, 3, 5, 10} {
		bounds[i] = unit * f
	}
	return bounds
}

// add counts one more step.
func (t totals) add(lasted int64, tokens int64, skipped bool, bounds [stepBuckets]float64) totals {
	ms := float64(lasted) / 1e6
	if t.steps == 0 {
		t.least, t.most = math.Inf(1), math.Inf(-1)
	}
	t.steps++
	t.lasted = lasted
	t.sum += ms
	t.least, t.most = min(t.least, ms), max(t.most, ms)
	if skipped {
		t.skipped++
	} else {
		t.tokens += tokens
	}
	b := 0
	for b < stepBuckets && ms > bounds[b] {
		b++
	}
	t.buckets[b]++
	return t
}

// planner computes the slots one after the other.
type planner struct {
	m      *model
	lane   *lane
	bounds [stepBuckets]float64
	last   *slot
	done   bool // the run makes no more iterations
}

func newPlanner(m *model) *planner {
	return &planner{m: m, lane: newLane(m), bounds: m.stepBounds()}
}

// plan computes the next slot, or nil after the last.
func (p *planner) plan() *slot {
	if p.done {
		return nil
	}
	s := &slot{start: int64(p.m.Startup), frozen: never, crash: never, sync: make([]int64, p.m.PP)}
	var before totals
	if p.last != nil {
		s.index, s.start, before = p.last.index+1, p.last.end, p.last.totals
	}
	p.couple(s)
	p.follow(s)
	if p.m.effects.crashes(s.index) {
		p.crash(s)
		before = totals{}
	}
	s.totals = before
	if s.stepEnd < never {
		s.totals = before.add(s.stepEnd-s.start, p.m.tokens(), p.m.notANumber(s.index), p.bounds)
	}
	p.last = s
	p.done = s.end >= never || p.m.Iterations > 0 && s.index-p.m.effects.shift(s.index)+1 == p.m.Iterations
	return s
}

// couple runs all lanes to the gradient sync and finds its ends: each stage
// waits for the same stage of every lane, then every rank for every stage.
func (p *planner) couple(s *slot) {
	for d := range p.m.DP {
		p.lane.compute(s.index, d, s.start, nil)
		for st, ready := range p.lane.ready {
			s.sync[st] = max(s.sync[st], after(ready, p.m.cost.sync))
		}
		if b := p.lane.lastBack; b < never {
			s.frozen = b + int64(p.m.cost.compute*(1-forwardShare)/2)
		}
	}
	for _, t := range s.sync {
		s.norm = max(s.norm, after(t, p.m.cost.clip))
	}
	if f := p.m.effects.freeze; f != nil && f.iteration == s.index {
		s.frozen, s.norm = s.norm, never
	}
}

// crash ends all processes in the middle of a step. The next slot is the first
// one of those that start after them.
func (p *planner) crash(s *slot) {
	s.crash = s.start + int64(p.m.Step)/2
	s.save, s.test, s.stepEnd = window{}, window{}, never
	s.end = s.crash + int64(p.m.effects.restart.down) + int64(p.m.Startup)
}

// revive is when the processes after a crash start.
func (m *model) revive(s *slot) int64 { return s.end - int64(m.Startup) }

// follow places what comes after the gradient norm.
func (p *planner) follow(s *slot) {
	c := &p.m.cost
	s.stepEnd = after(s.norm, c.optimizer+c.closing)
	s.end = after(s.stepEnd, c.gap)
	d := p.m.dice
	d.seat(p.m.Seed, roomSlot, s.index, 0)
	if every(s.index, p.m.CheckpointEvery) {
		s.save = window{s.end, after(s.end, scale(c.checkpoint, d.between(0.9, 1.1)))}
		s.end = after(s.save.to, c.gap)
	}
	if every(s.index, p.m.EvalEvery) {
		s.test = window{s.end, after(s.end, scale(c.evaluate, d.between(0.95, 1.05)))}
		s.end = after(s.test.to, c.gap)
	}
}

// Training configuration that all runs share.
const (
	microBatchSize = 1
	sequenceLength = 4096
)

// globalBatch is the samples of one step over all lanes.
func (c *Config) globalBatch() int { return c.Microbatches * microBatchSize * c.DP }

// tokens is the tokens of one step over all lanes.
func (c *Config) tokens() int64 { return int64(c.globalBatch()) * sequenceLength }

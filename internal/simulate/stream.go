package simulate

import (
	"sync/atomic"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Request is one encoded OTLP export request of one process.
type Request struct {
	At     time.Duration // since Config.Start, when the process exports it
	Signal run.Signal
	Rank   int    // run.Unknown for the service beside the trainers
	Body   []byte // protobuf; belongs to the receiver of the Request
	Items  int    // spans, points or log records in it

	rows *rows // in place of Body, when an SDK is to encode them
}

// Stream is the run as its requests in time order. Its memory is bounded by a
// few iterations of one lane, whatever the number of ranks. Only Stop may be
// called while another goroutine uses it.
type Stream struct {
	m       *model
	plan    *planner
	cache   *cache
	slots   []*slot // that ticks still look into, oldest first
	retired *slot   // the last one dropped
	endAt   int64   // of the run, never while unknown
	now     int64   // of the last tick
	stopped atomic.Bool
	quiet   map[int]int64 // by rank, when its exporter fails
	crashed int64         // when all processes end, never without a restart
	revives int64         // when they start again

	spanTick, metricTick, gateTick ticker
	closing                        int // position of the next process to shut down
	writers                        writers
	capture                        *capture // nil when the writers encode
	queue                          []Request
	head                           int
}

// New makes a run ready to be read from its beginning.
func New(c Config) (*Stream, error) {
	m, err := newModel(c)
	if err != nil {
		return nil, err
	}
	s := &Stream{
		m: m, plan: newPlanner(m), cache: newCache(m), endAt: never, crashed: never, revives: never, quiet: map[int]int64{},
		spanTick: newTicker(int64(m.ExportEvery), m.Ranks()), metricTick: newTicker(int64(m.MetricEvery), m.Ranks()),
		gateTick: newTicker(int64(m.MetricEvery), 1),
	}
	s.writers = newWriters(m, s.push)
	return s, nil
}

// Config is the configuration with its defaults filled in.
func (s *Stream) Config() Config { return s.m.Config }

// Truth is what is simulated.
func (s *Stream) Truth() Truth { return truthOf(&s.m.Config) }

// Stop lets the run shut down where it is: the next requests are its processes'
// last ones, with the spans that are still open marked as truncated.
func (s *Stream) Stop() { s.stopped.Store(true) }

// Next is the next request, or false at the end of the run. A run without a
// number of iterations ends only when it is stopped.
func (s *Stream) Next() (Request, bool) {
	for s.head == len(s.queue) {
		s.queue, s.head = s.queue[:0], 0
		if !s.advance() {
			return Request{}, false
		}
	}
	r := s.queue[s.head]
	s.queue[s.head] = Request{}
	s.head++
	return r, true
}

// push queues one request of the tick at hand.
func (s *Stream) push(signal run.Signal, rank int, body []byte, items int) {
	r := Request{At: time.Duration(s.now), Signal: signal, Rank: rank, Body: body, Items: items}
	if s.capture != nil {
		r.rows = s.capture.take(rank, s.closing > 0)
	}
	s.queue = append(s.queue, r)
}

// advance runs the next tick, or shuts one more process down. It is false when
// all are.
func (s *Stream) advance() bool {
	if s.stopped.Load() && s.endAt > s.now {
		s.endAt = s.now + 1
	}
	spans, q := s.spanTick.next()
	points, mq := s.metricTick.next()
	gate := never
	if s.m.gateway() {
		gate, _ = s.gateTick.next()
	}
	at := min(spans, points, gate)
	s.reach(at)
	if at >= s.endAt {
		return s.shutdown()
	}
	if s.dead(at) {
		return false
	}
	s.restart(at)
	s.now = at
	switch at {
	case spans:
		s.spanTick.advance()
		s.export(q, at-s.spanTick.every, at, false)
		s.retire(at - s.spanTick.every)
	case points:
		s.metricTick.advance()
		s.measure(mq, at)
	default:
		s.gateTick.advance()
		s.writers.gate.write(at, s.gateTick.every)
	}
	return true
}

// reach plans the run up to a moment and finds its end.
func (s *Stream) reach(at int64) {
	for !s.plan.done && (s.plan.last == nil || s.plan.last.end <= at) {
		s.slots = append(s.slots, s.plan.plan())
		s.planned(s.plan.last)
		if s.capture != nil {
			s.capture.took(s.plan.last)
		}
	}
	if !s.plan.done || s.endAt < never {
		return
	}
	last := s.plan.last
	switch {
	case last.end < never:
		s.endAt = last.end
	case s.m.Iterations > 0:
		s.endAt = last.start + int64(s.m.Step+s.m.Linger)
	}
}

// planned looks for what happens to processes in a slot.
func (s *Stream) planned(sl *slot) {
	e := &s.m.effects
	for _, q := range e.quiet {
		if q.from == sl.index {
			s.quiet[q.rank] = sl.start
		}
	}
	if sl.crash < never {
		s.crashed, s.revives = sl.crash, s.m.revive(sl)
	}
	if e.cut != nil && *e.cut == sl.index {
		s.plan.done, s.endAt = true, sl.start+int64(s.m.Step)/2
	}
}

// restart is when the processes after a crash start: they are others.
func (s *Stream) restart(at int64) {
	res := s.writers.res
	if at < s.revives || res.again > 0 {
		return
	}
	res.restart(s.revives, s.m.effects.restart.rank)
	s.writers.life = life(s.m, s.revives)
}

// retire drops the slots that ended before any window still to come.
func (s *Stream) retire(before int64) {
	n := 0
	for n < len(s.slots) && s.slots[n].end <= before {
		s.retired = s.slots[n]
		n++
	}
	if n > 0 {
		s.slots = append(s.slots[:0], s.slots[n:]...)
		s.cache.before(s.retired.index + 1)
	}
}

// finished is the slot of the last step that ended by a moment, or nil.
func (s *Stream) finished(at int64) *slot {
	for i := len(s.slots) - 1; i >= 0; i-- {
		if s.slots[i].stepEnd <= at {
			return s.slots[i]
		}
	}
	return s.retired
}

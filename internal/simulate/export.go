package simulate

import "github.com/beamline-hpc/lensview/internal/run"

// writers turn the model into requests, one kind each.
type writers struct {
	res     *resources
	spans   *spanWriter
	metrics *metricWriter
	logs    *logWriter
	gate    *gateWriter
	life    []event // of a process, outside its iterations
}

func newWriters(m *model, push func(run.Signal, int, []byte, int)) writers {
	res := newResources(&m.Config)
	w := writers{res: res, life: life(m, 0)}
	w.spans = newSpanWriter(m, res, func(rank int, body []byte, n int) { push(run.Traces, rank, body, n) })
	w.metrics = newMetricWriter(m, res, func(rank int, body []byte, n int) { push(run.Metrics, rank, body, n) })
	w.logs = newLogWriter(m, res, w.spans.ids, func(rank int, body []byte, n int) { push(run.Logs, rank, body, n) })
	w.gate = newGateWriter(m, res, func(body []byte, n int) { push(run.Metrics, run.Unknown, body, n) })
	return w
}

// life is the job span, open until the shutdown, and the set-up in it.
func life(m *model, born int64) []event {
	ready := born + max(int64(m.Startup)-int64(m.Step)/50, 0)
	return []event{
		{start: born, end: ready, id: idFree, parent: idJob, root: idJob, micro: -1, kind: kModelInit},
		{start: born, end: never, id: idJob, parent: noParent, root: idJob, micro: -1, kind: kJob},
	}
}

// export sends what a rank ended in (from, to], spans first, then logs. At the
// shutdown the spans that are still open go too, marked.
func (s *Stream) export(q int, from, to int64, last bool) {
	rank := s.m.lay.laneOrder(q)
	if s.silent(rank, to) {
		return
	}
	from = max(from, s.writers.res.born-1) // what the processes before had not sent is lost
	w := s.writers.spans
	w.begin(rank)
	s.pick(s.writers.res.life(), s.writers.life, never, from, to, false)
	at := s.m.lay.coord(rank)
	for _, sl := range s.slots {
		if sl.start > to {
			break
		}
		if sl.end > from && sl.crash > from {
			s.pick(sl.index, s.cache.events(sl, at.PP, at.DP), s.cut(rank, sl), from, to, last)
		}
	}
	s.pick(s.writers.res.life(), s.writers.life, never, to, to, last) // the job span closes after all it holds
	w.flush()
	s.writers.logs.write(rank, s.slots, from, to)
}

// silent reports whether the rank's process is frozen or down at a moment, or
// its exporter is off.
func (s *Stream) silent(rank int, at int64) bool {
	e := &s.m.effects
	if e.skipped(rank) || at > s.quietFrom(rank) || s.down(at) {
		return true
	}
	for _, h := range []*stop{e.hang, e.freeze} {
		if h == nil || h.alive || h.rank != run.Unknown && h.rank != rank {
			continue
		}
		if last := s.plan.last; last != nil && last.index == h.iteration && at > last.frozen {
			return true
		}
	}
	return false
}

// dead reports whether nothing will ever come any more: all processes are frozen
// and the run has no end.
func (s *Stream) dead(at int64) bool {
	f, last := s.m.effects.freeze, s.plan.last
	return f != nil && !f.alive && !s.m.gateway() && s.endAt >= never && last.index == f.iteration && at > last.frozen
}

// quietFrom is when the exporter of a rank fails.
func (s *Stream) quietFrom(rank int) int64 {
	if at, ok := s.quiet[rank]; ok {
		return at
	}
	return never
}

// down reports whether a moment is between the crash of all processes and their
// restart.
func (s *Stream) down(at int64) bool { return at > s.crashed && at < s.revives }

// cut is when the rank's training stops within a slot, or never.
func (s *Stream) cut(rank int, sl *slot) int64 {
	if h := s.m.effects.hang; h != nil && rank == h.rank {
		return min(sl.frozen, sl.crash)
	}
	return sl.crash
}

// pick encodes the events that ended in (from, to]. Past cut nothing ends or
// begins. With last, events still open at to are sent as truncated.
func (s *Stream) pick(i int, events []event, cut, from, to int64, last bool) {
	w := s.writers.spans
	for k := range events {
		e := &events[k]
		if detailOf(e.kind) < s.m.Detail || e.start > min(cut, to) {
			continue
		}
		end := e.end
		if end > cut {
			end = never
		}
		switch {
		case end <= from:
		case end <= to:
			w.add(i, e, end, false)
		case last:
			w.add(i, e, to, true)
		}
	}
}

// measure sends the metrics of a rank.
func (s *Stream) measure(q int, at int64) {
	rank := s.m.lay.laneOrder(q)
	if sl := s.finished(at); sl != nil && sl.end > s.writers.res.born && !s.silent(rank, at) {
		s.writers.metrics.write(rank, at, sl)
	}
}

// shutdown lets one process flush and end: the trainers, then the service
// beside them. It is false when all have ended.
func (s *Stream) shutdown() bool {
	s.now = s.endAt
	q := s.closing
	s.closing++
	switch {
	case q < s.m.Ranks():
		s.export(q, s.spanTick.last(q, s.endAt), s.endAt, true)
		s.measure(q, s.endAt)
	case q == s.m.Ranks() && s.m.gateway():
		s.writers.gate.write(s.endAt, s.endAt-s.gateTick.last(0, s.endAt))
	default:
		return false
	}
	return true
}

package simulate

// finish adds what a lane does from the gradient sync to the end of its slot:
// the collectives, the optimizer, the step itself, checkpoint and evaluation.
// compute must have run for the same slot and lane.
func (l *lane) finish(s *slot, dp int) {
	for p := range l.m.PP {
		l.put(p, kSyncFinish, l.ready[p], s.sync[p], idStep, -1)
		l.put(p, kClip, s.sync[p], s.norm, idStep, -1)
		l.put(p, kOptimizer, s.norm, after(s.norm, l.m.cost.optimizer), idStep, -1)
		l.span(p, event{start: s.start, end: s.stepEnd, id: idStep, parent: noParent, kind: kStep})
		l.checkpoint(s, p, dp)
		l.evaluate(s, p)
	}
}

// checkpoint is a write that differs from worker to worker; the save ends for
// all when the slowest is done.
func (l *lane) checkpoint(s *slot, p, dp int) {
	if s.save.empty() || s.save.to >= never {
		return
	}
	d := l.m.dice
	d.seat(l.m.Seed, roomSlot, s.index, 1+l.m.worker(p, dp))
	share := min(0.99, 0.7*d.around(checkpointLoad))
	write := s.save.from + scale(s.save.to-s.save.from, share)
	l.put(p, kCheckpointWrite, s.save.from, write, idCheckpoint, -1)
	l.span(p, event{start: s.save.from, end: s.save.to, id: idCheckpoint, parent: noParent, kind: kCheckpoint})
}

// evaluateSteps is the number of evaluation steps.
const evaluateSteps = 2

// evaluate is a few steps without gradients.
func (l *lane) evaluate(s *slot, p int) {
	if s.test.empty() || s.test.to >= never {
		return
	}
	part := (s.test.to - s.test.from) / evaluateSteps
	for i := range int64(evaluateSteps) {
		from := s.test.from + i*part
		l.put(p, kEvaluateForward, from+part/50, from+part-part/50, idEvaluate, -1)
	}
	l.span(p, event{start: s.test.from, end: s.test.to, id: idEvaluate, parent: noParent, kind: kEvaluate})
}

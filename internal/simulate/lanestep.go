package simulate

// open is a step up to its first microbatch: the batch, the start of the
// parameter gather, and host work that no span covers.
func (l *lane) open(p int, start int64) {
	t := start
	if p == 0 || p == l.m.PP-1 {
		l.put(p, kData, t, after(t, l.rest[p].data), idStep, -1)
		t = after(t, l.rest[p].data)
	}
	l.put(p, kSyncStart, t, after(t, l.m.cost.syncStart), idStep, -1)
	t = after(t, l.m.cost.syncStart+l.rest[p].dark)
	l.begin[p], l.clock[p] = t, t
}

// pass runs one op: receive, compute, send.
func (l *lane) pass(o op, i, dp int) {
	m := l.m
	at := o.stage*m.Microbatches + o.micro
	k, recv, send, from, to := kForward, kRecvForward, kSendForward, o.stage-1, o.stage+1
	took, sent := l.fwd, l.sentF
	if o.back {
		k, recv, send, from, to = kBackward, kRecvBackward, kSendBackward, o.stage+1, o.stage-1
		took, sent = l.bwd, l.sentB
	}
	t := l.clock[o.stage]
	if from >= 0 && from < m.PP {
		got := after(max(t, sent[from*m.Microbatches+o.micro]), m.cost.recv)
		l.put(o.stage, recv, t, got, idForwardBackward, -1)
		t = got
	}
	l.note(o, i, dp, t)
	done := after(t, took[at])
	l.put(o.stage, k, t, done, idForwardBackward, o.micro)
	if to >= 0 && to < m.PP {
		arrived := after(done, m.cost.send+int64(m.effects.transfer(i, dp, o.stage, to)))
		l.put(o.stage, send, done, arrived, idForwardBackward, -1)
		done = arrived
		sent[at] = done
	}
	l.clock[o.stage] = done
}

// note remembers where the hung worker stops: the start of the backward it
// hangs in, or of its last one.
func (l *lane) note(o op, i, dp int, t int64) {
	h := l.m.effects.hang
	if h == nil || !o.back || o.stage != h.pp || !h.at(i, dp) {
		return
	}
	if o.micro == h.micro(l.m.Microbatches) {
		l.lastBack = t
	}
}

// close is a stage from its last microbatch to the collectives among its own
// ranks. Peers of a rank that hangs on the host wait there for ever.
func (l *lane) close(p, i, dp int) {
	m, t := l.m, l.clock[p]
	l.end[p] = t
	l.span(p, event{start: l.begin[p], end: t, id: idForwardBackward, parent: idStep, kind: kForwardBackward})
	if every(i, m.GCEvery) {
		l.put(p, kGC, t, after(t, l.rest[p].gc), idStep, -1)
		t = after(t, l.rest[p].gc)
	}
	t = after(t, l.rest[p].tail)
	done := after(t, m.cost.layernorm)
	if h := m.effects.hang; h != nil && h.within == 0 && h.pp == p && h.at(i, dp) {
		done = never
	}
	l.put(p, kLayernorm, t, done, idStep, -1)
	l.ready[p] = done
}

// embedding couples the first and the last stage of a lane, which share the
// embedding's gradients.
func (l *lane) embedding() {
	last := l.m.PP - 1
	if last == 0 {
		return
	}
	done := after(max(l.ready[0], l.ready[last]), l.m.cost.embedding)
	for _, p := range []int{0, last} {
		l.put(p, kEmbedding, l.ready[p], done, idStep, -1)
		l.ready[p] = done
	}
}

package store

import (
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// points stores the points of a metrics request.
func (p *put) points() {
	for i := range p.b.Metrics {
		m := &p.b.Metrics[i]
		n := m.Points.Len()
		if n == 0 {
			continue
		}
		at := p.pointsAt(m)
		proc, err := p.from(m.Scope, at)
		if err != nil {
			p.reject(n, err)
			continue
		}
		before := proc.w.metrics.bytes
		a := proc.w.metrics.add(p.s.gen, p.b, m, proc.pub.Index, at)
		p.s.othersUsed += proc.w.metrics.bytes - before
		p.book(proc.w, tally{kept: a.kept, evicted: a.evicted})
		proc.w.pointsFrom[p.sender] += a.kept
		p.took(proc, at, n)
	}
}

// records stores the records of a logs request.
func (p *put) records() {
	for i := range p.b.Logs {
		l := &p.b.Logs[i]
		at := p.recordAt(l)
		proc, err := p.from(l.Scope, at)
		if err != nil {
			p.reject(1, err)
			continue
		}
		before := proc.w.logs.bytes
		evicted := proc.w.logs.add(p.b, l, proc.pub.Index)
		p.s.othersUsed += proc.w.logs.bytes - before // may be less
		p.book(proc.w, tally{kept: 1})
		proc.w.logsFrom(p.sender)
		proc.w.logsEvicted(int(evicted))
		p.took(proc, at, 1)
	}
}

// pointsAt is when points came: in a file that does not say, their latest time.
func (p *put) pointsAt(m *otlp.Metric) int64 {
	at := p.at
	for k := m.Points.From; p.at == 0 && k < m.Points.To; k++ {
		at = max(at, saneTime(p.b.Points[k].Time))
	}
	return at
}

// recordAt is the same of a log record.
func (p *put) recordAt(l *otlp.Log) int64 {
	if p.at != 0 {
		return p.at
	}
	return max(saneTime(l.Time), saneTime(l.Observed))
}

// took notes that a process sent something.
func (p *put) took(proc *procWriter, at int64, n int) {
	if p.at == 0 {
		p.s.noteTime(at, true)
	}
	proc.w.touch(at)
	proc.touch(p.b.Signal, at, n)
	if proc.group != nil && len(proc.group.members) > 1 {
		proc.group.classify()
	}
}

// saneTime is a time of a sender's clock that can be one, else 0.
func saneTime(t uint64) int64 {
	if run.Sane(t, t) != 0 {
		return 0
	}
	return int64(t)
}

// logSegment is how many consecutive records a sender sent.
type logSegment struct {
	from *sender
	n    int
}

// logsFrom notes who sent the record that was just kept.
func (w *runWriter) logsFrom(from *sender) {
	if n := len(w.logFrom); n > 0 && w.logFrom[n-1].from == from {
		w.logFrom[n-1].n++
		return
	}
	w.logFrom = append(w.logFrom, logSegment{from, 1})
}

// logsEvicted takes the n oldest records out of the accounts of who sent them.
func (w *runWriter) logsEvicted(n int) {
	for n > 0 {
		seg := &w.logFrom[0]
		k := min(n, seg.n)
		t := tally{kept: -k, evicted: k}
		w.s.ledger.book(run.Logs, t)
		w.ledger.book(run.Logs, t)
		seg.from.ledger.book(run.Logs, t)
		seg.n -= k
		n -= k
		if seg.n == 0 {
			w.logFrom = w.logFrom[1:]
		}
	}
}

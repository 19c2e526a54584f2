package store

import (
	"hash/maphash"
	"math/bits"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// Exporters send a request again when its answer did not come in time: OTLP is
// at least once. Spans that come twice are known by their ids, points and log
// records have none, so their requests are known as a whole: the same bytes from
// the same sender within resentWithin, in which every item has a time. Those are
// the same data and count as duplicates. A recording that is read knows them just
// as the receiver did.
const (
	resentWithin = int64(5 * time.Minute) // as long as the Collector retries; SDKs do for a minute
	resentCost   = 32                     // bytes of a request that is remembered, in a table
	mostResent   = 1 << 18
)

// resent is the requests of late. Of two halves the older is dropped when the
// newer is full, so at least limit are remembered.
type resent struct {
	seed       maphash.Seed
	limit      int
	newer, old map[uint64]int64 // receive time by key; 0 in files that have none
}

func newResent(limit int) resent {
	return resent{seed: maphash.MakeSeed(), limit: limit, newer: map[uint64]int64{}}
}

// key tells requests apart, 0 for one that is not to be told; two have the same
// one by accident in one of 2^64 pairs.
func (r *resent) key(sig run.Signal, from *run.Receipt) uint64 {
	if sig == run.Traces || len(from.Raw) == 0 {
		return 0
	}
	h := maphash.String(r.seed, from.Sender) + uint64(sig)
	return bits.RotateLeft64(h, 29)*0x9e3779b97f4a7c15 ^ maphash.Bytes(r.seed, from.Raw)
}

// again reports whether a request came before, and remembers it.
func (r *resent) again(key uint64, at int64) bool {
	before, ok := r.newer[key]
	if !ok {
		before, ok = r.old[key]
	}
	if len(r.newer) >= r.limit {
		r.newer, r.old = map[uint64]int64{}, r.newer
	}
	r.newer[key] = at
	return ok && max(at-before, before-at) <= resentWithin
}

func (r *resent) bytes() uint64 { return uint64(len(r.newer)+len(r.old)) * resentCost }

// repeats reports whether the request is one that was stored before.
func (p *put) repeats(key uint64) bool {
	return key != 0 && p.s.resent.again(key, p.at) && dated(p.b)
}

// dated reports whether equal bytes mean equal data. A point is what a series says
// at a time. Log records are events, and two may have the same text: then their
// times must tell them apart, which those of whole seconds do not.
func dated(b *otlp.Batch) bool {
	fine := b.Signal == run.Metrics
	for i := range b.Points {
		if b.Points[i].Time == 0 {
			return false
		}
	}
	for i := range b.Logs {
		l := &b.Logs[i]
		if l.Time == 0 && l.Observed == 0 {
			return false
		}
		fine = fine || l.Time%1e9 != 0 || l.Observed%1e9 != 0
	}
	return fine
}

// duplicates counts the items of a request that was stored before. Its senders are
// alive.
func (p *put) duplicates() {
	for i := range p.b.Metrics {
		m := &p.b.Metrics[i]
		p.duplicate(m.Scope, p.pointsAt(m), m.Points.Len())
	}
	for i := range p.b.Logs {
		l := &p.b.Logs[i]
		p.duplicate(l.Scope, p.recordAt(l), 1)
	}
}

func (p *put) duplicate(scope uint32, at int64, n int) {
	if n == 0 {
		return
	}
	proc, err := p.from(scope, at)
	if err != nil {
		p.reject(n, err)
		return
	}
	p.book(proc.w, tally{duplicates: n})
	proc.w.touch(at)
	pub := proc.own()
	pub.Last = max(pub.Last, at)
}

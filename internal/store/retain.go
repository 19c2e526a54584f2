package store

import (
	"runtime/metrics"
	"weak"

	"github.com/beamline-hpc/lensview/internal/run"
)

// charge brings what the run is charged for a chunk and its dictionary up to
// date.
func (w *runWriter) charge(c *chunkWriter) {
	w.recharge(&c.bytes, c.size())
	w.recharge(&c.dict.charged, c.dict.bytes)
}

func (w *runWriter) recharge(charged *uint64, now uint64) {
	w.bytes += now - *charged // wraps around to a decrease
	w.s.used += now - *charged
	*charged = now
}

// release lets a dictionary go when no retained chunk uses it and no more will.
func (w *runWriter) release(d *dict) {
	if d.chunks == 0 && d != w.dict {
		w.recharge(&d.charged, 0)
	}
}

// retain brings spans within their share. What is cold is sealed first, which
// loses nothing; then the oldest chunks are evicted, from the run that uses most:
// the one farthest beyond its fair share. It reports whether anything changed. It
// may give up the store's lock on the way.
func (s *Store) retain() (changed bool) {
	for share := s.spanShare(); s.used > share; share = s.spanShare() {
		if w, c := s.coldest(); c != nil && s.sealer.ready(s.budget) {
			if !s.sealer.busy {
				s.seal(w, c)
				changed = true
				continue
			}
			if s.used <= share+share/sealSlack {
				break // another request is sealing, and goes on until it fits
			}
		}
		w := s.largest()
		if w == nil {
			break
		}
		w.evict()
		changed = true
	}
	return changed
}

// sealSlack is the part of their share that spans may use beyond it while a chunk
// is being sealed.
const sealSlack = 8

func (s *Store) largest() (most *runWriter) {
	for _, w := range s.runs {
		if len(w.chunks) > 0 && (most == nil || w.bytes > most.bytes) {
			most = w
		}
	}
	return most
}

// evict lets the oldest chunk go. Its spans leave "kept" in the accounts of the
// store, the run and whoever sent them.
func (w *runWriter) evict() {
	c := w.chunks[0]
	w.uncool(c)
	c.eachSender(func(from *sender, live int) {
		t := tally{kept: -live, evicted: live}
		w.s.ledger.book(run.Traces, t)
		w.ledger.book(run.Traces, t)
		from.ledger.book(run.Traces, t)
	})
	w.s.gone = append(w.s.gone, goneChunk{weak.Make(c.anchor), c.bytes, gcCycles()})
	w.chunks = append(w.chunks[:0], w.chunks[1:]...)
	w.recharge(&c.bytes, 0)
	c.dict.chunks--
	w.release(c.dict)
	w.changed()
}

// goneChunk is an evicted chunk that a snapshot may still hold.
type goneChunk struct {
	anchor weak.Pointer[anchor]
	bytes  uint64
	cycle  uint64 // of the garbage collector, when it was evicted
}

// anchor is held by a chunk and all views of it: while it is alive, so are the
// chunk's columns.
type anchor struct{ _ [16]byte }

// pinned is the bytes of evicted chunks that snapshots still hold: those that
// outlived a whole garbage collection.
func (s *Store) pinned() (bytes uint64) {
	if len(s.gone) == 0 {
		return 0
	}
	now := gcCycles()
	kept := s.gone[:0]
	for _, g := range s.gone {
		if now < g.cycle+2 {
			kept = append(kept, g)
			continue
		}
		if g.anchor.Value() != nil {
			kept = append(kept, g)
			bytes += g.bytes
		}
	}
	clear(s.gone[len(kept):])
	s.gone = kept
	return bytes
}

// gcCycles is how many garbage collections have been completed.
func gcCycles() uint64 {
	sample := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

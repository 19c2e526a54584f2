package store

import (
	"weak"

	"github.com/klauspost/compress/zstd"
)

// hotPart is the part of a run's bytes that stays as it came: its newest spans,
// which are looked at most.
const hotPart = 4

// sealerBytes is what packing and opening hold beside chunks and buffers: the tables
// of the compressor and what a chunk takes on its way.
const sealerBytes = 1 << 20

// leastToSeal is the budget below which nothing is sealed: what sealing itself
// holds would be too large a part of it.
const leastToSeal = 16 << 20

// sealer packs chunks, one at a time. It is made when it is first needed.
type sealer struct {
	pack  packer
	cache *sealCache // nil before
	off   bool       // it could not be made
	busy  bool       // a chunk is being packed, without the store's lock
	kept  uint64     // bytes of the packer's buffers
}

// newEncoder is what packs streams. Its tables are small: streams are.
func newEncoder() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false),
		zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(256<<10))
}

// ready makes the sealer on first use. When that fails, chunks are evicted
// instead of sealed.
func (l *sealer) ready(budget uint64) bool {
	if l.cache == nil && !l.off {
		l.off = budget < leastToSeal || l.make(budget) != nil
	}
	return l.cache != nil
}

func (l *sealer) make(budget uint64) error {
	enc, err := newEncoder()
	if err != nil {
		return err
	}
	l.pack.enc = enc
	l.cache, err = newSealCache(budget)
	return err
}

// bytes is what the sealer holds, open chunks included.
func (l *sealer) bytes() uint64 {
	if l.cache == nil {
		return 0
	}
	return sealerBytes + l.kept + l.cache.held()
}

// coldest is the chunk to seal next, nil when there is none: the oldest of the
// run that holds most as it came.
func (s *Store) coldest() (of *runWriter, c *chunkWriter) {
	for _, w := range s.runs {
		if next := w.sealable(); next != nil && (of == nil || w.bytes-w.coldBytes > of.bytes-of.coldBytes) {
			of, c = w, next
		}
	}
	return of, c
}

// sealable is the run's oldest chunk that is full and not sealed, nil while what
// came last is all that is hot.
func (w *runWriter) sealable() *chunkWriter {
	if w.coldChunks == len(w.chunks) || w.bytes-w.coldBytes <= w.bytes/hotPart {
		return nil
	}
	if c := w.chunks[w.coldChunks]; c.closed {
		return c
	}
	return nil
}

// seal packs a chunk. The store's lock is given up meanwhile: requests and
// readers go on, and may evict it.
func (s *Store) seal(w *runWriter, c *chunkWriter) {
	cold := s.packed(c)
	if w.chunk(c.seq) == c {
		w.cool(c, cold)
	}
}

func (s *Store) packed(c *chunkWriter) *sealed {
	s.sealer.busy = true
	s.mu.Unlock()
	defer func() {
		s.sealer.pack.reset()
		s.mu.Lock()
		s.sealer.busy, s.sealer.kept = false, s.sealer.pack.held()
	}()
	shapes := c.Chunk.dict.shapes
	return &sealed{blob: s.sealer.pack.seal(&c.cols, shapes), rows: len(c.cols.start), shapes: shapes, cache: s.sealer.cache}
}

// cool puts the packed columns in the place of those that came. Snapshots keep
// what they have, and are charged for it.
func (w *runWriter) cool(c *chunkWriter, cold *sealed) {
	w.coldChunks++
	if cold.size() < c.cols.size() { // else packing is of no use
		w.s.gone = append(w.s.gone, goneChunk{weak.Make(c.anchor), c.bytes, gcCycles()})
		c.cols, c.cold, c.view, c.anchor = columns{}, cold, nil, &anchor{}
		w.charge(c)
		w.changed()
	}
	w.coldBytes += c.bytes
}

// uncool is for a chunk, the oldest, that is about to go.
func (w *runWriter) uncool(c *chunkWriter) {
	if w.coldChunks > 0 {
		w.coldChunks--
		w.coldBytes -= c.bytes
	}
	if c.cold != nil {
		w.s.sealer.cache.drop(c.cold)
	}
}

package store

import (
	"sync"
	"sync/atomic"
)

// sealed is the columns of a full chunk, packed: about a third of their size. It
// never changes. Readers see columns; the first one unpacks them, and a small
// cache keeps those of the chunks that were read last.
type sealed struct {
	blob   []byte
	rows   int
	shapes []*shape // of the chunk's dictionary: they say how values are laid out
	cache  *sealCache

	mu     sync.Mutex // held while it is unpacked
	opened atomic.Pointer[columns]
	hit    atomic.Bool // read since the cache last looked
}

// open is the columns. Whoever has them may keep them: they are let go by the
// garbage collector.
func (s *sealed) open() *columns {
	if k := s.opened.Load(); k != nil {
		if !s.hit.Load() {
			s.hit.Store(true)
		}
		return k
	}
	return s.load()
}

func (s *sealed) load() *columns {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := s.opened.Load(); k != nil {
		return k // another reader was first
	}
	k := unseal(s.blob, s.rows, s.shapes, s.cache.dec)
	s.opened.Store(k)
	s.cache.add(s, k.size())
	return k
}

// page is what large allocations are rounded to.
const page = 8 << 10

// size is what it holds in bytes, the room beyond its end included.
func (s *sealed) size() uint64 {
	const self = 160
	return uint64(len(s.blob)+page-1)/page*page + self
}

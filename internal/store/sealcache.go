package store

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// sealCache holds the columns of the sealed chunks that were read last. It is
// small: who reads all spans reads each chunk once, and who looks at a trace
// reads few. Those that were read since it last looked stay for another turn
// (the clock algorithm).
type sealCache struct {
	limit uint64
	dec   *zstd.Decoder

	mu    sync.Mutex
	list  []cachedColumns // the next to go first
	bytes uint64
}

type cachedColumns struct {
	of    *sealed
	bytes uint64
}

// Of the budget, sealed chunks that are open may take this part, and at least
// room for one small chunk.
const (
	cachePart  = 64
	leastCache = 256 << 10
)

func newSealCache(budget uint64) (*sealCache, error) {
	dec, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return &sealCache{limit: max(leastCache, budget/cachePart), dec: dec}, nil
}

// add takes a chunk that was just opened in, and lets others go for it. It stays
// itself, however large it is.
func (c *sealCache) add(s *sealed, bytes uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, cachedColumns{s, bytes})
	c.bytes += bytes
	for c.bytes > c.limit && len(c.list) > 1 {
		first := c.list[0]
		c.list = append(c.list[:0], c.list[1:]...)
		if first.of == s || first.of.hit.Swap(false) {
			c.list = append(c.list, first)
			continue
		}
		c.close(first)
	}
}

func (c *sealCache) close(e cachedColumns) {
	e.of.opened.Store(nil)
	c.bytes -= e.bytes
}

// drop lets a chunk go that the store no longer has.
func (c *sealCache) drop(s *sealed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, e := range c.list {
		if e.of == s {
			c.list = append(c.list[:i], c.list[i+1:]...)
			c.close(e)
			return
		}
	}
}

// held is the bytes of the columns that are open.
func (c *sealCache) held() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

package ingest

import (
	"math/bits"
	"sync"
)

// pool is a mem.BufferPool of power-of-two classes. grpc's own pool clears
// each large buffer before it hands it out, which costs an eighth of the
// server; every byte of ours is overwritten before it is read.
type pool struct{ classes [maxClass + 1]sync.Pool }

const (
	minClass = 8  // 256 bytes: below, a class costs more than it saves
	maxClass = 27 // 128 MiB: above, buffers are left to the collector
)

// Get returns a buffer of length n whose content is arbitrary.
func (p *pool) Get(n int) *[]byte {
	c := class(n)
	if c > maxClass {
		b := make([]byte, n)
		return &b
	}
	if b, ok := p.classes[c].Get().(*[]byte); ok {
		*b = (*b)[:n]
		return b
	}
	b := make([]byte, n, 1<<c)
	return &b
}

// Put takes back what Get gave. Anything else is ignored.
func (p *pool) Put(b *[]byte) {
	if c := class(cap(*b)); c <= maxClass && cap(*b) == 1<<c {
		p.classes[c].Put(b)
	}
}

// class is the smallest c of at least minClass with n <= 1<<c.
func class(n int) int {
	if n <= 1<<minClass {
		return minClass
	}
	return bits.Len(uint(n - 1))
}

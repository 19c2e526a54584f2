package store

import (
	"encoding/binary"
	"math/bits"

	"github.com/beamline-hpc/lensview/internal/run"
)

// bloom is a filter of trace ids: ten bits and four probes an id, under 2 %
// false positives.
type bloom []uint64

const (
	bloomBits   = 10
	bloomProbes = 4
)

func newBloom(ids []run.TraceID) bloom {
	b := make(bloom, len(ids)*bloomBits/64+1)
	for _, t := range ids {
		b.each(t, func(word, bit uint64) bool { b[word] |= bit; return true })
	}
	return b
}

func (b bloom) has(t run.TraceID) bool {
	all := true
	b.each(t, func(word, bit uint64) bool {
		all = b[word]&bit != 0
		return all
	})
	return all
}

// each calls f for the probes of t until f says no (double hashing, Kirsch and
// Mitzenmacher 2006).
func (b bloom) each(t run.TraceID, f func(word, bit uint64) bool) {
	h1, h2 := bits.Mul64(binary.LittleEndian.Uint64(t[:8])^0x9e3779b97f4a7c15, binary.LittleEndian.Uint64(t[8:])^0xbf58476d1ce4e5b9)
	h1 ^= h2
	h2 |= 1
	n := uint64(len(b)) * 64
	for range bloomProbes {
		i, _ := bits.Mul64(h1, n) // h1 scaled to 0 … n-1
		if !f(i>>6, 1<<(i&63)) {
			return
		}
		h1 += h2
	}
}

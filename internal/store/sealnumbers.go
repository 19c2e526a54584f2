package store

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// How the numbers of a column are written: as they are, or each as the
// difference to the one before.
const (
	plainNumbers byte = iota
	deltaNumbers
)

// wholeNumber is what columns hold.
type wholeNumber interface {
	~int | ~int64 | ~uint16 | ~uint32 | ~uint64
}

// packNumbers writes a column of numbers in whichever way has less information, by
// the frequencies of its bytes.
func packNumbers[T wholeNumber](p *packer, vals []T) {
	room := 1 + binary.MaxVarintLen64*len(vals)
	plain, delta := &p.plain, &p.delta
	plain.reset(room, plainNumbers)
	delta.reset(room, deltaNumbers)
	last := int64(0)
	for _, t := range vals {
		v := int64(t)
		plain.varint(v)
		delta.varint(v - last) // may wrap around, and does so back again
		last = v
	}
	if plain.information() < delta.information() {
		p.put(plain.bytes())
		return
	}
	p.put(delta.bytes())
}

// counted is bytes and how often each is among them.
type counted struct {
	buf   []byte
	n     int
	count [256]uint32
}

// reset begins with one byte and makes room for that many.
func (c *counted) reset(room int, first byte) {
	if len(c.buf) < room {
		c.buf = make([]byte, room)
	}
	clear(c.count[:])
	c.buf[0], c.n = first, 1
}

func (c *counted) bytes() []byte { return c.buf[:c.n] }

// varint adds a number as binary.AppendVarint writes it.
func (c *counted) varint(v int64) {
	u := zigzag(v)
	for u >= 0x80 {
		b := byte(u) | 0x80
		c.buf[c.n] = b
		c.count[b]++
		c.n++
		u >>= 7
	}
	c.buf[c.n] = byte(u)
	c.count[byte(u)]++
	c.n++
}

// information is the bits of what was added by the frequencies of its bytes
// (Shannon's entropy), near enough to compare two ways to write the same.
func (c *counted) information() (bits float64) {
	bits = timesLog(uint32(c.n - 1))
	for _, n := range c.count {
		bits -= timesLog(n)
	}
	return bits
}

// timesLog is n · log2 n, with the logarithm straight between powers of two.
func timesLog(n uint32) float64 {
	if n == 0 {
		return 0
	}
	k := bits.Len32(n) - 1
	f := float64(n)
	return f * (float64(k-1) + f/float64(uint32(1)<<k))
}

// numbers reads a column of n numbers.
func (u *unpacker) numbers(n int) []int64 {
	b := u.next()
	delta := b[0] == deltaNumbers
	b = b[1:]
	out := make([]int64, n)
	last := int64(0)
	for i := range out {
		v := varint(&b)
		if delta {
			v += last
		}
		out[i], last = v, v
	}
	return out
}

// words writes numbers of eight bytes, all first bytes before all second ones:
// what is alike in them, such as exponents, comes together.
func (p *packer) words(vals []int64) {
	n := len(vals)
	b := p.eights(n)
	for i, v := range vals {
		for k := range 8 {
			b[k*n+i] = byte(v >> (8 * k))
		}
	}
	p.put(b)
}

// ids writes span ids as the words that they are, the last byte first.
func (p *packer) ids(ids []run.SpanID) {
	n := len(ids)
	b := p.eights(n)
	for i := range ids {
		for k, c := range ids[i] {
			b[(7-k)*n+i] = c
		}
	}
	p.put(b)
}

// eights is a buffer for n numbers of eight bytes.
func (p *packer) eights(n int) []byte {
	p.wide = slices.Grow(p.wide[:0], 8*n)
	return p.wide[:8*n]
}

// words reads n numbers of eight bytes.
func (u *unpacker) words(n int) []int64 {
	b := u.next()
	out := make([]int64, n)
	for k := range 8 {
		for i, c := range b[k*n : (k+1)*n] {
			out[i] |= int64(c) << (8 * k)
		}
	}
	return out
}

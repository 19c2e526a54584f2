package store

import (
	"encoding/binary"
	"math"
	"slices"
)

// How the numbers of a column are written: as they are, or each as the
// difference to the one before.
const (
	plainNumbers byte = iota
	deltaNumbers
)

// numbers writes a column of numbers in whichever way has less information, by
// the frequencies of its bytes.
func (p *packer) numbers(vals []int64) {
	plain, delta := append(p.plain[:0], plainNumbers), append(p.delta[:0], deltaNumbers)
	last := int64(0)
	for _, v := range vals {
		plain = binary.AppendVarint(plain, v)
		delta = binary.AppendVarint(delta, v-last) // may wrap around, and does so back again
		last = v
	}
	p.plain, p.delta = plain, delta
	if information(plain) < information(delta) {
		p.put(plain)
		return
	}
	p.put(delta)
}

// information is the bits of b by the frequencies of its bytes (Shannon's
// entropy).
func information(b []byte) (bits float64) {
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	for _, n := range count {
		if n > 0 {
			bits -= float64(n) * math.Log2(float64(n)/float64(len(b)))
		}
	}
	return bits
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
	b := slices.Grow(p.plain[:0], 8*n)[:8*n]
	p.plain = b
	for i, v := range vals {
		for k := range 8 {
			b[k*n+i] = byte(v >> (8 * k))
		}
	}
	p.put(b)
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

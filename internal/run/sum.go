package run

import (
	"cmp"
	"math"
	"math/bits"
)

// Sum is an exact sum of nanoseconds, 128 bits wide: 2^64 durations of 2^64 ns
// fit. The zero Sum is 0.
type Sum struct{ hi, lo uint64 }

// Add adds one duration.
func (s *Sum) Add(ns uint64) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, ns, 0)
	s.hi += carry
}

// AddSum adds another sum.
func (s *Sum) AddSum(o Sum) {
	var carry uint64
	s.lo, carry = bits.Add64(s.lo, o.lo, 0)
	s.hi, _ = bits.Add64(s.hi, o.hi, carry)
}

// Mean is the sum over n in nanoseconds, rounded to the nearest (halves up). It
// is 0 for n = 0: a caller without samples shows "–", not 0.
func (s Sum) Mean(n uint64) uint64 {
	switch {
	case n == 0:
		return 0
	case s.hi >= n: // only when fewer than n durations were added
		return math.MaxUint64
	}
	mean, rest := bits.Div64(s.hi, s.lo, n)
	if rest >= n-rest && mean < math.MaxUint64 {
		mean++
	}
	return mean
}

// Total is the sum in nanoseconds; ok is false when it is beyond 64 bits.
func (s Sum) Total() (ns uint64, ok bool) { return s.lo, s.hi == 0 }

// Seconds is the sum in seconds, to the precision of float64.
func (s Sum) Seconds() float64 {
	return (float64(s.hi)*0x1p64 + float64(s.lo)) / 1e9
}

// Compare orders two sums: −1, 0 or +1.
func (s Sum) Compare(o Sum) int {
	if s.hi != o.hi {
		return cmp.Compare(s.hi, o.hi)
	}
	return cmp.Compare(s.lo, o.lo)
}

// IsZero reports whether nothing but zeros was added.
func (s Sum) IsZero() bool { return s == Sum{} }

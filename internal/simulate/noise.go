package simulate

import "math/rand/v2"

// mix is the finalizer of splitmix64 (Steele et al., OOPSLA '14), a bijection
// of 64-bit integers: distinct inputs give distinct outputs.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// dice draws the noise of the model. It is seated anew before each use, so a
// draw depends on the seat alone and any part of a run can be computed again.
type dice struct {
	src *rand.PCG
	*rand.Rand
}

func newDice() dice {
	src := rand.NewPCG(0, 0)
	return dice{src: src, Rand: rand.New(src)}
}

// What a seat is for: equal numbers in different rooms draw different noise.
const (
	roomSkew uint64 = iota + 1
	roomWorker
	roomSlot
	roomValues
	roomSession
	roomDemo
	roomRotation
)

// seat starts the draws of one place: a room and two numbers within it.
func (d dice) seat(seed, room uint64, a, b int) {
	d.src.Seed(seed, mix(room<<56^uint64(a)<<28^uint64(b)))
}

// around is 1 with a relative standard deviation of sigma, never below a half.
func (d dice) around(sigma float64) float64 {
	return max(0.5, 1+sigma*d.NormFloat64())
}

// between is uniform in [lo, hi).
func (d dice) between(lo, hi float64) float64 { return lo + (hi-lo)*d.Float64() }

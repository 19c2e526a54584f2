package simulate

import (
	"math"
	"testing"
)

func TestDiceDependOnTheirSeatAlone(t *testing.T) {
	a, b := newDice(), newDice()
	a.seat(1, roomWorker, 2, 3)
	first := [3]uint64{a.Uint64(), a.Uint64(), a.Uint64()}
	b.seat(9, roomSlot, 1, 1)
	b.NormFloat64()
	b.seat(1, roomWorker, 2, 3)
	if got := [3]uint64{b.Uint64(), b.Uint64(), b.Uint64()}; got != first {
		t.Errorf("the same seat drew %x, then %x", first, got)
	}
	for _, other := range []struct {
		seed, room uint64
		a, b       int
	}{{2, roomWorker, 2, 3}, {1, roomSlot, 2, 3}, {1, roomWorker, 3, 2}, {1, roomWorker, 2, 4}} {
		a.seat(other.seed, other.room, other.a, other.b)
		if a.Uint64() == first[0] {
			t.Errorf("seat %+v draws the same", other)
		}
	}
}

func TestDiceRanges(t *testing.T) {
	d := newDice()
	d.seat(1, roomValues, 0, 0)
	sum, n := 0.0, 20_000
	for range n {
		if v := d.between(2, 3); v < 2 || v >= 3 {
			t.Fatalf("between(2, 3) = %g", v)
		}
		v := d.around(1)
		if v < 0.5 {
			t.Fatalf("around(1) = %g", v)
		}
		sum += d.around(0.01)
	}
	if mean := sum / float64(n); math.Abs(mean-1) > 0.001 {
		t.Errorf("mean of around(0.01) = %g", mean)
	}
}

func TestMixIsInjective(t *testing.T) {
	seen := make(map[uint64]bool, 1<<17)
	for i := range uint64(1 << 16) {
		seen[mix(i)] = true
		seen[mix(i<<40|1<<39)] = true
	}
	if len(seen) != 1<<17 {
		t.Errorf("%d outputs of %d inputs", len(seen), 1<<17)
	}
}

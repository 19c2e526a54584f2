package run

import (
	"math"
	"testing"
	"time"
)

// What lies behind every time that can be true is never the newest.
func TestBeyond(t *testing.T) {
	for ns, want := range map[uint64]bool{
		0: false, 1_760_000_000_000: false, 1_760_000_000_000_000_000: false, math.MaxInt64: true, math.MaxUint64: true,
		uint64(time.Date(2199, 12, 31, 0, 0, 0, 0, time.UTC).UnixNano()): false,
		uint64(time.Date(2201, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()):   true,
	} {
		if got := Beyond(ns); got != want {
			t.Errorf("Beyond(%d) = %v, want %v", ns, got, want)
		}
		if got := Beyond(ns); got && Sane(ns, ns) == 0 {
			t.Errorf("%d is beyond and yet sane", ns)
		}
	}
}

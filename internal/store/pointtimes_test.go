package store

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A point whose time cannot be true counts, and is never the newest of its series:
// neither do later values hide behind it, nor resets.
func TestPointsOfImpossibleTimes(t *testing.T) {
	for name, odd := range map[string]uint64{"none": 0, "milliseconds": 1760000000000, "2^63-1": math.MaxInt64, "2^64-1": math.MaxUint64} {
		s := newMetricSet(defaultMetricLimits(1 << 20))
		feed(s, 1, 0, metricBatch(t, counter("c", number(t0+10, 1, 10), number(odd, 1, 7), number(t0+20, 1, 30), number(t0+30, 25, 5), number(t0+40, 25, 15))))
		m := s.snapshot()[0]
		if r := m.Roll; r.Points != 5 || r.Last != 15 || r.LastTime != t0+40 || r.Max != 30 || r.Min != 5 {
			t.Errorf("%s: %+v", name, r)
		}
		if d := cmp.Diff([]uint64{t0 + 30}, m.Series[0].ResetAt); d != "" {
			t.Errorf("%s: resets (-want +got)\n%s", name, d)
		}
	}
}

// Where no point has a better time, the one that came last is the newest.
func TestPointsOfImpossibleTimesOnly(t *testing.T) {
	for name, odd := range map[string]uint64{"milliseconds": 1760000000000, "2^64-1": math.MaxUint64} {
		s := newMetricSet(defaultMetricLimits(1 << 20))
		feed(s, 1, 0, metricBatch(t, gauge("g", number(odd, 0, 1), number(odd, 0, 2))))
		if r := s.snapshot()[0].Roll; r.Last != 2 || r.LastTime == 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// A start that cannot be true does not hide the restarts after it.
func TestResetAfterAnImpossibleStart(t *testing.T) {
	s := newMetricSet(defaultMetricLimits(1 << 20))
	feed(s, 1, 0, metricBatch(t, counter("c", number(t0+10, t0, 10), number(t0+20, math.MaxUint64, 20), number(t0+30, t0+25, 30))))
	if r := s.snapshot()[0].Series[0].ResetAt; len(r) == 0 || r[len(r)-1] != t0+30 {
		t.Errorf("resets at %v, want one at %d", r, t0+30)
	}
}

package run_test

import (
	"math"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

const t0 = 1_760_000_000_000_000_000 // 2025-10-09T08:53:20Z

func TestSane(t *testing.T) {
	const first, last = 946_684_800_000_000_000, 7_258_118_400_000_000_000
	tests := []struct {
		name       string
		start, end uint64
		want       run.Mark
	}{
		{"a second", t0, t0 + 1e9, 0},
		{"no time at all", t0, t0, 0},
		{"end before start", t0, t0 - 1, run.EndsBefore},
		{"start absent", 0, t0, run.ZeroStart},
		{"still open", t0, 0, run.Open},
		{"nothing sent", 0, 0, run.ZeroStart | run.Open},
		{"start in seconds", 1_760_000_000, t0, run.BadTime},
		{"start in milliseconds", 1_760_000_000_000, t0, run.BadTime},
		{"start in microseconds", 1_760_000_000_000_000, t0, run.BadTime},
		{"both in milliseconds", 1_760_000_000_000, 1_760_000_000_500, run.BadTime},
		{"start 2^64-1", math.MaxUint64, t0, run.BadTime},
		{"end 2^64-1", t0, math.MaxUint64, run.BadTime},
		{"end 2^63, Go's year 1754 and its like", t0, 1 << 63, run.BadTime},
		{"bad and open", 1, 0, run.BadTime | run.Open},
		{"first possible", first, first + 1, 0},
		{"one before it", first - 1, first + 1, run.BadTime},
		{"last possible", last - 1, last, 0},
		{"one behind it", last, last + 1, run.BadTime},
	}
	for _, tt := range tests {
		got := run.Sane(tt.start, tt.end)
		if got != tt.want {
			t.Errorf("%s: Sane(%d, %d) = %b, want %b", tt.name, tt.start, tt.end, got, tt.want)
		}
		if got.Has(run.NoDuration) != (tt.want != 0) {
			t.Errorf("%s: mark %b and yet a duration", tt.name, got)
		}
	}
}

func FuzzSane(f *testing.F) {
	f.Add(uint64(t0), uint64(t0+1))
	f.Add(uint64(0), uint64(math.MaxUint64))
	f.Fuzz(func(t *testing.T, start, end uint64) {
		m := run.Sane(start, end)
		const centuries = 200 * 366 * 24 * 3600 * 1e9
		if m == 0 && (end < start || end-start > centuries) {
			t.Errorf("Sane(%d, %d) = 0 for a duration of %d", start, end, end-start)
		}
		if m&^run.NoDuration != 0 {
			t.Errorf("Sane(%d, %d) = %b: not about time", start, end, m)
		}
	})
}

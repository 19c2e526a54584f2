package runsscreen

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func BenchmarkHeadlineOf1024Ranks(b *testing.B) {
	s := uitest.Snapshot(b, uitest.Training{Run: "r", Ranks: 1024, Steps: 3, Slow: 5})
	var kept Kept
	for b.Loop() {
		HeadlineOf(s, s.Runs[0], &kept)
	}
}

func BenchmarkRunsOf1024Ranks(b *testing.B) {
	d := uitest.Data(b, uitest.Snapshot(b, uitest.Training{Run: "r", Ranks: 1024, Steps: 100, Slow: 5}), "")
	for b.Loop() {
		rowsOf(d)
	}
}

package overviewscreen

import (
	"os"
	"strconv"
	"testing"

	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// BenchmarkFirstAnswer is what a person waits for after a large file was opened. A
// run of 16,384 ranks (LENSVIEW_RANKS=16384) takes a minute to make.
func BenchmarkFirstAnswer(b *testing.B) {
	ranks := 1024
	if n, err := strconv.Atoi(os.Getenv("LENSVIEW_RANKS")); err == nil {
		ranks = n
	}
	c := simulate.Config{Seed: 1, TP: 8, PP: 8, DP: max(1, ranks/64), Iterations: 24, Detail: simulate.ForwardBackward}
	s := simtest.New(b, c, store.Config{Files: true, Budget: 4 << 30}).End()
	q := question{run: s.Runs[0].ID}
	b.Run(strconv.Itoa(ranks)+" ranks", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var k kept
			if a := k.look(screen.Data{Snapshot: s, Run: q.run}, q, true); !a.found {
				b.Fatal("no answer")
			}
		}
	})
}

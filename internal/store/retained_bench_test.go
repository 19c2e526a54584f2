package store

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// BenchmarkRetained is the bytes that a retained span of 8 attributes takes, hot
// and sealed, for two shapes of data: as the store charges it (chunks and
// dictionaries), by the growth of the heap and by that of the process. The last
// two include the table of recent spans, 1/32 of the budget at most, and what
// never ages; "fixed" is what the store charges for those.
func BenchmarkRetained(b *testing.B) {
	for _, shape := range dataShapes() {
		for _, seal := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/sealed=%v", shape.name, seal), func(b *testing.B) {
				for b.Loop() {
					retained(b, shape, seal)
				}
			})
		}
	}
}

func retained(b *testing.B, shape dataShape, seal bool) {
	before, resident := settled(b)
	s := filled(b, shape, 512<<20, 500_000)
	if seal {
		s.sealAll(b)
	}
	after, residentAfter := settled(b)
	snap := s.Snapshot()
	spans := float64(snap.Accounts[run.Traces].Kept)
	b.ReportMetric(float64(s.used)/spans, "B/span")
	b.ReportMetric(float64(snap.Memory.Fixed)/spans, "fixedB/span")
	b.ReportMetric(float64(after-before)/spans, "heapB/span")
	b.ReportMetric(float64(residentAfter-resident)/spans, "processB/span")
	runtime.KeepAlive(s)
}

// settled is the heap and the resident memory of the process with nothing that
// could be given back.
func settled(b *testing.B) (alive, resident uint64) {
	alive = heap()
	debug.FreeOSMemory()
	return alive, status(b, "VmRSS")
}

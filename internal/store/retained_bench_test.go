package store

import (
	"context"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// retainedBudget is small enough to be filled in seconds. What does not grow with
// the spans follows from the budget, so a span costs the same with any.
const retainedBudget = 128 << 20

// BenchmarkRetained is the bytes that a retained span of 8 attributes takes in a
// store that is full: hot, when the next span would make it seal; sealed, when the
// next one would make it evict and all chunks are packed; and full, as it is then,
// with its newest quarter hot. Each as the store charges it (chunks and
// dictionaries; fixed beside them), by the growth of the heap and by that of the
// process, which hold both.
func BenchmarkRetained(b *testing.B) {
	for _, shape := range dataShapes() {
		for _, form := range []string{"hot", "sealed", "full"} {
			b.Run(shape.name+"/"+form, func(b *testing.B) {
				for b.Loop() {
					alive, resident := settled(b)
					s := filledUp(b, shape, retainedBudget, form)
					r := perSpan(b, s, alive, resident)
					b.ReportMetric(r.spans/1e6, "Mspans")
					b.ReportMetric(r.data, "B/span")
					b.ReportMetric(r.fixed, "fixedB/span")
					b.ReportMetric(r.heap, "heapB/span")
					b.ReportMetric(r.process, "processB/span")
				}
			})
		}
	}
}

// perSpanBytes is what a retained span takes, by who says it.
type perSpanBytes struct{ spans, data, fixed, heap, process float64 }

func perSpan(t testing.TB, s *Store, alive, resident uint64) (r perSpanBytes) {
	aliveNow, residentNow := settled(t)
	snap := s.Snapshot()
	r.spans = float64(snap.Accounts[run.Traces].Kept)
	r.data, r.fixed = float64(s.used)/r.spans, float64(snap.Memory.Fixed)/r.spans
	r.heap, r.process = float64(aliveNow-alive)/r.spans, float64(residentNow)/r.spans-float64(resident)/r.spans
	runtime.KeepAlive(s)
	return r
}

// settled is the heap and the resident memory of the process with nothing that
// could be given back.
func settled(t testing.TB) (alive, resident uint64) {
	alive = heap()
	debug.FreeOSMemory()
	return alive, status(t, "VmRSS")
}

// filledUp is a store with as many spans as it holds in a form, from 64 ranks.
func filledUp(t testing.TB, shape dataShape, budget uint64, form string) *Store {
	r := rand.New(rand.NewPCG(3, 4))
	s := New(Config{Budget: budget, Clock: func() int64 { return int64(t0) }})
	for i := 0; !s.isFull(form); i++ {
		var spans []run.Span
		for k := range 16 {
			spans = append(spans, shape.spans(r, i%64, int64(i/64*16+k))...)
		}
		body := request(benchResource(i%64, 64), spans...)
		if _, err := s.Put(context.Background(), decode(t, run.Traces, body), run.Receipt{At: int64(t0), Sender: "host"}); err != nil {
			t.Fatal(err)
		}
	}
	if form == "sealed" {
		s.sealAll(t)
	}
	return s
}

// isFull reports whether the store holds all that it can in a form.
func (s *Store) isFull(form string) bool {
	if form == "hot" {
		return s.used+1<<20 > s.spanShare() && s.spanShare() > 0 && len(s.runs) > 0
	}
	return s.Snapshot().Accounts[run.Traces].Evicted > 0
}

// A retained span of 8 attributes takes at most 100 bytes, 40 when it is sealed, in
// two shapes of data; and what the store says it holds is what the heap has grown
// by. The budget is the smallest that seals: beside it what is fixed weighs more
// than with a usual one, so that is taken off here.
func TestBytesOfASpan(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector has its own memory")
	}
	for _, shape := range dataShapes()[:2] {
		for form, most := range map[string]float64{"hot": 100, "sealed": 40} {
			t.Run(shape.name+"/"+form, func(t *testing.T) {
				alive, resident := settled(t)
				r := perSpan(t, filledUp(t, shape, leastToSeal, form), alive, resident)
				t.Logf("%.0f spans: %.1f bytes, %.1f fixed; heap %.1f", r.spans, r.data, r.fixed, r.heap)
				if max(r.data, r.heap-r.fixed) > most {
					t.Errorf("a span takes %.1f bytes by the store, %.1f by the heap, at most %.0f", r.data, r.heap-r.fixed, most)
				}
				if off := r.heap / (r.data + r.fixed); off < 0.9 || off > 1.1 {
					t.Errorf("the store says %.1f bytes, the heap %.1f", r.data+r.fixed, r.heap)
				}
			})
		}
	}
}

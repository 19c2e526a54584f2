package analysis

import (
	"context"
	"math/rand/v2"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// bigRun is a run of many ranks (tp 8, pp 8) with a slow worker. Each step has
// three spans.
func bigRun(b testing.TB, ranks, iterations int) *store.Snapshot {
	b.Helper()
	now := int64(t0)
	st := store.New(store.Config{Budget: 2 << 30, Clock: func() int64 { return now }})
	r := rand.New(rand.NewPCG(1, 2))
	f := &feed{TB: b, Store: st, now: now}
	const each = 8
	var batch otlp.Batch
	for from := 0; from < iterations; from += each {
		for rank := range ranks {
			w := otlp.NewBuilder(run.Traces)
			w.Resource(trainer(rank, ranks, sizes(8, 8, int64(max(1, ranks/64)))...), 0, "")
			for i := from; i < min(from+each, iterations); i++ {
				at := uint64(i) * 10 * sec
				c := 6*sec + uint64(r.IntN(int(50*ms)))
				if rank/8 == 5 {
					c += 2 * sec
				}
				root := f.mk("megatron.train_step", at, at+10*sec, num("megatron.iteration", int64(i)))
				root.TraceID = traceID(f.ids)
				for _, s := range []run.Span{under(root, f.mk("x.microbatch.forward", at, at+c)), under(root, f.mk("x.grad_sync.finish", at+c, at+9*sec)), root} {
					w.Span(&s)
				}
			}
			now = int64(t0 + uint64(from+each)*10*sec)
			if err := batch.Decode(run.Traces, w.Bytes()); err != nil {
				b.Fatal(err)
			}
			if _, err := st.Put(context.Background(), &batch, run.Receipt{At: now, Sender: "big"}); err != nil {
				b.Fatal(err)
			}
		}
	}
	return st.Snapshot()
}

// BenchmarkDiagnose answers for a large run. LENSVIEW_ITERATIONS=512 takes
// minutes and 3 GB to make the run.
func BenchmarkDiagnose(b *testing.B) {
	iterations := 32
	if n, err := strconv.Atoi(os.Getenv("LENSVIEW_ITERATIONS")); err == nil {
		iterations = n
	}
	for _, ranks := range []int{1024, 16384} {
		s := bigRun(b, ranks, iterations)
		b.Run(strconv.Itoa(ranks)+" ranks", func(b *testing.B) {
			b.ReportAllocs()
			from := cpuTime(b)
			defer func() { b.ReportMetric(float64((cpuTime(b)-from).Milliseconds())/float64(b.N), "cpu-ms/op") }()
			for b.Loop() {
				if d := Diagnose(s, s.Runs[0], DiagnoseOptions{}); len(d.Stragglers.Found) != 1 {
					b.Fatalf("found %+v", d.Stragglers.Found)
				}
			}
		})
	}
}

// cpuTime is the processor time of the test so far: on a machine shared with
// others the wall clock says little.
func cpuTime(b testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkHealth looks at a large run on thousands of hosts.
func BenchmarkHealth(b *testing.B) {
	for _, ranks := range []int{1024, 16384} {
		s := bigRun(b, ranks, 24)
		b.Run(strconv.Itoa(ranks)+" ranks", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				HealthNotices(s, s.Runs[0])
			}
		})
	}
}

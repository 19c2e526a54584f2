package tracescreen

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// bushy is a store with one trace of n spans: a step of phases of ops.
func bushy(t testing.TB, n int) *store.Store {
	f := newFeed(t)
	root := f.mk("step", 0, 10*sec, uitest.Int("megatron.iteration", 1))
	var batch []run.Span
	flush := func() {
		f.send(trainer(0), batch...)
		batch = batch[:0]
	}
	var phase run.Span
	for i := range n - 1 {
		from := uint64(i) * 10 * sec / uint64(n)
		if i%100 == 0 {
			phase = under(root, f.mk(fmt.Sprintf("nv.mcore.forward_backward.%d", i/100), from, from+1000*sec/uint64(n)))
			batch = append(batch, phase)
		} else {
			batch = append(batch, under(phase, f.mk("nv.mcore.microbatch.forward", from, from+5*sec/uint64(n), uitest.Int("micro", i))))
		}
		if len(batch) == 4000 {
			flush()
		}
	}
	batch = append(batch, root)
	flush()
	return f.Store
}

// chain is a store with one trace of n spans, each inside the one before.
func chain(t testing.TB, n int) *store.Store {
	f := newFeed(t)
	var batch []run.Span
	parent := f.mk("level", 0, 10*sec)
	batch = append(batch, parent)
	for i := range uint64(n - 1) {
		parent = under(parent, f.mk("level", i+1, 10*sec-i-1))
		batch = append(batch, parent)
	}
	f.send(trainer(0), batch...)
	return f.Store
}

func sized(b *testing.B, run func(b *testing.B, s *store.Store)) {
	for _, n := range []int{50_000, 200_000} {
		s := bushy(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) { run(b, s) })
	}
	deep := chain(b, 15_000)
	b.Run("15000-deep", func(b *testing.B) { run(b, deep) })
}

// cpu is the processor time of this process so far: on a machine that others use
// too, the clock on the wall says little.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// timed runs f over and over and reports processor time beside the wall's.
func timed(b *testing.B, f func()) {
	from := cpu()
	for b.Loop() {
		f()
	}
	b.ReportMetric(float64(cpu()-from)/float64(b.N)/1e6, "cpu-ms/op")
}

// BenchmarkOpen is from the request to the first picture, as the program makes
// it: data, then the target.
func BenchmarkOpen(b *testing.B) {
	sized(b, func(b *testing.B, s *store.Store) {
		d := uitest.Data(b, s.Snapshot(), "")
		timed(b, func() {
			m := New(plain())
			m.SetSize(160, 45)
			first := m.SetData(d)
			second := m.SetTarget(screen.Target{TraceID: uitest.TraceID(1)})
			uitest.Settle(m, tea.Batch(first, second))
			if m.View(); m.content.total == 0 {
				b.Fatal("nothing was opened")
			}
		})
	})
}

// BenchmarkMove is from a key to the picture.
func BenchmarkMove(b *testing.B) {
	sized(b, func(b *testing.B, s *store.Store) {
		m := openTrace(b, s, uitest.TraceID(1))
		m.SetSize(160, 45)
		for _, k := range [][]string{{"pgdown"}, {"j"}, {"G", "g"}, {"o"}, {"O"}, {"+", "-"}, {"x"}, {"s"}, {"enter"}} {
			b.Run(k[0], func(b *testing.B) {
				timed(b, func() {
					uitest.Press(m, k...)
					m.View()
				})
			})
		}
		b.Run("find", func(b *testing.B) {
			uitest.Press(m, "f")
			timed(b, func() {
				uitest.Press(m, "9", "backspace")
				m.View()
			})
			uitest.Press(m, "esc")
		})
	})
}

// BenchmarkFresh is a new snapshot of a trace that did not change, with rows
// folded.
func BenchmarkFresh(b *testing.B) {
	sized(b, func(b *testing.B, s *store.Store) {
		m := openTrace(b, s, uitest.TraceID(1))
		uitest.Press(m, "j", "o")
		snaps := [2]*store.Snapshot{s.Snapshot(), s.Snapshot()}
		i := 0
		timed(b, func() {
			i++
			uitest.Give(b, m, uitest.Data(b, snaps[i%2], ""))
			m.View()
		})
	})
}

package tracescreen

import (
	"fmt"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// odd is a trace with one span of every unusual kind.
func odd(t testing.TB) *store.Store {
	f := newFeed(t)
	root := f.mk("train_step", 0, 10*sec, uitest.Int("megatron.iteration", 5))
	failed := under(root, f.mk("checkpoint.save", sec, 3*sec))
	failed.Status, failed.StatusMessage = run.StatusError, "disk full"
	cut := under(root, f.mk("forward_backward", 2*sec, 9*sec, run.Attr{Key: "nemo.span.truncated", Value: run.BoolValue(true)}))
	open := under(root, f.mk("optimizer", 4*sec, 0))
	open.End = 0
	early := under(root, f.mk("nccl.all_reduce", 0, 3*sec))
	early.Start -= 2 * sec
	backwards := under(root, f.mk("clip_grad", 5*sec, 4*sec))
	lost := under(root, f.mk("layer", 6*sec, 7*sec))
	lost.Parent = uitest.SpanID(99)
	f.send(trainer(0), failed, cut, open, backwards, lost, root)
	f.send(trainer(1, uitest.Text("host.name", "node2")), early)
	return f.Store
}

// hung is a run of which one rank hangs in its sixth step.
func hung() simulate.Config {
	c := small()
	c.Faults = []simulate.Fault{simulate.Hang{Rank: 5, Iteration: 5}}
	return c
}

func TestGoldens(t *testing.T) {
	for name, prepare := range map[string]func() *Model{
		"nothing":      func() *Model { return open(t, newFeed(t).Store, "") },
		"step":         func() *Model { return open(t, simulated(t, small(), 12*time.Second), "") },
		"details":      func() *Model { return pressed(open(t, simulated(t, small(), 12*time.Second), ""), "enter") },
		"lanes":        func() *Model { return pressed(open(t, simulated(t, small(), 12*time.Second), ""), "v", "v", "v", "v") },
		"tail":         func() *Model { return pressed(open(t, simulated(t, hung(), 12*time.Second), "rank=4"), "]") },
		"filtered":     func() *Model { return open(t, simulated(t, small(), 12*time.Second), "p2p and rank=4") },
		"nothing-left": func() *Model { return open(t, simulated(t, small(), 12*time.Second), "nosuchname") },
		"odd":          func() *Model { return openTrace(t, odd(t), uitest.TraceID(1)) },
		"odd-details":  func() *Model { return pressed(openTrace(t, odd(t), uitest.TraceID(1)), "x", "enter") },
		"zoomed": func() *Model {
			return pressed(open(t, simulated(t, small(), 12*time.Second), ""), "f", "recv_backward", "enter", "z")
		},
		"finding": func() *Model { return pressed(open(t, simulated(t, small(), 12*time.Second), ""), "f", "backward") },
		"folded":  func() *Model { return pressed(open(t, simulated(t, small(), 12*time.Second), ""), "O") },
		"deep":    func() *Model { return pressed(openTrace(t, chain(t, 15_000), uitest.TraceID(1)), "G") },
		"1024-ranks": func() *Model {
			return pressed(open(t, uitest.Store(t, uitest.Training{Run: "big", Ranks: 1024, Steps: 3, Slow: 5}), ""), "v", "v", "v", "v")
		},
	} {
		m := prepare()
		for _, size := range uitest.Sizes() {
			m.SetSize(size[0], size[1]-2) // header and footer are the program's
			uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
		}
	}
}

func pressed(m *Model, keys ...string) *Model {
	uitest.Press(m, keys...)
	return m
}

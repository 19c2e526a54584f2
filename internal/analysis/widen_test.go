package analysis

import (
	"context"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// A step of no length is found all the same: columns know times as float32.
func TestTreeOfAStepWithoutLength(t *testing.T) {
	const t0 = 1760000000000000000
	w := otlp.NewBuilder(run.Traces)
	w.Resource([]run.Attr{{Key: "nemo.run.id", Value: run.StringValue("r")}, {Key: "dl.rank", Value: run.IntValue(0)}}, 0, "")
	w.Scope(run.Scope{Name: "t"})
	for i := range 3 {
		at := t0 + uint64(i)*1_234_567_891
		w.Span(&run.Span{TraceID: run.TraceID{1, byte(i)}, ID: run.SpanID{byte(i + 1)}, Name: "train_step", Kind: 1, Start: at, End: at,
			Attrs: []run.Attr{{Key: "dl.iteration", Value: run.IntValue(int64(i))}}})
	}
	b := new(otlp.Batch)
	if err := b.Decode(run.Traces, w.Bytes()); err != nil {
		t.Fatal(err)
	}
	s := store.New(store.Config{Files: true})
	if _, err := s.Put(context.Background(), b, run.Receipt{}); err != nil {
		t.Fatal(err)
	}
	snap := s.Snapshot()
	r := snap.Runs[0]
	for i, win := range r.Windows(0) {
		if tree := IterationTree(snap, r, []int{0}, Widen(win)); len(tree.Nodes) != 1 || tree.Nodes[0].ID() != (run.SpanID{byte(i + 1)}) {
			t.Errorf("step %d: %d spans", i, len(tree.Nodes))
		}
	}
}

package analysis

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestTraceCountsSmall(t *testing.T) {
	f := newFeed(t)
	root := f.mk("root", sec, 10*sec)
	other := f.mk("root", 0, sec)
	other.TraceID = traceID(2)
	stray := f.mk("stray", 0, sec)
	stray.Parent = root.ID // of another trace: not its parent
	stray.TraceID = traceID(2)
	f.spans(trainer(0, 1), root, other, stray,
		under(root, f.mk("early", 0, sec)), under(root, f.mk("fine", sec, sec)))
	f.spans(trainer(0, 1), root)
	got := TraceCounts(f.Snapshot())
	want := Traces{Count: 2, Orphans: 1, StartsBefore: 1, Duplicates: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPartsAgree counts the same spans in one part and in many.
func TestPartsAgree(t *testing.T) {
	f := newFeed(t)
	rng := rand.New(rand.NewPCG(8, 9))
	for trace := range uint64(50) {
		all := random(f, rng, 20)
		for i := range all {
			all[i].TraceID = traceID(trace)
		}
		f.spans(trainer(int(trace%3), 3), all...)
	}
	s := f.Snapshot()
	want := TraceCounts(s)
	if want.Count != 50 || want.Orphans == 0 || want.StartsBefore == 0 {
		t.Errorf("%+v", want)
	}
	for _, parts := range []uint64{2, 7, 100} {
		if diff := cmp.Diff(want, traceCounts(s, 1000, parts), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%d parts: %s", parts, diff)
		}
	}
}

func TestTraceCountsOfNothing(t *testing.T) {
	if diff := cmp.Diff(Traces{}, TraceCounts(newFeed(t).Snapshot())); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkTraceCounts(b *testing.B) {
	f := newFeed(b)
	fill(f, 200_000)
	s := f.Snapshot()
	b.ReportAllocs()
	for b.Loop() {
		TraceCounts(s)
	}
}

package analysis

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// FuzzTree builds spans from bytes (id, parent, start, length, rank) and looks
// for what must hold in any tree: each span once, parents before children, and
// the same tree when they arrive backwards.
func FuzzTree(f *testing.F) {
	f.Add([]byte{1, 0, 0, 9, 0, 2, 1, 1, 2, 0, 3, 2, 1, 1, 1})
	f.Add([]byte{1, 2, 0, 1, 0, 2, 1, 0, 1, 0, 3, 3, 5, 5, 1})
	f.Add([]byte{1, 0, 1, 0, 0, 1, 0, 1, 0, 1, 2, 1, 0, 255, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		type sent struct {
			rank int
			span run.Span
		}
		var all []sent
		ids := map[[2]byte]bool{}
		for ; len(data) >= 5 && len(all) < 40; data = data[5:] {
			rank := data[4] % 3
			if key := [2]byte{data[0], rank}; data[0] == 0 || ids[key] {
				continue // a resent span is the store's matter
			} else {
				ids[key] = true
			}
			s := run.Span{TraceID: traceID(1), ID: spanID(uint64(data[0])), Parent: spanID(uint64(data[1])), Name: "s", Start: t0 + uint64(data[2])*ms}
			s.End = s.Start + uint64(data[3])*ms
			if data[3] == 255 {
				s.End = 0
			}
			all = append(all, sent{int(rank), s})
		}
		shapes := make([][][2]any, 2)
		for way := range shapes {
			fd := newFeed(t)
			fd.ids = 1000
			for rank := range 3 { // so that processes are numbered alike
				fd.spans(trainer(rank, 3), fd.mk("other", 0, ms))
			}
			for i := range all {
				if way == 1 {
					i = len(all) - 1 - i
				}
				fd.spans(trainer(all[i].rank, 3), all[i].span)
			}
			tr := fd.tree(traceID(1))
			if len(tr.Nodes) != len(all)+3 {
				t.Fatalf("%d nodes of %d spans", len(tr.Nodes), len(all)+3)
			}
			counts := TraceCounts(fd.Snapshot())
			if !ambiguous(ids) && (counts.Orphans != tr.Orphans || counts.Cycles != tr.Cycles) {
				t.Fatalf("counts %+v, tree %d orphans, %d cycles", counts, tr.Orphans, tr.Cycles)
			}
			for i := range tr.Nodes {
				shapes[way] = append(shapes[way], [2]any{tr.Nodes[i].ID(), tr.Nodes[i].Depth})
			}
		}
		if diff := cmp.Diff(shapes[0], shapes[1]); diff != "" {
			t.Fatalf("the tree depends on the order of arrival: %s", diff)
		}
	})
}

// ambiguous reports ids that several ranks sent: a child of another rank then
// has more than one parent to choose from, and where these start at the same
// time only the tree looks at who sent them.
func ambiguous(ids map[[2]byte]bool) bool {
	seen := map[byte]bool{}
	for key := range ids {
		if seen[key[0]] {
			return true
		}
		seen[key[0]] = true
	}
	return false
}

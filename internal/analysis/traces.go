package analysis

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Traces is how the retained spans of a snapshot hang together.
type Traces struct {
	Count        int // distinct trace ids
	Orphans      int // spans whose parent is not there
	StartsBefore int // spans that start before their parent
	Cycles       int // chains of parents that never end
	Duplicates   uint64
	Shared       []SharedIDs // processes of a run that sent the same span ids
}

// SharedIDs are processes of one run that sent spans of the same trace and span
// ids: a seeded random generator, most likely.
type SharedIDs struct {
	Run       *store.Run
	Processes []int // in rising order
	Spans     int   // spans whose id another process sent before
}

// TraceCounts looks at all retained spans. Parents resolve inside the process,
// then inside the run by trace, then anywhere by trace. It works on a bounded
// part of the traces at a time: about 60 bytes for each of a million spans.
func TraceCounts(s *store.Snapshot) Traces {
	n := uint64(0)
	for _, r := range s.Runs {
		n += Scope{Run: r}.retained()
	}
	return traceCounts(s, n, n/maxAssembled+1)
}

// maxAssembled is about how many spans are looked at together.
const maxAssembled = 1 << 20

func traceCounts(s *store.Snapshot, spans, parts uint64) Traces {
	t := Traces{Duplicates: s.Accounts[run.Traces].Duplicates}
	shared := map[int]*SharedIDs{}
	for part := range parts {
		x := newSpanIndex(placesOf(s, spans, part, parts))
		t.count(x)
		t.share(s, x, shared)
	}
	for i := range s.Runs {
		if sh := shared[i]; sh != nil {
			t.Shared = append(t.Shared, *sh)
		}
	}
	return t
}

// placesOf lists the spans, of so many, whose traces fall into a part.
func placesOf(s *store.Snapshot, spans, part, parts uint64) []place {
	out := make([]place, 0, spans/parts+1)
	for ri, r := range s.Runs {
		r.EachSpan(func(c *store.Chunk, i int) bool {
			if parts == 1 || hashID(c.TraceID(i), run.SpanID{})%parts == part {
				out = append(out, place{uint32(ri), uint32(i), c})
			}
			return true
		})
	}
	return out
}

func (t *Traces) count(x *spanIndex) {
	t.Count += distinctTraces(x.spans)
	parents := make([]int32, len(x.spans))
	for i := range x.spans {
		parents[i] = -1
		if x.spans[i].parent().IsZero() {
			continue
		}
		if parents[i] = x.parent(i); parents[i] < 0 {
			t.Orphans++
		} else if lag(x.spans[i], x.spans[parents[i]]) > 0 {
			t.StartsBefore++
		}
	}
	t.Cycles += len(cycles(parents))
}

func distinctTraces(spans []place) int {
	h, n := newHashTable(len(spans)), 0
	for i := range spans {
		trace := spans[i].trace()
		if h.insert(hashID(trace, run.SpanID{}), int32(i), func(j int32) bool {
			return spans[j].trace() == trace
		}) == int32(i) {
			n++
		}
	}
	return n
}

// lag is by how many nanoseconds a span starts before its parent, 0 when it does
// not or when one of the starts is not sane.
func lag(child, parent place) uint64 {
	if (child.marks() | parent.marks()).Has(run.ZeroStart | run.BadTime) {
		return 0
	}
	if child.start() >= parent.start() {
		return 0
	}
	return parent.start() - child.start()
}

// cycles finds the chains of parents that never end and gives one member of
// each: the one with the smallest place.
func cycles(parents []int32) []int32 {
	const fresh, done = 0, -1
	var out []int32
	seen := make([]int32, len(parents)) // which walk met it
	for i := range parents {
		walk := int32(i + 1)
		at := int32(i)
		for at >= 0 && seen[at] == fresh {
			seen[at] = walk
			at = parents[at]
		}
		if at >= 0 && seen[at] == walk {
			out = append(out, smallest(parents, at))
		}
		for at = int32(i); at >= 0 && seen[at] == walk; at = parents[at] {
			seen[at] = done
		}
	}
	return out
}

func smallest(parents []int32, at int32) int32 {
	low := at
	for p := parents[at]; p != at; p = parents[p] {
		low = min(low, p)
	}
	return low
}

// share notes spans whose ids another process of the run sent too.
func (t *Traces) share(s *store.Snapshot, x *spanIndex, shared map[int]*SharedIDs) {
	for i := range x.spans {
		sp := &x.spans[i]
		first := x.any.find(hashID(sp.trace(), sp.id()), func(j int32) bool {
			o := &x.spans[j]
			return o.id() == sp.id() && o.run == sp.run && o.trace() == sp.trace()
		})
		if first == int32(i) || x.spans[first].sameProcess(*sp) {
			continue
		}
		sh := shared[int(sp.run)]
		if sh == nil {
			sh = &SharedIDs{Run: s.Runs[sp.run]}
			shared[int(sp.run)] = sh
		}
		sh.Spans++
		sh.add(x.spans[first].process())
		sh.add(sp.process())
	}
}

// add keeps Processes sorted and without repetition.
func (sh *SharedIDs) add(p int) {
	at, ok := slices.BinarySearch(sh.Processes, p)
	if !ok {
		sh.Processes = slices.Insert(sh.Processes, at, p)
	}
}

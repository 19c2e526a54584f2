package analysis

import (
	"cmp"
	"slices"

	"github.com/beamline-hpc/lensview/internal/store"
)

// rowRef is a row of a chunk of a scope.
type rowRef struct {
	scope int
	chunk *store.Chunk
	row   int
}

// longest keeps the most longest of the spans that it is given. It holds twice
// as many and throws half away, which is O(1) a span.
type longest struct {
	most int
	list []timed
	bar  uint64 // once most are there, what is not longer has no place
}

type timed struct {
	ns  uint64
	seq int // order of arrival
	at  rowRef
}

func (l *longest) add(ns uint64, at rowRef) {
	if l.most == 0 || len(l.list) >= l.most && ns <= l.bar {
		return
	}
	l.list = append(l.list, timed{ns, len(l.list), at})
	if len(l.list) >= 2*l.most {
		l.trim()
	}
}

// trim keeps the longest, of equals those that came first, in their order.
func (l *longest) trim() {
	slices.SortFunc(l.list, func(a, b timed) int {
		return cmp.Or(cmp.Compare(b.ns, a.ns), cmp.Compare(a.seq, b.seq))
	})
	l.list = l.list[:min(len(l.list), l.most)]
	for i := range l.list {
		l.list[i].seq = i
	}
	if len(l.list) == l.most && l.most > 0 {
		l.bar = l.list[l.most-1].ns
	}
}

// sorted is what is kept, the longest first.
func (l *longest) sorted() []rowRef {
	l.trim()
	out := make([]rowRef, len(l.list))
	for i := range l.list {
		out[i] = l.list[i].at
	}
	return out
}

package store

import (
	"fmt"
	"hash/fnv"

	"github.com/beamline-hpc/lensview/internal/run"
)

// maxWord is how long a text may be that becomes a name or a key: nothing that
// only grows may hold more of it.
const maxWord = 1 << 10

// word is a text as a name or key: itself, or when it is too long its beginning
// with a hash of the whole, so that different ones stay different.
func word(s string) string {
	if len(s) <= maxWord {
		return s
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(s)) // never fails
	return fmt.Sprintf("%s%016x", clip(s, maxWord-20), h.Sum64())
}

// bounded is an identity whose texts are words.
func bounded(id run.Identity) run.Identity {
	for _, s := range []*string{&id.Run, &id.Attempt, &id.Service, &id.Role, &id.Instance, &id.Host, &id.User, &id.Job} {
		*s = word(*s)
	}
	return id
}

// How much of its resource attributes a process may keep, in bytes: nearly any,
// until all processes together have taken their part of the budget.
const (
	resourceRoom  = 64 << 10
	resourceFloor = 2 << 10 // is in perProcess
	resourcePart  = 8       // of the budget
	smallAttr     = 256     // goes before those that are larger
)

// lean leaves attributes out until the rest takes no more than room. What is
// small stays first: identities and sizes are, command lines are not.
func lean(attrs []run.Attr, room int) (kept []run.Attr, cut int) {
	if attrsCost(attrs) <= room {
		return attrs, 0
	}
	stays := make([]bool, len(attrs))
	for _, most := range []int{smallAttr, room} {
		for i := range attrs {
			if n := attrsCost(attrs[i : i+1]); !stays[i] && n <= most && n <= room {
				stays[i] = true
				room -= n
			}
		}
	}
	for i, a := range attrs {
		if stays[i] {
			kept = append(kept, a)
		}
	}
	return kept, len(attrs) - len(kept)
}

// setResource is what a process shows as its resource, charged to the budget.
func (p *procWriter) setResource(attrs []run.Attr) {
	s := p.w.s
	room := resourceRoom
	if s.resourceBytes > s.budget/resourcePart {
		room = resourceFloor
	}
	kept, cut := lean(attrs, room)
	if cut > 0 {
		p.w.notices.add(run.Notice{
			Code: "resource-cut", Level: run.Info,
			Text: run.Count(cut) + " large resource attributes of a process are not kept, to stay within --memory",
		}, s.now)
	}
	now := uint64(max(0, attrsCost(kept)-resourceFloor))
	s.resourceBytes += now - p.resourceBytes // wraps around to a decrease
	p.resourceBytes = now
	p.own().Resource = kept
}

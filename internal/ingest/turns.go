package ingest

import (
	"context"
	"slices"
	"sync"
)

// turns lets as many in at once as their weights allow, the others in the order in
// which they came.
type turns struct {
	most int64

	mu      sync.Mutex
	free    int64
	waiting []*turn
}

type turn struct {
	weight int64
	come   chan struct{} // closed when it is its turn, nil for one that had it at once
}

func newTurns(most int64) *turns { return &turns{most: most, free: most} }

// try takes a turn of a weight if there is one at once. What weighs more than all is
// let in alone.
func (g *turns) try(weight int64) (*turn, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := &turn{weight: min(weight, g.most)}
	if len(g.waiting) == 0 && t.weight <= g.free {
		g.free -= t.weight
		return t, true
	}
	t.come = make(chan struct{})
	g.waiting = append(g.waiting, t)
	return t, false
}

// wait waits for a turn that try did not give. On ctx's error there is none.
func (g *turns) wait(ctx context.Context, t *turn) error {
	select {
	case <-t.come:
		return nil
	case <-ctx.Done():
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.waiting, t); i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	} else {
		g.free += t.weight // it came just now
	}
	g.next() // those behind may fit where this one did not
	return ctx.Err()
}

// end gives a turn back.
func (g *turns) end(t *turn) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.free += t.weight
	g.next()
}

func (g *turns) next() {
	for len(g.waiting) > 0 && g.waiting[0].weight <= g.free {
		g.free -= g.waiting[0].weight
		close(g.waiting[0].come)
		g.waiting = g.waiting[1:]
	}
}

package store

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

// sizesKey is whose sizes are alike: roles number their ranks separately.
type sizesKey struct {
	role  string
	world int
}

// layouts remembers the layouts of a run's processes.
type layouts struct {
	sent  map[sizesKey]run.Sizes
	known map[layoutKey]run.Layout // the zero Layout where sizes do not fit
}

type layoutKey struct {
	sizes run.Sizes
	world int
}

func newLayouts() layouts {
	return layouts{sent: map[sizesKey]run.Sizes{}, known: map[layoutKey]run.Layout{}}
}

func hasSizes(s run.Sizes) bool { return s.TP > 0 || s.PP > 0 || s.DP > 0 }

// noteSizes takes the sizes that a process sent. The first of a role count;
// those that came without get them now.
func (w *runWriter) noteSizes(id run.Identity) {
	if id.Gym || !hasSizes(id.Sizes) {
		return
	}
	if !hasSizes(w.pub.Sizes) {
		w.pub.Sizes = id.Sizes
	}
	key := sizesKey{id.Role, id.WorldSize}
	first, ok := w.layouts.sent[key]
	if !ok {
		w.layouts.sent[key] = id.Sizes
		w.placeAgain(key)
	} else if first != id.Sizes {
		w.notices.add(run.Notice{
			Code: "sizes-differ", Level: run.Warning,
			Text: fmt.Sprintf("ranks disagree about the parallel sizes: rank %d sent tp %s, pp %s, dp %s; others tp %s, pp %s, dp %s",
				id.Rank, size(id.Sizes.TP), size(id.Sizes.PP), size(id.Sizes.DP), size(first.TP), size(first.PP), size(first.DP)),
		}, w.s.now)
	}
}

func size(n int) string {
	if n < 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

func (w *runWriter) placeAgain(key sizesKey) {
	for _, p := range w.procs {
		if id := p.pub.ID; id.Role == key.role && id.WorldSize == key.world && !hasSizes(id.Sizes) {
			w.place(p)
		}
	}
}

// place gives a process its coordinates: those sent, and derived ones where none
// were.
func (w *runWriter) place(p *procWriter) {
	c := w.coordOf(p.pub.ID)
	p.own().Coord = c
	p.stage = w.stageRow(c.PP)
}

func (w *runWriter) coordOf(id run.Identity) run.Coord {
	c := id.Coord
	if id.Gym || id.Rank < 0 {
		return c
	}
	l := w.layout(id)
	derived, ok := l.Coord(id.Rank)
	if !ok {
		return c
	}
	// Along a dimension of size 1 there is nothing to derive.
	fill := func(sent *int, d, size int) {
		if *sent < 0 {
			*sent, c.Derived = d, c.Derived || size > 1
		}
	}
	fill(&c.TP, derived.TP, l.Sizes.TP)
	fill(&c.CP, derived.CP, l.Sizes.CP)
	fill(&c.EP, derived.EP, l.Sizes.EP)
	fill(&c.DP, derived.DP, l.Sizes.DP)
	fill(&c.PP, derived.PP, l.Sizes.PP)
	return c
}

// layout is the layout that holds for a process: sizes that are given override
// those sent.
func (w *runWriter) layout(id run.Identity) run.Layout {
	sizes := id.Sizes
	if !hasSizes(sizes) {
		if of, ok := w.layouts.sent[sizesKey{id.Role, id.WorldSize}]; ok {
			sizes = of
		}
	}
	key := layoutKey{override(sizes, w.s.cfg.Sizes), id.WorldSize}
	l, ok := w.layouts.known[key]
	if !ok {
		var err error
		if l, err = run.NewLayout(key.sizes, key.world, w.s.cfg.Order); err != nil && hasSizes(key.sizes) {
			w.notices.add(run.Notice{Code: "topology", Level: run.Warning, Text: err.Error()}, w.s.now)
		}
		w.layouts.known[key] = l
	}
	return l
}

// override is the sizes sent, where given says nothing else.
func override(sent, given run.Sizes) run.Sizes {
	pick := func(sent, given int) int {
		if given > 0 {
			return given
		}
		return sent
	}
	return run.Sizes{
		TP: pick(sent.TP, given.TP), CP: pick(sent.CP, given.CP), EP: pick(sent.EP, given.EP),
		DP: pick(sent.DP, given.DP), PP: pick(sent.PP, given.PP),
	}
}

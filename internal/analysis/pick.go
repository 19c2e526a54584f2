package analysis

import (
	"context"
	"math"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Branch is one step on the way to a group of Durations: the value of a
// dimension.
type Branch struct {
	By    string
	Value string
	Known bool
}

// PickOptions say which group is looked into and how closely.
type PickOptions struct {
	By      []string // as given to Durations
	Path    []Branch // the way to the group, outermost first; none for everything
	Buckets int      // at most so many of the histogram; 0 for no histogram
	Most    int      // at most so many spans in each list; 0 for no lists
}

// Picked is the retained spans of one group.
type Picked struct {
	Counted   uint64 // spans with a duration
	Beside    uint64 // truncated, invalid and open ones
	Histogram Histogram
	Slowest   []PickedSpan // the longest first; of equals the one that arrived first
	Cut       []PickedSpan // of those beside the newest first
}

// PickedSpan is a span by itself.
type PickedSpan struct {
	Run          *store.Run
	Process      int
	Name         string
	TraceID      run.TraceID
	ID           run.SpanID
	Start        uint64  // unix ns of the sender's clock, as sent
	Duration     float64 // seconds; of a truncated span up to where it was cut; NaN when it has none
	Marks        run.Mark
	Iteration    int64 // the step that it lies in
	HasIteration bool
}

// Pick looks at the retained spans of one group: it groups exactly as Durations
// does. The error is the context's.
func Pick(ctx context.Context, scopes []Scope, opt PickOptions) (Picked, error) {
	p := picker{grouper: newGrouper(withName(opt.By)), opt: opt, slow: longest{most: opt.Most}}
	for k, s := range scopes {
		c := p.cursor(s.Run)
		for _, chunk := range s.Run.Chunks {
			if err := ctx.Err(); err != nil {
				return Picked{}, err
			}
			p.chunk(k, s, c, chunk)
		}
	}
	return p.picked(scopes), nil
}

// picker is one call of Pick.
type picker struct {
	*grouper
	opt   PickOptions
	known []verdict // by node: whether it lies in the group
	ns    []uint64  // for the histogram
	over  *logHist  // instead of ns, when they are too many
	slow  longest
	cut   []rowRef // of those beside, the newest last
	out   Picked
}

type verdict uint8

const (
	unasked verdict = iota
	inside
	outside
)

func (p *picker) chunk(k int, s Scope, c *cursor, ch *store.Chunk) {
	for i := range ch.Len() {
		if ch.Dead(i) || !s.span(ch, i) || !p.holds(c.span(ch, i)) {
			continue
		}
		at := rowRef{scope: k, chunk: ch, row: i}
		ns, ok := ch.Duration(i)
		if !ok {
			p.beside(at)
			continue
		}
		p.out.Counted++
		p.slow.add(ns, at)
		p.count(ns)
	}
}

// holds reports whether a leaf lies in the group.
func (p *picker) holds(leaf int32) bool {
	for int(leaf) >= len(p.known) {
		p.known = append(p.known, unasked)
	}
	if p.known[leaf] == unasked {
		p.known[leaf] = outside
		if p.below(leaf) {
			p.known[leaf] = inside
		}
	}
	return p.known[leaf] == inside
}

// below climbs from a leaf and compares each value with the path's.
func (p *picker) below(node int32) bool {
	if len(p.opt.Path) > len(p.dims) {
		return false
	}
	for ; node > 0; node = p.nodes[node].parent {
		n := &p.nodes[node]
		if int(n.level) > len(p.opt.Path) {
			continue
		}
		d, want := p.dims[n.level-1], p.opt.Path[n.level-1]
		if l := d.labels[n.value]; d.name != want.By || l.text != want.Value || l.known != want.Known {
			return false
		}
	}
	return true
}

func (p *picker) beside(at rowRef) {
	p.out.Beside++
	if p.opt.Most == 0 {
		return
	}
	if len(p.cut) >= 2*p.opt.Most {
		p.cut = append(p.cut[:0], p.cut[p.opt.Most:]...)
	}
	p.cut = append(p.cut, at)
}

// count takes a duration into the histogram.
func (p *picker) count(ns uint64) {
	switch {
	case p.opt.Buckets == 0:
	case p.over != nil:
		p.over.add(ns)
	case len(p.ns) < maxExact:
		p.ns = append(p.ns, ns)
	default:
		p.over = &logHist{}
		for _, v := range p.ns {
			p.over.add(v)
		}
		p.over.add(ns)
		p.ns = nil
	}
}

func (p *picker) picked(scopes []Scope) Picked {
	switch {
	case p.over != nil:
		p.out.Histogram = histogramOfSketch(p.over, p.opt.Buckets)
	case len(p.ns) > 0:
		p.out.Histogram = newHistogram(p.ns, p.opt.Buckets)
	}
	d := describer{scopes: scopes, windows: map[[2]int][]store.Window{}}
	for _, at := range p.slow.sorted() {
		p.out.Slowest = append(p.out.Slowest, d.span(at))
	}
	for i := len(p.cut) - 1; i >= 0 && len(p.out.Cut) < p.opt.Most; i-- {
		p.out.Cut = append(p.out.Cut, d.span(p.cut[i]))
	}
	return p.out
}

// describer reads spans in full.
type describer struct {
	scopes  []Scope
	windows map[[2]int][]store.Window // (scope, process) → its steps
}

func (d *describer) span(at rowRef) PickedSpan {
	c, i := at.chunk, at.row
	s := PickedSpan{
		Run: d.scopes[at.scope].Run, Process: c.Process(i), Name: c.Name(i), TraceID: c.TraceID(i), ID: c.ID(i),
		Start: c.Start(i), Marks: c.Marks(i), Duration: math.NaN(),
	}
	if !s.Marks.Has(run.Open | run.InvalidTime) {
		s.Duration = seconds(c.End(i) - c.Start(i))
	}
	s.Iteration, s.HasIteration = d.iteration(at, s)
	return s
}

// iteration finds the step in which all of a span lies; of a span without an end
// that means anything, its start.
func (d *describer) iteration(at rowRef, s PickedSpan) (int64, bool) {
	if s.Marks.Has(run.InvalidTime) {
		return 0, false
	}
	key := [2]int{at.scope, s.Process}
	list, ok := d.windows[key]
	if !ok {
		list = s.Run.Windows(s.Process)
		d.windows[key] = list
	}
	end := at.chunk.End(at.row)
	if s.Marks.Has(run.NoDuration) {
		end = s.Start
	}
	for _, w := range list {
		slack := slackOf(w)
		if s.Start+slack >= w.Start && end <= w.End+slack && s.Start < w.End {
			return w.Iteration, true
		}
	}
	return 0, false
}

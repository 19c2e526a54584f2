package comparescreen

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// window is iterations as sent, bounds included; the zero window is not chosen.
type window struct{ first, last int64 }

func (w window) chosen() bool { return w != window{} }

// pick is what the user chose. Zero fields are left to what there is.
type pick struct {
	a, b     string // runs
	windows  bool   // of one run, though two could be compared
	wa, wb   window
	swapped  bool
	twoAlone bool // the two runs, though windows were chosen before
}

// question is what is to be compared, besides the snapshot's version. Halves are
// worked out with the answer: they move as the run goes on.
type question struct {
	a, b, filter string
	windows      bool
	wa, wb       window
	swapped      bool
}

// question is what the user, the marks and the runs there are say.
func (m *Model) question() question {
	q := question{wa: m.pick.wa, wb: m.pick.wb, swapped: m.pick.swapped}
	if m.data.Filter != nil {
		q.filter = m.data.Filter.String()
	}
	q.a, q.b = m.runs()
	q.windows = q.a == q.b
	if m.pick.swapped {
		q.a, q.b, q.wa, q.wb = q.b, q.a, q.wb, q.wa
	}
	return q
}

// runs is whom to compare: those chosen, else those marked, else the two of files
// that were opened together, else the one in focus with itself.
func (m *Model) runs() (a, b string) {
	s := m.data.Snapshot
	focus := m.data.Run
	if m.pick.windows {
		return focus, focus
	}
	marked := slices.DeleteFunc(m.data.Marks.Runs(), func(id string) bool { return s.Run(id) == nil })
	switch all := m.comparable(); {
	case s.Run(m.pick.a) != nil || s.Run(m.pick.b) != nil:
		a, b = cmp.Or(m.pick.a, focus), cmp.Or(m.pick.b, focus)
		if s.Run(a) == nil {
			a = focus
		}
		if s.Run(b) == nil {
			b = focus
		}
	case len(marked) >= 2:
		return marked[0], marked[1]
	case len(marked) == 1 && marked[0] != focus:
		return marked[0], focus
	case (s.Clock == store.SenderClock || m.pick.twoAlone) && len(all) >= 2:
		return all[0], all[1]
	default:
		return focus, focus
	}
	return a, b
}

// comparable is the runs with iterations, the one that began first first.
func (m *Model) comparable() []string {
	var runs []*store.Run
	for _, r := range m.data.Snapshot.Runs {
		if r.Seen.Seen > 0 {
			runs = append(runs, r)
		}
	}
	slices.SortStableFunc(runs, func(a, b *store.Run) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.ID, b.ID)) })
	var out []string
	for _, r := range runs {
		out = append(out, r.ID)
	}
	return out
}

// answer is a comparison as plain values.
type answer struct {
	question
	found      bool
	why        string // there is none
	comparison analysis.Comparison
	bounds     window // of the iterations that are kept, where windows are compared
	attempts   int    // of that run
}

// kept is what the job keeps from answer to answer.
type kept struct {
	done screen.Memo[uint64, answer]
}

// comparedEvery is how long a comparison is kept while data come, in nanoseconds:
// it looks at many spans.
const comparedEvery = 5e9

// compare answers. Not for the event loop.
func (k *kept) compare(d screen.Data, q question) answer {
	stamp := d.Snapshot.Version
	if d.Snapshot.Clock == store.ReceiverClock && d.Snapshot.Live {
		stamp = uint64(d.Snapshot.Now) / comparedEvery
	}
	return k.done.Get(fmt.Sprintf("%q %q %q %v %v %v %v", q.a, q.b, q.filter, q.windows, q.wa, q.wb, q.swapped), stamp, func() answer { return compare(d, q) })
}

func compare(d screen.Data, q question) answer {
	out := answer{question: q}
	ra, rb := d.Snapshot.Run(q.a), d.Snapshot.Run(q.b)
	if ra == nil || rb == nil {
		return out
	}
	a, b := sideOf(d, ra), sideOf(d, rb)
	if q.windows {
		if out.why = out.halve(ra); out.why != "" {
			return out
		}
		a.First, a.Last, b.First, b.Last = out.wa.first, out.wa.last, out.wb.first, out.wb.last
		a.Name, b.Name = out.wa.String(), out.wb.String()
	}
	c, err := analysis.Compare(context.Background(), a, b)
	if err != nil {
		out.why = err.Error()
		return out
	}
	out.comparison, out.found = c, true
	return out
}

func (w window) String() string { return fmt.Sprintf("iterations %d–%d", w.first, w.last) }

func sideOf(d screen.Data, r *store.Run) analysis.Side {
	s := analysis.Side{Name: r.ID, Scope: analysis.Scope{Run: r}}
	if d.Filter != nil && !d.Filter.Empty() {
		s.Scope.Filter = d.Filter.Bind(r)
	}
	return s
}

// halve fills in the windows that were not chosen: the halves of what is kept of
// the latest attempt.
func (a *answer) halve(r *store.Run) (why string) {
	var its []int64
	for _, c := range r.Columns {
		if c.Attempt == r.Columns[len(r.Columns)-1].Attempt {
			its = append(its, c.Iteration)
		}
	}
	if len(its) < 2 {
		return fmt.Sprintf("Run %s has no two iterations to compare yet.", r.ID)
	}
	a.bounds, a.attempts = window{its[0], its[len(its)-1]}, len(r.Attempts)
	middle := its[len(its)/2]
	switch {
	case !a.wa.chosen() && !a.wb.chosen():
		a.wa, a.wb = window{its[0], middle - 1}, window{middle, its[len(its)-1]}
		if a.swapped {
			a.wa, a.wb = a.wb, a.wa
		}
	case !a.wa.chosen():
		a.wa = rest(a.bounds, a.wb)
	case !a.wb.chosen():
		a.wb = rest(a.bounds, a.wa)
	}
	return ""
}

// rest is the larger part of the iterations that a window leaves.
func rest(of, w window) window {
	before, after := window{of.first, w.first - 1}, window{w.last + 1, of.last}
	if before.last-before.first > after.last-after.first {
		return before
	}
	return after
}

package overviewscreen

import (
	"cmp"
	"slices"
	"time"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// question is what the page depends on besides the snapshot's version.
type question struct{ run, filter string }

// answer is what is known of the run, as plain values.
type answer struct {
	question
	found   bool
	pending bool // the slow part is not there yet
	facts   facts
	steps   analysis.StepSeries
	counted analysis.Iterations
	slow    slowPart
	checks  []run.Notice // of the instance, the run and its processes
}

// slowPart is what costs more than every snapshot should.
type slowPart struct {
	diagnosis  analysis.Diagnosis
	breakdown  analysis.Breakdown
	bubble     analysis.Bubble
	quantities []quantity
	health     []run.Notice
	next       []jump
	places     []standing // where ranks are, while the run is stalled
}

// kept is what the job keeps from answer to answer. Only the job touches it.
type kept struct {
	reader *analysis.StepReader
	of     question // of the reader
	slow   slowKept
	checks screen.Memo[int, []run.Notice]
}

// slowKept is the last slow part, and of what.
type slowKept struct {
	slowPart
	screen.Aged // Now is 0 while there is none
	of          question
}

// holds reports whether the part still does for a snapshot.
func (k *slowKept) holds(s *store.Snapshot, q question) bool {
	return k.Now != 0 && k.of == q && k.Holds(s)
}

// manyProcesses is from how many on the slow part is worth waiting for with
// something to look at: below, it is there before anybody has read a line.
const manyProcesses = 4096

// look answers. Of a run that was not looked at before it answers without the slow
// part, unless whole is set. Not for the event loop.
func (k *kept) look(d screen.Data, q question, whole bool) answer {
	a := answer{question: q}
	r := d.Snapshot.Run(q.run)
	if r == nil {
		return a
	}
	sc := analysis.Scope{Run: r}
	if d.Filter != nil && !d.Filter.Empty() {
		sc.Filter = d.Filter.Bind(r)
	}
	if k.reader == nil || k.of != q {
		k.reader, k.of = analysis.NewStepReader(), q
	}
	a.found = true
	a.steps = k.reader.Read(sc, 0)
	a.counted = analysis.CountIterations(r)
	a.pending = !whole && k.slow.of != q
	if !a.pending {
		a.slow = k.slowPart(d.Snapshot, sc, q)
	}
	a.facts = factsOf(d.Snapshot, r, &a.slow.diagnosis)
	if n := len(a.steps.Points); a.pending && n > 0 {
		a.facts.iteration, a.facts.has = a.steps.Points[n-1].Iteration, true
	}
	a.checks = k.noticesOf(d.Snapshot, r)
	return a
}

// slowPart is the kept one while it does, else a new one.
func (k *kept) slowPart(s *store.Snapshot, sc analysis.Scope, q question) slowPart {
	if !k.slow.holds(s, q) {
		began := time.Now()
		p := slowLook(s, sc)
		k.slow = slowKept{slowPart: p, of: q, Aged: screen.Aged{Version: s.Version, Now: s.Now, At: began, Took: time.Since(began)}}
	}
	return k.slow.slowPart
}

func slowLook(s *store.Snapshot, sc analysis.Scope) slowPart {
	p := slowPart{
		diagnosis:  analysis.Diagnose(s, sc.Run, analysis.DiagnoseOptions{Filter: sc.Filter}),
		breakdown:  analysis.BreakdownOf(sc, 0),
		bubble:     analysis.BubbleOf(sc, 0),
		quantities: quantitiesOf(sc),
		health:     analysis.HealthNotices(s, sc.Run),
	}
	if n, bad := p.bubble.Notice(sc.Run); bad {
		p.health = append(p.health, n)
	}
	p.places = placesOf(&p.diagnosis)
	p.next = nextOf(sc.Run, &p.diagnosis)
	return p
}

// noticesOf is everything that is to be said of a run but its health.
func (k *kept) noticesOf(s *store.Snapshot, r *store.Run) []run.Notice {
	checks := k.checks.Get(r.ID, len(r.Processes), func() []run.Notice { return analysis.Checks(r) })
	return append(screen.Instance(s), analysis.RunNotices(s, r, checks)...)
}

// notices is everything that is to be said, the gravest first.
func (a *answer) notices() []run.Notice {
	out := slices.Concat(a.checks, a.slow.health)
	slices.SortStableFunc(out, func(x, y run.Notice) int { return cmp.Compare(y.Level, x.Level) })
	return out
}

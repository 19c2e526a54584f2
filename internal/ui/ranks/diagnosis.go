package ranksscreen

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// told is what the diagnosis of its run says of a process.
type told struct {
	standing analysis.Standing
	ratio    float64 // compute over the median of its like; NaN where it was not compared
	score    float64 // least compute of its like over its own
	slow     bool    // named as slow, alone or with others
	suspect  bool    // of a stall
}

// diagnosed is what the diagnosis of a run says, by process.
type diagnosed struct {
	of      map[int]told
	summary string // whom it names, "" for nobody
	stopped bool   // the summary is of a stall
	screen.Aged
}

// kept is the diagnoses that the job keeps from answer to answer, by run.
type kept struct{ runs map[string]*diagnosed }

// of is the diagnosis of a run as it is, or was a moment ago. It is over all ranks,
// whatever the filter: a rank is slow among its like, not among those on screen.
func (k *kept) of(s *store.Snapshot, r *store.Run) *diagnosed {
	if old := k.runs[r.ID]; old != nil && old.Holds(s) {
		return old
	}
	if k.runs == nil {
		k.runs = map[string]*diagnosed{}
	}
	began := time.Now()
	d := diagnose(s, r)
	d.Aged = screen.Aged{Version: s.Version, Now: s.Now, At: began, Took: time.Since(began)}
	k.runs[r.ID] = d
	return d
}

func diagnose(s *store.Snapshot, r *store.Run) *diagnosed {
	g := analysis.Diagnose(s, r, analysis.DiagnoseOptions{})
	out := &diagnosed{of: map[int]told{}}
	for _, at := range g.Stall.Processes {
		if at.Process >= 0 {
			out.of[at.Process] = told{standing: at, ratio: math.NaN(), score: math.NaN()}
		}
	}
	for _, w := range g.Stragglers.Workers {
		for _, p := range w.Processes {
			out.change(p, func(t *told) { t.ratio, t.score = w.BusyRatio, w.Score })
		}
	}
	for i := range g.Stragglers.Found {
		f := &g.Stragglers.Found[i]
		for _, p := range f.Processes {
			out.change(p, func(t *told) { t.slow = true })
		}
		out.name("slow: " + rankList(f.Ranks))
	}
	for i := range g.Stall.Suspects {
		out.suspects(&g.Stall, &g.Stall.Suspects[i])
	}
	return out
}

// suspects marks the ranks of a suspect.
func (d *diagnosed) suspects(st *analysis.Stall, s *analysis.Suspect) {
	in := map[int]bool{}
	for _, rank := range s.Ranks {
		in[rank] = true
	}
	for _, at := range st.Processes {
		if at.Process >= 0 && in[at.Rank] {
			d.change(at.Process, func(t *told) { t.suspect = true })
		}
	}
	if !d.stopped { // who stopped a run matters more than who was slow
		d.summary, d.stopped = "", true
	}
	d.name("stopped first: " + rankList(s.Ranks))
}

// name keeps the first that is named.
func (d *diagnosed) name(text string) {
	if d.summary == "" {
		d.summary = text
	}
}

func (d *diagnosed) change(process int, f func(*told)) {
	t, ok := d.of[process]
	if !ok {
		t = told{ratio: math.NaN(), score: math.NaN()}
	}
	f(&t)
	d.of[process] = t
}

// word is how a rank is, in one word; "" where the diagnosis says nothing of it.
func (t *told) word() string {
	switch {
	case t == nil:
		return ""
	case t.standing.State == analysis.ProcessOK && t.slow:
		return "slow"
	case t.standing.State == analysis.ProcessAliveStuck:
		return "stuck"
	case t.standing.State == analysis.ProcessFrozenTogether:
		return "frozen"
	}
	return strings.ToLower(string(t.standing.State))
}

// grave is the order of states: the larger, the more it needs a person.
func (t *told) grave() float64 {
	switch {
	case t == nil || t.word() == "":
		return math.NaN()
	case t.suspect:
		return math.Inf(1)
	}
	return float64(slices.Index([]string{"ok", "ended", "slow", "frozen", "stuck", "silent", "behind"}, t.word()))
}

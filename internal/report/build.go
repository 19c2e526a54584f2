package report

import (
	"context"
	"slices"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Options say what a report covers.
type Options struct {
	Sources   []Source
	Filter    *query.Filter // nil for everything; narrows runs, processes and spans, never the accounting
	Run       string        // only this run; "" for all
	Processes bool          // list every process with its resource
}

// Build answers from a snapshot. Its only error is the context's.
func Build(ctx context.Context, s *store.Snapshot, o Options) (Report, error) {
	t := analysis.TraceCounts(s)
	rep := Report{
		Schema: Schema, Sources: list(o.Sources), Runs: []Run{}, Notices: instance(s),
		Traces: Traces{
			Count: t.Count, OrphanSpans: t.Orphans, StartsBeforeParent: t.StartsBefore,
			ParentCycles: t.Cycles, DuplicatesDropped: int(t.Duplicates),
		},
	}
	byID := runsByID(s)
	for _, row := range analysis.Runs(s, nil) {
		r := byID[row.ID]
		scope, ok := scopeOf(r, o)
		if !ok {
			continue
		}
		b := builder{ctx: ctx, snapshot: s, run: r, row: row, scope: scope, options: o}
		out, err := b.build()
		if err != nil {
			return Report{}, err
		}
		rep.Runs = append(rep.Runs, out)
	}
	return rep, nil
}

// runsByID finds runs at once: services without a run id may make as many as
// there are processes.
func runsByID(s *store.Snapshot) map[string]*store.Run {
	m := make(map[string]*store.Run, len(s.Runs))
	for _, r := range s.Runs {
		m[r.ID] = r
	}
	return m
}

// scopeOf is the run with the filter bound to it, or false when it is not asked
// for.
func scopeOf(r *store.Run, o Options) (analysis.Scope, bool) {
	if o.Run != "" && r.ID != o.Run {
		return analysis.Scope{}, false
	}
	if o.Filter == nil || o.Filter.Empty() {
		return analysis.Scope{Run: r}, true
	}
	m := o.Filter.Bind(r)
	return analysis.Scope{Run: r, Filter: m}, m.Run()
}

// builder makes the report of one run.
type builder struct {
	ctx      context.Context
	snapshot *store.Snapshot
	run      *store.Run
	row      analysis.RunRow
	scope    analysis.Scope
	options  Options
}

func (b *builder) build() (Run, error) {
	stats, err := b.spanStats()
	if err != nil {
		return Run{}, err
	}
	findings := analysis.Cardinality(b.snapshot, b.run)
	out := Run{
		ID: b.run.ID, Service: b.run.Service, User: text(b.run.User), Job: text(b.run.Job),
		Attempts: len(b.run.Attempts), WorldSize: known(b.row.Presence.World), RanksSeen: b.row.Presence.Seen,
		NeverSeen: list(b.row.Presence.NeverSeen), Topology: b.topology(), Iterations: b.iterations(),
		Resource: b.sharedResource(), Spans: b.spans(), SpanStats: stats,
		Metrics: b.metrics(), Cardinality: cardinality(findings), Notices: b.notices(),
	}
	if b.options.Processes {
		out.Processes = b.processes()
	}
	return out, nil
}

func (b *builder) spans() Spans {
	a := b.run.Accounts[run.Traces]
	return Spans{
		Received: a.Received, Kept: a.Kept, Evicted: a.Evicted, Rejected: a.Rejected,
		Duplicates: a.Duplicates, Replaced: a.Replaced, InFlight: a.InFlight,
		Truncated: b.run.Truncated, InvalidTime: b.run.Invalid, Errors: b.run.Errors,
	}
}

// iterations counts over the run's life; the reasons of exclusion are known for
// the window that is kept, and say so in a notice where that is shorter.
func (b *builder) iterations() *Iterations {
	i := analysis.CountIterations(b.run)
	if i.Seen == 0 {
		return nil
	}
	return &Iterations{First: i.First, Last: i.Last, Seen: i.Seen, Complete: i.Complete, Excluded: i.Excluded}
}

func (b *builder) topology() *Topology {
	g := analysis.Topology(b.snapshot, b.scope, analysis.GridOptions{AnyRole: true})
	if g.Seen == 0 {
		return nil
	}
	return &Topology{
		TP: sized(g.Sizes.TP), CP: sized(g.Sizes.CP), PP: sized(g.Sizes.PP), DP: sized(g.Sizes.DP),
		Order: g.Order, Derived: g.Derived, Problems: list(g.Problems),
	}
}

func (b *builder) notices() []Notice {
	return told(slices.Concat(b.run.Notices, analysis.Checks(b.run), analysis.CardinalityNotices(b.snapshot, b.run)))
}

// instance is the notices that concern no run, or several.
func instance(s *store.Snapshot) []Notice {
	var out []run.Notice
	for _, n := range s.Notices {
		if n.Run == "" {
			out = append(out, n)
		}
	}
	return told(out)
}

func told(notices []run.Notice) []Notice {
	out := []Notice{}
	for _, n := range notices {
		out = append(out, Notice{Code: n.Code, Level: n.Level.String(), Text: n.Text})
	}
	return out
}

func cardinality(fs []analysis.Finding) []Cardinality {
	out := []Cardinality{}
	for _, f := range fs {
		out = append(out, Cardinality{
			Metric: f.Metric, Key: f.Key, Distinct: f.Distinct, Series: f.Series,
			Level: f.Word(), Reason: f.Reason, Examples: list(f.Examples),
		})
	}
	return out
}

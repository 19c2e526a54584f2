package report

import (
	"cmp"
	"context"
	"fmt"
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
		Schema: Schema, Sources: list(o.Sources), Runs: []Run{}, Notices: instance(s), OnlyRun: text(o.Run),
		Traces: Traces{
			Count: t.Count, OrphanSpans: t.Orphans, StartsBeforeParent: t.StartsBefore,
			ParentCycles: t.Cycles, DuplicatesDropped: int(t.Duplicates),
		},
	}
	if len(s.Runs) > 0 {
		rep.Thresholds, rep.judgedBy = thresholds(s.Runs[0].Thresholds), s.Runs[0].Thresholds.String()
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
	if o.filtered() {
		rep.Filter = text(o.Filter.String())
		rep.Notices = append(rep.Notices, unknownKeys(s, o, len(rep.Runs))...)
	}
	return rep, nil
}

// thresholds is those that are not the default, nil when all are.
func thresholds(all run.Thresholds) map[string]float64 {
	var out map[string]float64
	for _, t := range all.Changed() {
		if out == nil {
			out = map[string]float64{}
		}
		out[t.Name] = t.Of(all)
	}
	return out
}

// filtered reports whether a filter narrows the report.
func (o Options) filtered() bool { return o.Filter != nil && !o.Filter.Empty() }

// mostAsked is in how many runs keys of a filter are looked for.
const mostAsked = 64

// unknownKeys tells of keys of the filter that no run has sent: terms with them
// match nothing.
func unknownKeys(s *store.Snapshot, o Options, runs int) []Notice {
	asked := map[string]int{}
	near := map[string]string{}
	some := s.Runs[:min(len(s.Runs), mostAsked)]
	var order []string
	for _, r := range some {
		for _, u := range query.Unknown(o.Filter, s, r.ID) {
			if asked[u.Key]++; asked[u.Key] == 1 {
				order = append(order, u.Key)
			}
			near[u.Key] = cmp.Or(near[u.Key], u.Near)
		}
	}
	out := []Notice{}
	for _, key := range order {
		if asked[key] < len(some) {
			continue
		}
		n := Notice{Code: "unknown-filter-key", Level: run.Warning.String(), Text: fmt.Sprintf("filter: nothing sent %s", key)}
		if near[key] != "" {
			n.Text += fmt.Sprintf("; did you mean %s?", near[key])
		}
		out = append(out, n)
	}
	if runs == 0 && len(out) == 0 {
		out = append(out, Notice{Code: "filter-matches-nothing", Level: run.Warning.String(), Text: "filter: it lets no run through"})
	}
	return out
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
	if !o.filtered() {
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
	d := b.diagnose()
	parts, idle := analysis.BreakdownOf(b.scope, 0), analysis.BubbleOf(b.scope, 0)
	out := Run{
		ID: b.run.ID, Service: b.run.Service, User: text(b.run.User), Job: text(b.run.Job),
		Attempts: len(b.run.Attempts), WorldSize: known(b.row.Presence.World), RanksSeen: b.row.Presence.Seen,
		NeverSeen: list(b.row.Presence.NeverSeen), Topology: b.topology(), Iterations: b.iterations(),
		Resource: b.sharedResource(), Spans: b.spans(), SpanStats: stats,
		Verdict: verdict(d.Verdict, unanswered(d, parts, idle)...), Stall: stall(d.Stall), Stragglers: stragglers(d.Stragglers),
		WhatIf: whatIf(d.WhatIf), Bubble: bubble(idle), Breakdown: breakdown(parts), Goodput: goodput(parts.Goodput),
		Steps: steps(analysis.Steps(b.scope, 0)), WorstRanks: b.worstRanks(d), Quantities: quantities(analysis.Quantities(b.scope)),
		Metrics: b.metrics(), Cardinality: cardinality(analysis.Cardinality(b.snapshot, b.run)),
		ProcessCount: len(b.run.Processes), Conventions: conventions(analysis.Conventions(b.run)), Logs: logs(b.run), Notices: b.notices(idle),
		noise: b.run.Thresholds.Filled().StragglerZ,
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

// unanswered says why answers of a run with steps are not there. Other services
// have none to give.
func unanswered(d analysis.Diagnosis, parts analysis.Breakdown, idle analysis.Bubble) []string {
	if parts.Of == 0 || parts.Steps == 0 && !d.Stall.HasFrontier {
		return nil
	}
	var out []string
	if d.Stragglers.Found == nil {
		out = append(out, d.Stragglers.CannotTell...)
	}
	out = append(out, d.WhatIf.CannotTell...)
	out = append(out, parts.CannotTell)
	if idle.Stages > 1 {
		out = append(out, idle.CannotTell)
	}
	return out
}

// notices are those of all analyses.
func (b *builder) notices(idle analysis.Bubble) []Notice {
	all := slices.Concat(b.run.Notices, analysis.Checks(b.run), analysis.CardinalityNotices(b.snapshot, b.run),
		analysis.ConventionNotices(b.run), analysis.HealthNotices(b.snapshot, b.run))
	if n, ok := idle.Notice(b.run); ok {
		all = append(all, n)
	}
	slices.SortStableFunc(all, func(x, y run.Notice) int { return cmp.Compare(y.Level, x.Level) })
	return told(all)
}

func logs(r *store.Run) Logs {
	a := r.Accounts[run.Logs]
	out := Logs{Received: a.Received, Kept: a.Kept, Evicted: a.Evicted, Duplicates: a.Duplicates, Rejected: a.Rejected, BySeverity: map[string]uint64{}}
	for k, n := range r.LogLevels {
		if n > 0 {
			out.BySeverity[run.Severity(k).String()] = n
		}
	}
	return out
}

func conventions(all []analysis.Broken) []Convention {
	out := []Convention{}
	for _, b := range all {
		out = append(out, Convention{Code: b.Code, Level: b.Level.String(), Name: b.Name, Text: b.Text()})
	}
	return out
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
			Level: f.Word(), Reason: f.Reason, Examples: list(f.Examples), Growing: f.Growing, Advice: analysis.Advice,
		})
	}
	return out
}

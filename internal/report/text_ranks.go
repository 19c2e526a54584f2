package report

import (
	"fmt"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
)

// mostStanding is how many ranks that are not well a text names.
const mostStanding = 8

func (p *printer) stall(s *Stall) {
	if s == nil {
		return
	}
	if s.Summary != "" {
		p.line("  %s", s.Summary)
	}
	for i, x := range s.Suspects {
		if i == mostStanding {
			p.line("    … and %s", plural(len(s.Suspects)-i, "more suspect"))
			break
		}
		p.line("    suspect: %s%s: %s", named(x.Unit, x.Ranks), onHosts(x.Hosts), x.Reason)
	}
	if s.NoSuspect != nil && s.Stalled {
		p.line("    no suspect: %s", *s.NoSuspect)
	}
	told := 0
	for _, x := range s.Processes {
		if x.State == "NEVER_SEEN" || x.State == "ENDED" {
			continue // their number is in the summary
		}
		if told++; told <= mostStanding {
			p.line("    %s", x.line())
		}
	}
	if told > mostStanding {
		p.line("    … and %s", plural(told-mostStanding, "more rank"))
	}
}

func (x *Standing) line() string {
	s := fmt.Sprintf("rank %s %s", size(x.Rank), x.State)
	if x.Iteration != nil {
		s += fmt.Sprintf(" at iteration %d", *x.Iteration)
	}
	if x.Age != nil {
		s += fmt.Sprintf(" for %s", secs(x.Age))
	}
	if x.LastPhase != nil {
		s += ", last " + *x.LastPhase
	}
	if x.StuckIn != nil {
		s += ", closed by force in " + *x.StuckIn
	}
	return s
}

func (p *printer) stragglers(all []Straggler) {
	for i, x := range all {
		if i == mostStanding {
			p.line("  … and %s", plural(len(all)-i, "more straggler"))
			return
		}
		p.line("  ! %s", x.line())
		if x.Note != nil {
			p.line("    %s", *x.Note)
		}
	}
}

func (x *Straggler) line() string {
	s := fmt.Sprintf("straggler (%s): %s%s computes %.2f times as long as its like", x.Level, named(x.Unit, x.Ranks), onHosts(x.Hosts), deref(x.BusyRatio))
	if x.WorstIn != nil {
		s += fmt.Sprintf(", worst in %.0f %% of the steps", 100**x.WorstIn)
	}
	if x.Score != nil {
		s += fmt.Sprintf(", score %.2f", *x.Score)
	}
	if x.Early {
		s += "; early"
	}
	if x.Approximate {
		s += "; approximate"
	}
	return s
}

// named is a rank, or a group with its ranks.
func named(unit string, all []int) string {
	switch {
	case len(all) == 1:
		return fmt.Sprintf("rank %d", all[0])
	case unit == "rank" || unit == "":
		return "ranks " + ranges(all)
	}
	return strings.ReplaceAll(unit, "_", " ") + " of ranks " + ranges(all)
}

func onHosts(hosts []string) string {
	switch len(hosts) {
	case 0:
		return ""
	case 1, 2:
		return " on " + strings.Join(hosts, " and ")
	}
	return fmt.Sprintf(" on %s and %s", hosts[0], plural(len(hosts)-1, "more host"))
}

// worst is the table of the ranks that stand out.
func (p *printer) worst(r Run) {
	if len(r.WorstRanks) < 2 {
		return
	}
	rows := [][]string{{"rank", "host", "place", "state", "iteration", "step p50", "compute", "wait", "slowdown", "score", "truncated"}}
	for _, x := range r.WorstRanks {
		rows = append(rows, []string{size(x.Rank), clipped(deref(x.Host), 24), place(x.Coord), x.State, whole(x.Iteration), secs(x.StepP50),
			secs(x.Compute), secs(x.Wait), figure2(x.Slowdown), figure2(x.Score), run.Count(x.Truncated)})
	}
	p.table(rows)
	if more := r.RanksSeen - len(r.WorstRanks); more > 0 {
		p.line("  the slowest of %s; --format json --processes has all", plural(r.RanksSeen, "rank"))
	}
}

// place is tp/pp/dp, – for what is not known.
func place(c *Coord) string {
	if c == nil {
		return "–"
	}
	return fmt.Sprintf("tp %s pp %s dp %s", size(c.TP), size(c.PP), size(c.DP))
}

func whole(n *int64) string {
	if n == nil {
		return "–"
	}
	return fmt.Sprint(*n)
}

func figure2(f *float64) string {
	if f == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f", *f)
}

// quantities is one line each: how it went and where it stands.
func (p *printer) quantities(qs []Quantity) {
	for _, q := range qs {
		p.line("  %s %s", q.title(), q.value())
	}
}

func (q *Quantity) title() string { return strings.ReplaceAll(q.ID, "_", " ") }

// value is where a quantity stands and how it went.
func (q *Quantity) value() string {
	unit := ""
	if q.Unit != "" {
		unit = " " + q.Unit
	}
	s := figure(q.Last) + unit
	switch {
	case q.Total != nil:
		s = figure(q.Total) + unit + " in all"
	case q.Reading == "running mean":
		s += " (mean since the start)"
	case q.First != nil && q.Last != nil && *q.First != *q.Last:
		s += fmt.Sprintf(" (from %s)", figure(q.First))
	}
	if q.NotFinite > 0 {
		s += fmt.Sprintf("; %s of %s points are NaN or infinite", run.Count(q.NotFinite), run.Count(q.Points))
	}
	return s + " · " + q.Of
}

package report

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/beamline-hpc/lensview/internal/clean"
)

// WriteJSON writes the contract: one indented object. Its characters are
// harmless to a terminal.
func WriteJSON(w io.Writer, r Report) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	_, err = w.Write(append(clean.JSON(b), '\n'))
	return err
}

// WriteText writes the report for a person: what was read, what is wrong first,
// then the figures. Text from telemetry is shown through clean.Text.
func WriteText(w io.Writer, r Report) error {
	p := printer{w: w}
	for _, s := range r.Sources {
		p.source(s)
	}
	p.line("%d traces, %d orphan spans, %d start before their parent, %d parent cycles, %d duplicates dropped",
		r.Traces.Count, r.Traces.OrphanSpans, r.Traces.StartsBeforeParent, r.Traces.ParentCycles, r.Traces.DuplicatesDropped)
	p.notices("", r.Notices)
	for _, run := range r.Runs {
		p.line("")
		p.run(run)
	}
	if len(r.Runs) == 0 {
		p.line("no run: nothing was received, or the filter lets nothing through")
	}
	return p.err
}

// printer keeps the first error, so that the text reads in order.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, a ...any) {
	for i := range a {
		if s, ok := a[i].(string); ok {
			a[i] = clean.Text(s)
		}
	}
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", a...)
	}
}

func (p *printer) source(s Source) {
	p.line("%s (%s): %d spans, %d metrics with %d points, %d logs, %d bad records%s",
		s.Path, s.Format, s.Spans, s.Metrics, s.Points, s.Logs, s.BadRecords, rejected(s.Rejected))
	for _, m := range s.Messages {
		p.line("  ! %s", m)
	}
}

func (p *printer) notices(indent string, all []Notice) {
	for _, n := range all {
		p.line("%s%s %s: %s", indent, mark(n.Level), n.Level, n.Text)
	}
}

func (p *printer) topology(t Topology) {
	order := ""
	if t.Order != "" {
		order = ", order " + t.Order
	}
	p.line("  tp %s cp %s pp %s dp %s%s%s", size(t.TP), size(t.CP), size(t.PP), size(t.DP), order, derived(t.Derived))
	for _, problem := range t.Problems {
		p.line("  ! %s", problem)
	}
}

func (p *printer) run(r Run) {
	p.line("run %s · service %s%s", r.ID, r.Service, user(r.User))
	p.line("  ranks seen %d of %s%s, %s", r.RanksSeen, size(r.WorldSize), never(r.NeverSeen), plural(r.Attempts, "attempt"))
	if r.Topology != nil {
		p.topology(*r.Topology)
	}
	if i := r.Iterations; i != nil {
		p.line("  iterations %d to %d: %d seen, %d complete%s", i.First, i.Last, i.Seen, i.Complete, excluded(i.Excluded))
	}
	s := r.Spans
	p.line("  spans received %d = kept %d + evicted %d + rejected %d + duplicates %d + replaced %d + in flight %d",
		s.Received, s.Kept, s.Evicted, s.Rejected, s.Duplicates, s.Replaced, s.InFlight)
	p.line("  %d truncated and %d with impossible times stand beside the statistics, %d errors", s.Truncated, s.InvalidTime, s.Errors)
	p.notices("  ", r.Notices)
	p.spanStats(r.SpanStats)
	p.metrics(r.Metrics)
}

// secs is a duration in seconds with a unit that suits it; – when there is none.
func secs(f *float64) string {
	if f == nil {
		return "–"
	}
	d := time.Duration(*f * 1e9)
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return fmt.Sprintf("%.3fs", *f)
	case d >= time.Millisecond:
		return fmt.Sprintf("%.2fms", *f*1e3)
	case d >= time.Microsecond:
		return fmt.Sprintf("%.2fµs", *f*1e6)
	}
	return fmt.Sprintf("%dns", d)
}

func figure(f *float64) string {
	if f == nil {
		return "–"
	}
	return fmt.Sprintf("%.6g", *f)
}

func size(n *int) string {
	if n == nil {
		return "?"
	}
	return fmt.Sprint(*n)
}

func user(u *string) string {
	if u == nil {
		return ""
	}
	return " · user " + *u
}

func derived(d bool) string {
	if d {
		return ", coordinates derived"
	}
	return ""
}

func rejected(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d items left out", n)
}

func mark(level string) string {
	if level == "info" {
		return "·"
	}
	return "!"
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

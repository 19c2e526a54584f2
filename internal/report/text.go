package report

import (
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/beamline-hpc/lensview/internal/clean"
	"github.com/beamline-hpc/lensview/internal/run"
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
	t := r.Traces
	p.line("%s, %s, %s before their parent, %s, %s dropped", plural(t.Count, "trace"), plural(t.OrphanSpans, "orphan span"),
		startOrStarts(t.StartsBeforeParent), plural(t.ParentCycles, "parent cycle"), plural(t.DuplicatesDropped, "duplicate"))
	p.narrowed(r)
	p.notices("", r.Notices)
	full, brief := split(r)
	for _, run := range full {
		p.line("")
		p.run(run)
	}
	p.others(brief, len(full))
	if len(r.Runs) == 0 {
		p.line("no run: nothing was received, or the filter lets nothing through")
	}
	return p.err
}

// narrowed says by what the report was narrowed: figures of ranks and spans are
// then of a part, while accounts, iterations and topology are of the whole.
func (p *printer) narrowed(r Report) {
	if r.Filter != nil {
		p.line("filtered by %s: runs, ranks, spans and metrics that do not match are left out; accounts, iterations and topology are of whole runs", *r.Filter)
	}
	if r.OnlyRun != nil {
		p.line("only run %s", *r.OnlyRun)
	}
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
	p.line("%s (%s): %s, %s, %s, %s%s", s.Path, s.Format, plural(s.Spans, "span"), plural(s.Points, "metric point"),
		plural(s.Logs, "log record"), plural(s.BadRecords, "bad record"), rejected(s.Rejected))
	for _, m := range s.Messages {
		p.line("  ! %s", m)
	}
}

func (p *printer) notices(indent string, all []Notice) {
	for _, n := range all {
		p.line("%s%s %s: %s", indent, mark(n.Level), n.Level, n.Text)
	}
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

// many is a count that may not be known.
func many(n *int) string {
	if n == nil {
		return "?"
	}
	return run.Count(*n)
}

// size is a number that names something, or a size, which may not be known.
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
	return ", " + plural(n, "item") + " left out"
}

func mark(level string) string {
	if level == "info" {
		return "·"
	}
	return "!"
}

func plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return run.Count(n) + " " + word
}

func startOrStarts(n int) string {
	if n == 1 {
		return "1 starts"
	}
	return run.Count(n) + " start"
}

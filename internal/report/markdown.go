package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/beamline-hpc/lensview/internal/clean"
	"github.com/beamline-hpc/lensview/internal/run"
)

// WriteMarkdown writes the report for a chat message or a ticket: what is wrong,
// why, and the figures that show it; a screenful for a run.
func WriteMarkdown(w io.Writer, r Report) error {
	m := markdown{w: w}
	if r.Filter != nil {
		m.line("*filtered by %s*\n", code(*r.Filter))
	}
	if r.judgedBy != "" {
		m.line("*judged by own thresholds: %s*\n", prose(r.judgedBy))
	}
	full, brief := split(r)
	for _, run := range full {
		m.run(run)
	}
	m.others(brief)
	if len(r.Runs) == 0 {
		m.line("No run: nothing was received, or the filter lets nothing through.")
	}
	m.warnings("", r.Notices)
	m.sources(r)
	return m.err
}

// markdown keeps the first error.
type markdown struct {
	w   io.Writer
	err error
}

// line writes what is Markdown already; what came from telemetry goes through
// escaped or code first.
func (m *markdown) line(format string, a ...any) {
	if m.err == nil {
		_, m.err = fmt.Fprintf(m.w, format+"\n", a...)
	}
}

// escaped is text from telemetry in which nothing means anything to Markdown, or
// mentions anybody.
func escaped(s string) string {
	var out strings.Builder
	for _, c := range clean.Text(s) {
		switch c {
		case '\\', '`', '*', '_', '{', '}', '[', ']', '<', '>', '(', ')', '#', '!', '|', '~', '&', '@':
			out.WriteByte('\\')
		case '\n':
			c = ' '
		}
		out.WriteRune(c)
	}
	return out.String()
}

// prose is a sentence of our own with words from telemetry in it: what would
// change how it is shown is escaped, plain punctuation is not.
func prose(s string) string {
	var out strings.Builder
	for _, c := range clean.Text(s) {
		switch c {
		case '\\', '`', '*', '_', '[', ']', '<', '>', '|', '~', '#', '@':
			out.WriteByte('\\')
		case '\n':
			c = ' '
		}
		out.WriteRune(c)
	}
	return out.String()
}

// code is text from telemetry as a code span.
func code(s string) string {
	s = strings.NewReplacer("`", "'", "\n", " ", "|", "¦").Replace(clean.Text(s))
	if s == "" {
		return "–"
	}
	return "`" + s + "`"
}

func (m *markdown) run(r Run) {
	m.line("### run %s · %s", code(r.ID), escaped(r.Service))
	m.line("")
	if v := r.Verdict; v != nil && r.training() {
		m.line("%s", bold(*v))
		for _, e := range v.Evidence {
			m.line("- %s", prose(e))
		}
		for _, c := range v.CannotTell {
			m.line("- cannot tell: %s", prose(c))
		}
		m.line("")
	}
	m.facts(r)
	m.stragglers(r.Stragglers)
	m.warnings("", r.Notices)
}

func bold(v Verdict) string {
	s := "**" + v.State + "**"
	if v.Scope != "" && v.Scope != "none" {
		s += " (" + v.Scope + ")"
	}
	if v.Summary != "" {
		s += ": " + prose(v.Summary)
	}
	return s
}

// facts is a table of two columns.
func (m *markdown) facts(r Run) {
	var rows [][2]string
	add := func(what, value string) {
		if value != "" {
			rows = append(rows, [2]string{what, value})
		}
	}
	add("ranks", fmt.Sprintf("%s of %s%s, %s", run.Count(r.RanksSeen), many(r.WorldSize), never(r.NeverSeen), plural(r.Attempts, "attempt")))
	if t := r.Topology; t != nil {
		add("topology", fmt.Sprintf("tp %s cp %s pp %s dp %s%s", many(t.TP), many(t.CP), many(t.PP), many(t.DP), derived(t.Derived)))
	}
	if i := r.Iterations; i != nil {
		add("iterations", fmt.Sprintf("%d to %d: %s seen, %s complete%s", i.First, i.Last, run.Count(i.Seen), run.Count(i.Complete), excluded(i.Excluded)))
	}
	if s := r.Steps; s != nil && s.P50 != nil {
		add("step", fmt.Sprintf("%s, slowest rank %s%s", secs(s.P50), secs(s.Slowest), oddities(*s)))
	}
	add("step time by class, mean", parts(r.Breakdown))
	if r.WhatIf != nil {
		add("what if", ifFixed(*r.WhatIf))
	}
	if b := r.Bubble; b != nil {
		add("pipeline bubble", fmt.Sprintf("%s, expected %s", percent(b.ObservedShare), percent(b.ExpectedShare)))
	}
	for _, q := range r.Quantities {
		if inBrief(q.ID) {
			add(q.title(), q.value())
		}
	}
	add("spans", fmt.Sprintf("%s received, %s kept, %s truncated, %s", run.Count(r.Spans.Received), run.Count(r.Spans.Kept), run.Count(r.Spans.Truncated), plural(int(r.Spans.Errors), "error")))
	m.table([]string{"", ""}, rows)
}

// inBrief reports the quantities that a message tells.
func inBrief(id string) bool {
	switch id {
	case "loss", "grad_norm", "tokens_per_sec", "tflops", "rl.reward":
		return true
	}
	return false
}

func (m *markdown) table(head []string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	m.line("| %s |\n|%s", strings.Join(head, " | "), strings.Repeat(" --- |", len(head)))
	for _, r := range rows {
		m.line("| %s | %s |", escaped(r[0]), prose(r[1]))
	}
	m.line("")
}

func (m *markdown) stragglers(all []Straggler) {
	for i, x := range all {
		if i == mostStanding {
			m.line("- … and %s", plural(len(all)-i, "more straggler"))
			break
		}
		m.line("- %s", prose(x.line()))
	}
	if len(all) > 0 {
		m.line("")
	}
}

// warnings lists the notices above info.
func (m *markdown) warnings(indent string, all []Notice) {
	found := false
	for _, n := range all {
		if n.Level != "info" {
			m.line("%s- %s: %s", indent, n.Level, prose(n.Text))
			found = true
		}
	}
	if found {
		m.line("")
	}
}

func (m *markdown) others(runs []Run) {
	if len(runs) == 0 {
		return
	}
	m.line("| run | service | spans | errors | warnings |\n| --- | --- | --- | --- | --- |")
	for _, r := range runs[:min(len(runs), mostBrief)] {
		m.line("| %s | %s | %s | %s | %s |", code(r.ID), escaped(r.Service), run.Count(r.Spans.Received), run.Count(r.Spans.Errors), run.Count(r.warnings()))
	}
	if more := len(runs) - mostBrief; more > 0 {
		m.line("\n%s; `--run ID` tells of one", plural(more, "more run"))
	}
	m.line("")
}

// sources names what was read, and what of it could not be.
func (m *markdown) sources(r Report) {
	for _, s := range r.Sources {
		bad := ""
		if s.BadRecords > 0 {
			bad = ", **" + plural(s.BadRecords, "bad record") + "**"
		}
		m.line("<sub>%s: %s, %s, %s%s</sub>", code(s.Path), plural(s.Spans, "span"), plural(s.Points, "metric point"), plural(s.Logs, "log record"), bad)
	}
}

package report

import (
	"fmt"
	"io"
)

// WriteDiffText writes a comparison for a person.
func WriteDiffText(w io.Writer, d Diff) error {
	p := printer{w: w}
	p.line("%s", d.Verdict())
	p.side("A", d.A)
	p.side("B", d.B)
	for _, x := range d.Differ {
		p.line("  ! %s", x)
	}
	for _, x := range d.CannotTell {
		p.line("  ? cannot tell: %s", x)
	}
	if d.judgedBy != "" {
		p.line("  · judged by own thresholds: %s", d.judgedBy)
	}
	for _, x := range d.slow {
		p.line("  · %s", x)
	}
	p.diffRows(d)
	p.diffShares(d.Shares)
	for _, a := range d.Resources {
		p.line("  %s: %s in A, %s in B", a.Key, sent(a.A), sent(a.B))
	}
	p.only("A", d.OnlyA)
	p.only("B", d.OnlyB)
	return p.err
}

func (p *printer) side(word string, s DiffSide) {
	p.line("  %s: %s · run %s · world size %s · %s", word, s.Name, s.Run, many(s.World), s.seen())
}

func sent(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}

func (p *printer) diffRows(d Diff) {
	if d.Step.A == nil {
		return
	}
	rows := [][]string{{"median of", "A", "B", "change", "95 % interval", ""}}
	for _, r := range append([]DiffRow{d.Step}, d.Phases...) {
		rows = append(rows, []string{r.Name, secs(r.A), secs(r.B), change(r.Change), intervalOf(r.Low, r.High), r.weight()})
	}
	if r := d.Rate; r != nil {
		rows = append(rows, []string{r.Name, figure(r.A), figure(r.B), change(r.Change), intervalOf(r.Low, r.High), r.weight()})
	}
	p.table(rows)
}

// weight is the word for how much a figure changed.
func (r *DiffRow) weight() string {
	if r.Follows != nil {
		return "follows " + *r.Follows
	}
	return weight(r.Level)
}

func weight(level string) string {
	if level == "none" {
		return ""
	}
	return level
}

func (p *printer) diffShares(shares []DiffShare) {
	if len(shares) == 0 {
		return
	}
	rows := [][]string{{"median share of a step", "A", "B", "points", "95 % interval", ""}}
	for _, s := range shares {
		rows = append(rows, []string{s.Class, percent(s.A), percent(s.B), points(s.Change), pointsOf(s.Low, s.High), weight(s.Level)})
	}
	p.table(rows)
}

func points(f *float64) string {
	if f == nil {
		return "–"
	}
	return fmt.Sprintf("%+.2f", 100**f)
}

func pointsOf(low, high *float64) string {
	if low == nil || high == nil {
		return ""
	}
	return fmt.Sprintf("(%+.2f … %+.2f)", 100**low, 100**high)
}

func (p *printer) only(side string, names []string) {
	for i, n := range names {
		if i == mostBrief {
			p.line("  … and %s only in %s", plural(len(names)-i, "more span name"), side)
			return
		}
		p.line("  span only in %s: %s", side, n)
	}
}

// WriteDiffMarkdown writes a comparison for a chat message or a ticket.
func WriteDiffMarkdown(w io.Writer, d Diff) error {
	m := markdown{w: w}
	m.line("**%s**\n", prose(d.Verdict()))
	m.line("- A: %s, run %s, %s", code(d.A.Name), code(d.A.Run), d.A.seen())
	m.line("- B: %s, run %s, %s", code(d.B.Name), code(d.B.Run), d.B.seen())
	for _, x := range append(append([]string{}, d.Differ...), d.CannotTell...) {
		m.line("- %s", prose(x))
	}
	if d.judgedBy != "" {
		m.line("- judged by own thresholds: %s", prose(d.judgedBy))
	}
	for _, x := range d.slow {
		m.line("- %s", prose(x))
	}
	m.line("")
	if d.Step.A != nil {
		m.line("| median of | A | B | change | 95 %% interval | |\n| --- | ---: | ---: | ---: | ---: | --- |")
		for _, r := range append([]DiffRow{d.Step}, d.Phases...) {
			m.line("| %s | %s | %s | %s | %s | %s |", escaped(r.Name), secs(r.A), secs(r.B), change(r.Change), intervalOf(r.Low, r.High), r.weight())
		}
		if r := d.Rate; r != nil {
			m.line("| %s | %s | %s | %s | %s | %s |", escaped(r.Name), figure(r.A), figure(r.B), change(r.Change), intervalOf(r.Low, r.High), r.weight())
		}
		m.line("")
	}
	for _, s := range d.Shares {
		if s.Level != "none" {
			m.line("- median share of %s in a step: %s to %s (%s points, %s)", prose(s.Class), percent(s.A), percent(s.B), points(s.Change), s.Level)
		}
	}
	for _, a := range d.Resources {
		m.line("- %s: %s in A, %s in B", code(a.Key), code(sent(a.A)), code(sent(a.B)))
	}
	m.only("A", d.OnlyA)
	m.only("B", d.OnlyB)
	return m.err
}

func (m *markdown) only(side string, names []string) {
	for i, n := range names {
		if i == mostBrief {
			m.line("- … and %s only in %s", plural(len(names)-i, "more span name"), side)
			return
		}
		m.line("- span only in %s: %s", side, code(n))
	}
}

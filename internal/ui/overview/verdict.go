package overviewscreen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// verdict is the answer, what it rests on, what cannot be told, and what to look
// at next.
func (p *page) verdict() {
	d := &p.of.slow.diagnosis
	p.badge(&d.Verdict)
	left := p.room(3, 6, 12)
	why := p.evidence()
	for i, text := range why {
		if i == left {
			p.put("", nil, p.label("").Add(p.theme.Dim, draw.Plural(len(why)-left, "more reason")), "")
			break
		}
		most := p.room(1, 2, 2)
		if i == 0 {
			most = 2
		}
		p.said(once(i, "why"), theme.Style{}, shortened(text, d.Verdict.Summary), most, fmt.Sprint("why ", i), p.leads(text))
	}
	for i, text := range d.Verdict.CannotTell {
		if i == p.room(2, 4, 8) {
			break
		}
		p.said(once(i, "cannot"), p.theme.Warn, "tell "+text, p.room(1, 2, 2), "", nil)
	}
	for i, j := range p.of.slow.next {
		l := p.label(once(i, "next"))
		key, text := p.keys.On("", j.key), j.text
		if j.hint != nil {
			text += j.hint(p.keys)
		}
		l.Add(p.theme.Key, key).Add(theme.Style{}, "  "+text)
		p.put(jumpAbout+j.text, p.jumpTo(j), l, "next  "+key+"  "+text)
	}
	p.coverage()
}

// shortened is a reason without what the summary says already.
func shortened(reason, summary string) string {
	rest, ok := strings.CutPrefix(reason, summary+" (")
	if !ok {
		return reason
	}
	return strings.TrimSuffix(rest, ")")
}

// jumpAbout begins what the lines of jumps are about.
const jumpAbout = "next "

func isJump(about string) bool { return strings.HasPrefix(about, jumpAbout) }

// once is a label before the first of several lines.
func once(i int, label string) string {
	if i > 0 {
		return ""
	}
	return label
}

// badge is the state in capitals and in brackets, and the summary beside and below
// it.
func (p *page) badge(v *analysis.Verdict) {
	word, style := badgeOf(p.theme, v.State)
	l := draw.NewLine(p.width).Add(style, word).Space(1)
	parts := draw.Wrap(v.Summary, max(1, p.width-l.Used()))
	var do tea.Cmd
	if len(p.of.slow.next) > 0 {
		do = p.jumpTo(p.of.slow.next[0])
	}
	p.put("verdict", do, l.Add(p.theme.Strong, parts[0]), word+" "+v.Summary)
	if rest := strings.Join(parts[1:], " "); rest != "" {
		p.said("", p.theme.Strong, rest, 2, "", nil)
		p.lines[len(p.lines)-1].text = ""
	}
}

func badgeOf(t theme.Theme, s analysis.VerdictState) (string, theme.Style) {
	switch s {
	case analysis.VerdictAdvancing:
		return "[" + string(s) + "]", t.BadgeGood
	case analysis.VerdictSlow, analysis.VerdictPartial:
		return "[" + t.Glyphs.Warn + " " + string(s) + "]", t.BadgeWarn
	case analysis.VerdictStalled:
		return "[" + t.Glyphs.Bad + " " + string(s) + "]", t.BadgeBad
	}
	return "[" + string(s) + "]", t.BadgeInfo
}

// evidence is what the verdict rests on, but for the coverage, which has a line of
// its own; and whom it did not name, where it looked.
func (p *page) evidence() []string {
	d := &p.of.slow.diagnosis
	var out []string
	for _, text := range d.Verdict.Evidence {
		if !strings.HasPrefix(text, d.Coverage.String()+" seen") {
			out = append(out, text)
		}
	}
	if text := nobody(&d.Stragglers); text != "" {
		out = append(out, text)
	}
	slices.SortStableFunc(out, func(a, b string) int { return b2i(p.leads(b) != nil) - b2i(p.leads(a) != nil) })
	return out
}

// nobody says that nobody is slow, and how close the nearest came; "" where
// somebody is, or nobody was compared.
func nobody(s *analysis.Stragglers) string {
	if s.Found == nil || len(s.Found) > 0 || len(s.Workers) == 0 {
		return ""
	}
	most := -1
	for i, w := range s.Workers {
		if !math.IsNaN(w.BusyRatio) && (most < 0 || w.BusyRatio > s.Workers[most].BusyRatio) {
			most = i
		}
	}
	text := "none of " + draw.Plural(len(s.Workers), string(s.Compared)) + " named slow"
	if most >= 0 {
		text += fmt.Sprintf("; most compute %.2f × its like (%s)", s.Workers[most].BusyRatio, listRanks(s.Workers[most].Ranks))
	}
	return text
}

// leads is where a reason leads: to the trace of whom it names.
func (p *page) leads(text string) tea.Cmd {
	d := &p.of.slow.diagnosis
	for i := range d.Stragglers.Found {
		s := &d.Stragglers.Found[i]
		if len(s.Processes) > 0 && strings.HasPrefix(text, s.Text()) {
			return screen.OpenNarrowed(screen.Ranks, screen.Target{Run: p.of.run}, p.narrowed(rankFilter(s.Ranks)))
		}
	}
	for i := range d.Stall.Suspects {
		s := &d.Stall.Suspects[i]
		if strings.HasPrefix(text, s.Text()) {
			return screen.OpenNarrowed(screen.Ranks, screen.Target{Run: p.of.run}, p.narrowed(rankFilter(s.Ranks)))
		}
	}
	return nil
}

// coverage is on whom all this rests.
func (p *page) coverage() {
	c := &p.of.slow.diagnosis.Coverage
	style := theme.Style{}
	if !c.Full() {
		style = p.theme.Warn
	}
	pieces := []piece{{style, c.String() + " seen"}}
	if len(c.NeverSeen) > 0 {
		pieces = append(pieces, piece{p.theme.Warn, "never " + listRanks(c.NeverSeen)})
	}
	pieces = append(pieces, piece{p.theme.Dim, draw.Count(c.Compared) + " compared"})
	if c.Workers > 0 {
		pieces = append(pieces, piece{p.theme.Dim, draw.Count(c.WorkersSeen) + " of " + draw.Plural(c.Workers, "worker")})
	}
	if n := p.of.facts.hosts; n > 0 {
		pieces = append(pieces, piece{p.theme.Dim, "on " + draw.Plural(n, "host")})
	}
	if c.Role != "" {
		pieces = append(pieces, piece{p.theme.Dim, "role " + c.Role})
	}
	if p.of.filter != "" {
		pieces = append(pieces, piece{p.theme.Match, "of those in the filter"})
	}
	p.flow("ranks", pieces, p.room(1, 2, 2), "coverage", p.opens(screen.Ranks))
}

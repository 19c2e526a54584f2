package ranksscreen

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// arrange makes rows of the ranks: chosen, sorted, grouped.
func (m *Model) arrange() {
	m.shown = m.build()
	m.table.SetRows(m.shown)
}

func (m *Model) build() rows {
	shown := m.chosen()
	m.hidden = len(m.seen.ranks) - len(shown)
	sort := m.table.Sort()
	sortRanks(shown, sort.Column, sort.Desc)
	r := rows{theme: m.theme, unit: unitOf(shown), marked: m.marked}
	if m.grouping() == "" {
		for i := range shown {
			r.add(row{rank: shown[i]})
		}
		return r
	}
	groups := groupsOf(shown, m.grouping())
	sortGroups(groups, sort.Column, sort.Desc)
	for _, g := range groups {
		shut := m.shut[g.Value]
		r.add(row{group: g, shut: shut})
		for i := range g.ranks {
			if !shut {
				r.add(row{rank: g.ranks[i]})
			}
		}
	}
	return r
}

// chosen leaves out what newer attempts replaced, unless it is asked for.
func (m *Model) chosen() []*rank {
	out := make([]*rank, 0, len(m.seen.ranks))
	for _, r := range m.seen.ranks {
		if m.earlier || !r.earlier {
			out = append(out, r)
		}
	}
	return out
}

// unitOf is one unit for all durations of the table.
func unitOf(ranks []*rank) draw.Unit {
	longest := 0.0
	for i := range ranks {
		if v := ranks[i].StepP95; !math.IsNaN(v) {
			longest = math.Max(longest, v)
		}
	}
	return draw.UnitFor(longest * 1e9)
}

// foldAll folds every group, or unfolds all when all are folded.
func (m *Model) foldAll() {
	open := false
	for _, at := range m.shown.list {
		open = open || at.group != nil && !m.shut[at.group.Value]
	}
	for _, at := range m.shown.list {
		if at.group != nil {
			m.shut[at.group.Value] = open
		}
	}
}

// View is one line of what is shown and how much of it there is, then the table.
func (m *Model) View() string {
	if len(m.seen.ranks) == 0 {
		return draw.Message(m.empty(), m.width, m.height)
	}
	m.tell()
	return draw.Under([]string{m.summary()}, m.detail.Join(m.theme, m.table.View(), "resource"), m.width, m.height)
}

func (m *Model) empty() []string {
	switch r := m.data.Snapshot.Run(m.data.Run); {
	case len(m.data.Snapshot.Runs) == 0:
		return screen.Teach(m.data)
	case r != nil && len(r.Processes) > 0 && !m.data.Filter.Empty():
		return []string{"No rank of this run matches the filter:", "", "  " + m.data.Filter.String(), "", m.data.Cleared()}
	}
	return []string{"No rank has sent anything yet."}
}

// summary is how many ranks are shown of how many there should be.
func (m *Model) summary() string {
	t, p := m.theme, m.seen.presence
	l := draw.NewLine(m.width).Space(2)
	if m.data.Filter.Empty() {
		l.Add(t.Strong, coverageText(p))
	} else {
		l.Add(t.Match, shownText(len(m.seen.ranks)-m.hidden, p)).AddIf(t.Strong, "  "+coverageText(p))
	}
	if by := m.grouping(); by != "" {
		l.AddIf(t.Accent, "  by "+by+": medians of ranks")
	}
	if m.seen.named != "" {
		l.AddIf(t.Warn, "  "+t.Glyphs.Warn+" "+m.seen.named)
	}
	if len(p.NeverSeen) > 0 {
		l.AddIf(t.Warn, "  never seen: "+rankList(p.NeverSeen))
	}
	if n := len(m.marked); n > 0 {
		l.AddIf(t.Accent, "  "+draw.Count(n)+" marked: "+m.data.Key(screen.Ranks, "v"))
	}
	if m.hidden > 0 {
		l.AddIf(t.Dim, "  "+draw.Count(m.hidden)+" of earlier attempts: "+m.data.Key(screen.Ranks, "a"))
	}
	if m.seen.steps > 0 {
		l.AddIf(t.Dim, "  medians of "+draw.Plural(m.seen.steps, "clean step"))
	}
	position := m.table.Position()
	if legend := "  " + t.Glyphs.Derived + " derived"; m.seen.derived && m.table.ColumnWidth("coord") > 0 &&
		draw.Width(legend+position) < l.Left() {
		l.Add(t.Dim, legend)
	}
	return l.Right(t.Dim, position).String()
}

func coverageText(p analysis.Presence) string {
	if p.World <= 0 {
		return draw.Plural(p.Seen, "rank") + " seen, world size not sent"
	}
	return draw.Count(p.Seen) + " of " + draw.Plural(p.World, "rank") + " seen"
}

// shownText is how many of the ranks that were seen the filter lets through.
func shownText(n int, p analysis.Presence) string {
	return draw.Count(n) + " of " + draw.Plural(max(p.Seen, n), "rank") + " shown"
}

// maxListed is how many ranks are named.
const maxListed = 6

func rankList(ranks []int) string {
	var parts []string
	for _, r := range ranks[:min(len(ranks), maxListed)] {
		parts = append(parts, known(r))
	}
	text := strings.Join(parts, ", ")
	if more := len(ranks) - maxListed; more > 0 {
		text += " and " + draw.Count(more) + " more"
	}
	return text
}

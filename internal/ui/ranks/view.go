package ranksscreen

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// arrange makes rows of the ranks: chosen, grouped, sorted.
func (m *Model) arrange() {
	m.shown = m.build()
	m.cover = cover(m.data.Snapshot.Run(m.data.Run))
	m.table.SetRows(m.shown)
}

func (m *Model) build() rows {
	shown := m.chosen()
	m.hidden = len(m.ranks) - len(shown)
	sort := m.table.Sort()
	sortRanks(shown, sort.Column, sort.Desc)
	r := rows{theme: m.theme, by: m.by, now: m.data.Snapshot.Now, unit: unitOf(shown)}
	if m.by == ungrouped {
		for i := range shown {
			r.list = append(r.list, row{rank: &shown[i]})
		}
		return r
	}
	groups := groupsOf(shown, m.by)
	sortGroups(groups, sort.Column, sort.Desc)
	for _, g := range groups {
		shut := m.shut[g.label]
		r.list = append(r.list, row{group: g, shut: shut})
		for i := range g.ranks {
			if !shut {
				r.list = append(r.list, row{rank: &g.ranks[i]})
			}
		}
	}
	return r
}

// chosen leaves out what newer attempts replaced, unless it is asked for.
func (m *Model) chosen() []rank {
	out := make([]rank, 0, len(m.ranks))
	for _, r := range m.ranks {
		if m.earlier || !r.earlier {
			out = append(out, r)
		}
	}
	return out
}

// unitOf is one unit for all durations of the table.
func unitOf(ranks []rank) draw.Unit {
	longest := 0.0
	for i := range ranks {
		if v := ranks[i].p95; !math.IsNaN(v) {
			longest = math.Max(longest, v)
		}
	}
	return draw.UnitFor(longest * 1e9)
}

func (m *Model) foldAll() {
	all := m.by != ungrouped
	for _, at := range m.shown.list {
		all = all && (at.group == nil || m.shut[at.group.label])
	}
	for _, at := range m.shown.list {
		if at.group != nil {
			m.shut[at.group.label] = !all
		}
	}
}

// View is one line of what is shown and how much of it there is, then the table.
func (m *Model) View() string {
	if len(m.ranks) == 0 {
		return draw.Message(m.empty(), m.width, m.height)
	}
	return m.summary() + "\n" + m.table.View()
}

func (m *Model) empty() []string {
	switch r := m.data.Snapshot.Run(m.data.Run); {
	case len(m.data.Snapshot.Runs) == 0:
		return screen.Teach(m.data.Snapshot)
	case r != nil && len(r.Processes) > 0 && !m.data.Filter.Empty():
		return []string{"No rank of this run matches the filter:", "", "  " + m.data.Filter.String(), "", "X clears it."}
	}
	return []string{"No rank has sent anything yet."}
}

// summary is how many ranks are shown of how many there should be.
func (m *Model) summary() string {
	t := m.theme
	l := draw.NewLine(m.width).Space(2)
	c := m.cover
	l.Add(t.Strong, c.text())
	if m.by != ungrouped {
		l.AddIf(t.Accent, "  by "+m.by.String()+" (medians of ranks)")
	}
	if len(c.missing) > 0 {
		l.AddIf(t.Warn, "  never seen: "+c.missingText())
	}
	if hidden := m.hidden; hidden > 0 {
		l.AddIf(t.Dim, "  "+draw.Count(hidden)+" of earlier attempts: a")
	}
	l.AddIf(t.Dim, "  over up to "+draw.Plural(m.steps, "step"))
	return l.Right(t.Dim, m.table.Position()).String()
}

// coverage is which ranks of a run were seen.
type coverage struct {
	seen, world int
	missing     []int // at most a few
	more        int   // missing ones beyond these
}

// maxMissing is how many missing ranks are named.
const maxMissing = 8

func cover(r *store.Run) coverage {
	if r == nil {
		return coverage{}
	}
	seen := map[int]bool{}
	for _, p := range r.Processes {
		if p.ID.Rank >= 0 && !p.ID.Gym {
			seen[p.ID.Rank] = true
		}
	}
	c := coverage{seen: len(seen), world: max(0, r.WorldSize)}
	for rank := 0; rank < c.world; rank++ {
		switch {
		case seen[rank]:
		case len(c.missing) < maxMissing:
			c.missing = append(c.missing, rank)
		default:
			c.more++
		}
	}
	return c
}

func (c coverage) text() string {
	if c.world == 0 {
		return draw.Plural(c.seen, "rank") + " seen, world size not sent"
	}
	return draw.Count(c.seen) + " of " + draw.Plural(c.world, "rank") + " seen"
}

func (c coverage) missingText() string {
	var parts []string
	for _, r := range c.missing {
		parts = append(parts, known(r))
	}
	text := strings.Join(parts, ", ")
	if c.more > 0 {
		text += " and " + draw.Count(c.more) + " more"
	}
	return text
}

// text is a row for the clipboard: name and value of every column.
func (r rows) text(at row) string {
	var parts []string
	for _, c := range columns() {
		value := ""
		if at.group != nil {
			value = r.groupText(at, c.ID)
		} else {
			value = strings.TrimSpace(r.rankCell(at.rank, c.ID).Text)
		}
		if value != "" {
			parts = append(parts, c.Title+" "+value)
		}
	}
	return strings.Join(parts, "  ")
}

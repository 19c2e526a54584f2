package spansscreen

import (
	"cmp"
	"math"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// nextSlow goes to the row with the longest span, and from it to the next longest;
// the slowest spans are in that order already. Rows around others are left out:
// what is slow in them is in their rows.
func (m *Model) nextSlow(by int) tea.Cmd {
	if m.slow != nil {
		m.slow.table.Move(by)
		return nil
	}
	order := m.byLongest()
	if len(order) == 0 {
		return screen.Say("no row here has a duration")
	}
	at, _ := m.focus()
	place := slices.Index(order, at) + by
	if !m.jumped || slices.Index(order, at) < 0 {
		place = min(by, 0)
	}
	place = (place + len(order)) % len(order)
	m.table.MoveTo(order[place])
	m.jumped = true
	s := &m.shown.list[order[place]].group.Stats
	return screen.Say(draw.Count(place+1) + ". by its longest span: " + draw.Seconds(s.Max))
}

// byLongest is the innermost rows, that with the longest span first.
func (m *Model) byLongest() []int {
	var out []int
	for i, r := range m.shown.list {
		if (len(r.group.Groups) == 0 || r.shut) && !math.IsNaN(r.group.Stats.Max) && r.group.Stats.N > 0 {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		return cmp.Compare(m.shown.list[b].group.Stats.Max, m.shown.list[a].group.Stats.Max)
	})
	return out
}

// nextFailed goes to the next row with errors, around the ends.
func (m *Model) nextFailed(by int) tea.Cmd {
	table, n, failed := m.table, len(m.shown.list), func(i int) bool { return m.shown.list[i].group.Stats.Errors > 0 }
	if m.slow != nil {
		table, n = m.slow.table, len(m.slow.rows.list)
		failed = func(i int) bool { return m.slow.rows.list[i].Marks.Has(run.Failed) }
	}
	at, _ := table.Cursor()
	for range n {
		at = (at + by + n) % n
		if failed(at) {
			table.MoveTo(at)
			return nil
		}
	}
	return screen.Say("no row here has an error")
}

package ranksscreen

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// action is what a key does.
type action struct {
	on key.Binding
	do func() tea.Cmd
}

func (m *Model) actions() []action {
	k := &m.keys
	quiet := func(f func()) func() tea.Cmd { return func() tea.Cmd { f(); return nil } }
	sorted := func(f func()) func() tea.Cmd { return quiet(func() { f(); m.table.Resort(m.arrange) }) }
	changed := func(f func()) func() tea.Cmd { return quiet(func() { f(); m.arrange() }) }
	return []action{
		{k.open, m.open},
		{k.sort, quiet(m.table.ChooseSort)},
		{k.left, sorted(func() { m.table.MoveSort(-1) })}, {k.right, sorted(func() { m.table.MoveSort(1) })},
		{k.turn, sorted(func() { m.table.SortBy(m.table.Sort().Column) })},
		{k.group, m.group}, {k.fold, changed(m.foldAll)},
		{k.earlier, changed(func() { m.earlier = !m.earlier })},
		{k.mark, changed(m.mark)}, {k.unmark, changed(func() { clear(m.marked) })},
		{k.lanes, m.lanes},
		{k.resource, quiet(func() { m.detail.Toggle(); m.layOut() })},
	}
}

// mark marks the rank in focus, or not any more, and goes to the next row.
func (m *Model) mark() {
	at, ok := m.focus()
	if !ok || at.rank == nil {
		return
	}
	if m.marked[at.rank.key] {
		delete(m.marked, at.rank.key)
	} else {
		m.marked[at.rank.key] = true
	}
	m.table.Move(1)
}

// lanes shows the marked ranks of the run in focus beside each other.
func (m *Model) lanes() tea.Cmd {
	var ranks []*rank
	for _, r := range m.seen.ranks {
		if m.marked[r.key] && r.run.ID == m.data.Run && r.Rank.Rank != run.Unknown {
			ranks = append(ranks, r)
		}
	}
	if len(ranks) < 2 {
		return screen.Say(m.data.Key(screen.Ranks, "m") + " marks ranks; " + m.data.Key(screen.Ranks, "v") + " shows two and more beside each other")
	}
	slices.SortStableFunc(ranks, func(a, b *rank) int { return cmp.Compare(a.Rank.Rank, b.Rank.Rank) })
	first := ranks[0]
	return screen.OpenNarrowed(screen.Trace, screen.Target{
		Run: first.run.ID, Process: first.Process, HasProcess: true,
		Iteration: first.Iteration, HasIteration: first.HasIteration, Lanes: true,
	}, m.narrowed(ranks))
}

// narrowed is the filter in force, narrowed to ranks.
func (m *Model) narrowed(ranks []*rank) string {
	var numbers, roles []string
	for _, r := range ranks {
		numbers = append(numbers, strconv.Itoa(r.Rank.Rank))
		if role := query.Quote(r.Role); r.Role != "" && !slices.Contains(roles, role) {
			roles = append(roles, role)
		}
	}
	text := "rank in (" + strings.Join(slices.Compact(numbers), ",") + ")"
	if len(roles) > 0 {
		text += " and role in (" + strings.Join(roles, ",") + ")"
	}
	if !m.data.Filter.Empty() {
		text = "(" + m.data.Filter.String() + ") and " + text
	}
	return text
}

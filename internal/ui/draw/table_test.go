package draw

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// list is rows of a name and a number; asked counts the cells it was asked for.
type list struct {
	names  []string
	groups map[int]bool
	asked  *int
}

func (l list) Len() int             { return len(l.names) }
func (l list) Key(row int) string   { return l.names[row] }
func (l list) IsGroup(row int) bool { return l.groups[row] }
func (l list) Cell(row int, column string) Cell {
	if l.asked != nil {
		*l.asked++
	}
	switch column {
	case "name":
		return Cell{Text: l.names[row]}
	case "n":
		if l.groups[row] {
			return Cell{}
		}
		return Cell{Text: fmt.Sprint(row * 10)}
	}
	return Cell{Text: "-"}
}

func numbered(n int) list {
	l := list{}
	for i := range n {
		l.names = append(l.names, fmt.Sprintf("rank-%d", i))
	}
	return l
}

func plain() theme.Theme { return theme.New(theme.Options{ASCII: true}) }

func testTable(t theme.Theme) *Table {
	return NewTable(t,
		Column{ID: "name", Title: "name", Min: 6, Max: 12, Sortable: true},
		Column{ID: "n", Title: "n", Min: 4, Right: true, Priority: 1, Sortable: true, DescBy: true},
		Column{ID: "rare", Title: "rare", Min: 5, Priority: 9},
	)
}

func trimmed(view string) string {
	lines := strings.Split(view, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

func TestTableDraws(t *testing.T) {
	table := testTable(plain())
	table.SetSize(26, 4)
	table.SetSort(Sort{Column: "n", Desc: true})
	table.SetRows(numbered(5))
	want := "  name           nv rare\n> rank-0          0 -\n  rank-1         10 -\n  rank-2         20 -"
	if diff := cmp.Diff(want, trimmed(table.View())); diff != "" {
		t.Errorf("view (-want +got):\n%s", diff)
	}
}

func TestTableDropsColumnsByPriority(t *testing.T) {
	table := testTable(plain())
	for width, want := range map[int][]string{
		40: {"name", "n", "rare"}, 19: {"name", "n", "rare"}, 18: {"name", "n"},
		13: {"name", "n"}, 12: {"name"}, 5: {"name"}, 0: {"name"},
	} {
		table.SetSize(width, 3)
		if diff := cmp.Diff(want, table.Columns()); diff != "" {
			t.Errorf("width %d (-want +got):\n%s", width, diff)
		}
	}
}

func TestCursorFollowsIdentity(t *testing.T) {
	table := testTable(plain())
	table.SetSize(30, 6)
	table.SetRows(numbered(100))
	table.MoveTo(50)
	before := table.cursor - table.offset
	table.SetRows(list{names: numbered(100).names[20:]})
	if table.Key() != "rank-50" || table.cursor != 30 {
		t.Errorf("cursor on %q, row %d; want rank-50, row 30", table.Key(), table.cursor)
	}
	if got := table.cursor - table.offset; got != before {
		t.Errorf("row moved from line %d to line %d of the window", before, got)
	}
	table.SetRows(list{names: []string{"other"}})
	if table.Key() != "other" {
		t.Errorf("cursor on %q after its row went, want other", table.Key())
	}
	table.SetRows(list{})
	if row, ok := table.Cursor(); ok || row != 0 || table.Key() != "" {
		t.Errorf("cursor without rows: %d %v %q", row, ok, table.Key())
	}
}

func TestOnlyTheWindowIsFormatted(t *testing.T) {
	rows := numbered(100_000)
	asked := 0
	rows.asked = &asked
	table := testTable(plain())
	table.SetSize(80, 24)
	table.SetRows(rows)
	table.MoveTo(77_777)
	table.View()
	if asked == 0 || asked > 23*3 {
		t.Errorf("one view asked for %d cells, want at most 69", asked)
	}
	table.View()
	if asked > 23*3 {
		t.Errorf("a second view without a change asked again: %d cells", asked)
	}
}

func TestGroupRowsRunOn(t *testing.T) {
	rows := list{names: []string{"host node-0001 (8 ranks)", "rank-1"}, groups: map[int]bool{0: true}}
	table := testTable(plain())
	table.SetSize(24, 3)
	table.SetRows(rows)
	table.MoveTo(1)
	want := "  name           n rare\n  host node-0001 > -\n> rank-1        10 -"
	if diff := cmp.Diff(want, trimmed(ASCII(table.View()))); diff != "" {
		t.Errorf("view (-want +got):\n%s", diff)
	}
}

func TestGroupRowAboveTheCursorStaysInSight(t *testing.T) {
	rows := numbered(50)
	rows.groups = map[int]bool{0: true, 20: true}
	table := testTable(plain())
	table.SetSize(24, 5)
	table.SetRows(rows)
	table.MoveTo(40)
	table.MoveTo(21)
	if !strings.Contains(table.View(), "rank-20") {
		t.Errorf("the group of row 21 is out of sight:\n%s", table.View())
	}
	table.Move(-20)
	if !strings.Contains(table.View(), "rank-0 ") {
		t.Errorf("the group of row 1 is out of sight:\n%s", table.View())
	}
}

func TestKeys(t *testing.T) {
	table := testTable(plain())
	table.SetSize(30, 11)
	table.SetRows(numbered(100))
	for _, step := range []struct {
		key  tea.KeyMsg
		want int
	}{
		{tea.KeyMsg{Type: tea.KeyDown}, 1}, {runes("j"), 2}, {runes("k"), 1}, {tea.KeyMsg{Type: tea.KeyPgDown}, 11},
		{tea.KeyMsg{Type: tea.KeyCtrlD}, 16}, {tea.KeyMsg{Type: tea.KeyCtrlU}, 11}, {runes("G"), 99},
		{tea.KeyMsg{Type: tea.KeyPgUp}, 89}, {runes("g"), 0}, {tea.KeyMsg{Type: tea.KeyUp}, 0},
		{tea.KeyMsg{Type: tea.KeyEnd}, 99}, {tea.KeyMsg{Type: tea.KeyHome}, 0},
	} {
		if !table.HandleKey(step.key) || table.cursor != step.want {
			t.Errorf("after %s: row %d, want %d", step.key, table.cursor, step.want)
		}
	}
	if table.HandleKey(runes("x")) {
		t.Error("x is not a table key")
	}
}

func runes(s string) tea.KeyMsg { return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s)} }

func TestMouse(t *testing.T) {
	table := testTable(plain())
	table.SetSize(30, 11)
	table.SetRows(numbered(100))
	click := func(x, y int) tea.MouseMsg {
		return tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft}
	}
	for _, step := range []struct {
		name string
		msg  tea.MouseMsg
		want MouseEvent
		row  int
	}{
		{"row", click(3, 4), MouseMoved, 3},
		{"same row", click(9, 4), MouseOpened, 3},
		{"heading", click(3, 0), MouseSorted, 3},
		{"heading of a column that has no order", click(22, 0), MouseNothing, 3},
		{"outside", click(3, 11), MouseNothing, 3},
		{"release", tea.MouseMsg{X: 3, Y: 8, Action: tea.MouseActionRelease}, MouseNothing, 3},
		{"wheel down", tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown}, MouseMoved, 3},
		{"wheel down again", tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown}, MouseMoved, 6},
		{"wheel up", tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelUp}, MouseMoved, 6},
	} {
		if got := table.HandleMouse(step.msg); got != step.want || table.cursor != step.row {
			t.Errorf("%s: event %d row %d, want %d row %d", step.name, got, table.cursor, step.want, step.row)
		}
	}
	if table.Sort() != (Sort{Column: "name"}) {
		t.Errorf("sort %+v after a click on the name's heading", table.Sort())
	}
}

func TestSortCycle(t *testing.T) {
	table := testTable(plain())
	table.SetSize(40, 3)
	var got []Sort
	for range 5 {
		table.NextSort()
		got = append(got, table.Sort())
	}
	want := []Sort{{"name", false}, {"name", true}, {"n", true}, {"n", false}, {"name", false}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cycle (-want +got):\n%s", diff)
	}
	if table.SortBy("rare") {
		t.Error("rare is not sortable")
	}
}

func TestSearch(t *testing.T) {
	table := testTable(theme.New(theme.Options{Profile: theme.ANSI16}))
	table.SetSize(30, 5)
	table.SetRows(numbered(30))
	table.SetSearch("RANK-2")
	for _, want := range []int{2, 20, 21} {
		if !table.NextMatch(false) || table.cursor != want {
			t.Errorf("row %d, want %d", table.cursor, want)
		}
	}
	table.NextMatch(true)
	if table.cursor != 20 {
		t.Errorf("up: row %d, want 20", table.cursor)
	}
	if view := table.View(); !strings.Contains(view, "rank-2") || strings.Count(view, "\x1b[1;30;43m") != 2 {
		t.Errorf("hits are not marked: %q", view)
	}
	table.SetSearch("nowhere")
	if table.NextMatch(false) || table.cursor != 20 {
		t.Error("a text that is nowhere moved the cursor")
	}
}

func TestPosition(t *testing.T) {
	table := testTable(plain())
	table.SetSize(30, 11)
	if got := table.Position(); got != "" {
		t.Errorf("without rows: %q", got)
	}
	table.SetRows(numbered(1024))
	table.MoveTo(1023)
	if got := table.Position(); got != "1,015–1,024 of 1,024" {
		t.Errorf("at the end: %q", got)
	}
}

func FuzzTableStaysInside(f *testing.F) {
	f.Add(80, 24, "训练步骤/前向", 3, true)
	f.Add(0, 0, "\x1b[2J", 0, false)
	f.Add(7, 2, "e\u0301👨‍👩‍👧🫠──", 1, true)
	f.Fuzz(func(t *testing.T, width, height int, name string, cursor int, group bool) {
		width, height = width%300, height%100
		table := testTable(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
		table.SetSize(width, height)
		table.SetSearch(name[:min(len(name), 2)])
		table.SetRows(list{names: []string{name, "b", name + name}, groups: map[int]bool{0: group}})
		table.MoveTo(cursor)
		inside(t, table.View(), max(0, width), max(0, height))
	})
}

// inside fails when view is not exactly height lines of exactly width cells, by
// our measure and by the renderer's.
func inside(t *testing.T, view string, width, height int) {
	t.Helper()
	if height == 0 {
		if view != "" {
			t.Fatalf("height 0 drew %q", view)
		}
		return
	}
	lines := strings.Split(view, "\n")
	if len(lines) != height {
		t.Fatalf("%d lines, want %d", len(lines), height)
	}
	for _, line := range lines {
		if got := ansi.StringWidth(line); got != width {
			t.Fatalf("line of %d cells, want %d: %q", got, width, line)
		}
	}
}

func BenchmarkKeyIn100kRows(b *testing.B) {
	table := testTable(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
	table.SetSize(160, 45)
	table.SetRows(numbered(100_000))
	down := tea.KeyMsg{Type: tea.KeyDown}
	b.ReportAllocs()
	for b.Loop() {
		table.HandleKey(down)
		table.View()
	}
}

// A size that comes back brings back what was in sight, whatever sizes and rows
// were between.
func TestSizesGiveBackWhatTheyBorrowed(t *testing.T) {
	for _, at := range []int{0, 3, 50, 99} {
		table := testTable(plain())
		table.SetSize(40, 12)
		table.SetRows(numbered(100))
		table.MoveTo(at)
		table.Scroll(2)
		before := table.View()
		for _, height := range []int{1, 0, 40, 3, 200, 12} {
			table.SetSize(40, height)
			table.SetRows(numbered(100))
			if row, _ := table.Cursor(); height > 1 && (row < table.offset || row >= table.offset+table.body()) {
				t.Errorf("%d lines: row %d is not in the window from %d", height, row, table.offset)
			}
		}
		if table.View() != before {
			t.Errorf("from row %d the view changed:\n%s\n\n%s", at, before, table.View())
		}
	}
}

package draw

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

func menuKey(name string) tea.KeyMsg {
	for k, n := range map[tea.KeyType]string{tea.KeyEnter: "enter", tea.KeyEsc: "esc", tea.KeyUp: "up", tea.KeyDown: "down",
		tea.KeyTab: "tab", tea.KeyShiftTab: "shift+tab", tea.KeyBackspace: "backspace"} {
		if n == name {
			return tea.KeyMsg{Type: k}
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

func sortable() *Table {
	t := NewTable(plain(),
		Column{ID: "rank", Title: " rank", Min: 6, Sortable: true},
		Column{ID: "host", Title: "host", Min: 6, Priority: 1},
		Column{ID: "compute", Title: "compute", Min: 8, Priority: 2, Sortable: true, DescBy: true},
		Column{ID: "wait", Title: "wait", Min: 8, Priority: 3, Sortable: true, DescBy: true})
	t.SetSize(60, 10)
	t.SetRows(numbered(30))
	t.SetSort(Sort{Column: "rank"})
	return t
}

func TestSortIsChosenByTyping(t *testing.T) {
	for _, test := range []struct {
		keys  string
		want  Sort
		chose bool
	}{
		{"c enter", Sort{"compute", true}, true},
		{"C O enter", Sort{"compute", true}, true},
		{"a i enter", Sort{"wait", true}, true},
		{"down enter", Sort{"compute", true}, true},
		{"tab tab enter", Sort{"wait", true}, true},
		{"up enter", Sort{"wait", true}, true},
		{"shift+tab enter", Sort{"wait", true}, true},
		{"enter", Sort{"rank", true}, true}, // the one in force: turned
		{"c backspace enter", Sort{"rank", true}, true},
		{"h o s t enter", Sort{"rank", false}, false}, // cannot be sorted by
		{"c esc", Sort{"rank", false}, false},
	} {
		table := sortable()
		table.ChooseSort()
		chose := false
		for _, k := range strings.Fields(test.keys) {
			if !table.Choosing() {
				t.Fatalf("%s: the list closed before %s", test.keys, k)
			}
			chose = table.ChooseKey(menuKey(k))
		}
		if table.Choosing() || chose != test.chose || table.Sort() != test.want {
			t.Errorf("%s: open %v chose %v sort %+v, want %+v", test.keys, table.Choosing(), chose, table.Sort(), test.want)
		}
	}
}

func TestSortListIsDrawnOverTheRows(t *testing.T) {
	table := sortable()
	table.ChooseSort()
	lines := strings.Split(ansi.Strip(table.View()), "\n")
	want := []string{"> rank             largest first, turned", "  compute          largest first", "  wait             largest first"}
	got := []string{strings.TrimRight(lines[6], " "), strings.TrimRight(lines[7], " "), strings.TrimRight(lines[8], " ")}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if !strings.HasPrefix(lines[9], "sort by: ") || strings.TrimSpace(lines[1]) == "" {
		t.Errorf("prompt %q, first rows %q", lines[9], lines[1:5])
	}
	table.ChooseKey(menuKey("x"))
	if !strings.Contains(table.View(), "no such column") {
		t.Error("nothing says that there is no such column")
	}
	if !table.CloseChoice() || table.CloseChoice() || strings.Contains(table.View(), "sort by") {
		t.Error("closing leaves it open")
	}
}

func TestSortListFitsAnySize(t *testing.T) {
	for _, profile := range []theme.Profile{theme.None, theme.ANSI256} {
		table := NewTable(theme.New(theme.Options{Profile: profile}), sortable().columns...)
		for height := range 14 {
			for width := range 70 {
				table.SetSize(width, height)
				table.SetRows(numbered(30))
				table.ChooseSort()
				lines := strings.Split(table.View(), "\n")
				if len(lines) != max(1, height) {
					t.Fatalf("%dx%d: %d lines", width, height, len(lines))
				}
				for _, l := range lines {
					if ansi.StringWidth(l) > width {
						t.Fatalf("%dx%d: %q", width, height, l)
					}
				}
			}
		}
	}
}

func TestMoveSort(t *testing.T) {
	table := sortable()
	var got []Sort
	for _, by := range []int{1, 1, 1, -1, -1, -1} {
		table.MoveSort(by)
		got = append(got, table.Sort())
	}
	want := []Sort{{"compute", true}, {"wait", true}, {"wait", true}, {"compute", true}, {"rank", false}, {"rank", false}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	table.SetSort(Sort{})
	if table.MoveSort(-1); table.Sort().Column != "wait" {
		t.Errorf("to the left of no sort: %+v", table.Sort())
	}
	table.SetSort(Sort{Column: "host"})
	if table.MoveSort(1); table.Sort().Column != "rank" {
		t.Errorf("to the right of a sort that is not shown: %+v", table.Sort())
	}
}

// turnedList is rows the other way round.
type turnedList struct{ list }

func (l turnedList) Key(i int) string               { return l.list.Key(l.Len() - 1 - i) }
func (l turnedList) Cell(i int, column string) Cell { return l.list.Cell(l.Len()-1-i, column) }

func TestResortKeepsTheCursorInSight(t *testing.T) {
	for _, at := range []int{0, 1, 15, 29} {
		table := sortable()
		for range at {
			table.HandleKey(menuKey("j"))
		}
		key := table.Key()
		table.Resort(func() { table.SetRows(turnedList{numbered(30)}) })
		row, _ := table.Cursor()
		if at == 0 && row != 0 || at > 0 && table.Key() != key {
			t.Errorf("from row %d the cursor went to row %d, %s instead of %s", at, row, table.Key(), key)
		}
		if row < table.offset || row >= table.offset+table.body() || !strings.Contains(table.View(), ">") {
			t.Errorf("from row %d: row %d is not in the window from %d", at, row, table.offset)
		}
	}
}

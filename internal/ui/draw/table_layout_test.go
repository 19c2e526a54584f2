package draw

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// widths is the columns that place keeps, as id:width@place.
func widths(columns []Column, width int) []string {
	var out []string
	for _, p := range place(columns, width, "") {
		out = append(out, fmt.Sprintf("%s:%d@%d", columns[p.column].ID, p.width, p.at))
	}
	return out
}

func TestPlace(t *testing.T) {
	columns := []Column{
		{ID: "a", Min: 4, Max: 10, Priority: 1},
		{ID: "b", Min: 3, Priority: 3},
		{ID: "c", Min: 5, Max: 8},
		{ID: "d", Min: 2, Max: 20, Last: true, Priority: 2},
	}
	for _, test := range []struct {
		name  string
		width int
		want  []string
	}{
		{"all at their least", 19, []string{"a:4@2", "b:3@7", "c:5@11", "d:2@17"}},
		{"the most important grows first", 21, []string{"a:4@2", "b:3@7", "c:7@11", "d:2@19"}},
		{"then the next", 24, []string{"a:6@2", "b:3@9", "c:8@13", "d:2@22"}},
		{"then what is last", 30, []string{"a:10@2", "b:3@13", "c:8@17", "d:4@26"}},
		{"nothing grows beyond its most", 99, []string{"a:10@2", "b:3@13", "c:8@17", "d:20@26"}},
		{"the least important goes first", 18, []string{"a:4@2", "c:8@7", "d:2@16"}},
		{"then the next", 14, []string{"a:4@2", "c:7@7"}},
		{"only what always stays", 8, []string{"c:6@2"}},
		{"cut to what there is", 5, []string{"c:3@2"}},
		{"no cell", 0, []string{"c:0@0"}},
	} {
		if diff := cmp.Diff(test.want, widths(columns, test.width)); diff != "" {
			t.Errorf("%s, width %d (-want +got):\n%s", test.name, test.width, diff)
		}
	}
}

// TestAskedColumnIsShown holds that the column a sort was asked by has room, also
// where it would have been the first to go, and that the place is given back. The
// order a screen begins with asks for nothing.
func TestAskedColumnIsShown(t *testing.T) {
	table := NewTable(theme.New(theme.Options{}), Column{ID: "a", Min: 5, Sortable: true}, Column{ID: "b", Min: 5, Priority: 1},
		Column{ID: "c", Min: 5, Priority: 2}, Column{ID: "d", Min: 5, Priority: 9, Sortable: true})
	table.SetSize(20, 5)
	usual, asked := []string{"a", "b", "c"}, []string{"a", "b", "d"}
	for _, step := range []struct {
		name string
		do   func()
		want []string
	}{
		{"not sorted", func() {}, usual},
		{"sorted by the screen", func() { table.SetSort(Sort{Column: "d"}) }, usual},
		{"asked for", func() { table.SortBy("d") }, asked},
		{"turned", func() { table.SortBy("d") }, asked},
		{"moved on", func() { table.MoveSort(-1) }, usual},
	} {
		step.do()
		if diff := cmp.Diff(step.want, table.Columns()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step.name, diff)
		}
	}
}

func TestPlaceDropsTheRightmostOfEquals(t *testing.T) {
	columns := []Column{{ID: "a", Min: 5}, {ID: "b", Min: 5, Priority: 1}, {ID: "c", Min: 5, Priority: 1}}
	if diff := cmp.Diff([]string{"a:5@2", "b:5@8"}, widths(columns, 14)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPlaceInvariants(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		columns := randomColumns(rng)
		width := rng.IntN(120)
		end, kept := 0, map[string]bool{}
		for _, p := range place(columns, width, "") {
			c := columns[p.column]
			kept[c.ID] = true
			if p.at < end || p.width < 0 || p.at+p.width > width {
				t.Fatalf("column %s at %d, %d wide, of %d; the one before ends at %d", c.ID, p.at, p.width, width, end)
			}
			if len(kept) > 1 && p.width < c.Min || p.width > max(c.Min, c.Max) {
				t.Fatalf("column %s is %d wide, outside %d–%d", c.ID, p.width, c.Min, c.Max)
			}
			end = p.at + p.width + 1
		}
		for _, c := range columns {
			for _, less := range columns {
				if !kept[c.ID] && kept[less.ID] && less.Priority > c.Priority {
					t.Fatalf("%s (priority %d) stays where %s (%d) went", less.ID, less.Priority, c.ID, c.Priority)
				}
			}
		}
	}
}

func randomColumns(rng *rand.Rand) []Column {
	columns := make([]Column, 1+rng.IntN(8))
	for i := range columns {
		low := 1 + rng.IntN(12)
		columns[i] = Column{ID: fmt.Sprint(i), Min: low, Max: low + rng.IntN(10), Priority: rng.IntN(5), Last: rng.IntN(4) == 0}
	}
	columns[0].Priority = 0
	return columns
}

func TestColumnWidth(t *testing.T) {
	table := testTable(plain())
	table.SetSize(18, 3)
	if got := table.ColumnWidth("name"); got != 11 {
		t.Errorf("name is %d wide, want 11", got)
	}
	if got := table.ColumnWidth("rare"); got != 0 {
		t.Errorf("a column that is not shown is %d wide", got)
	}
}

func TestSetColumns(t *testing.T) {
	table := testTable(plain())
	table.SetSize(30, 3)
	table.SetRows(numbered(2))
	table.SetColumns(Column{ID: "n", Title: "number", Min: 8})
	if diff := cmp.Diff([]string{"n"}, table.Columns()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	inside(t, table.View(), 30, 3)
}

package draw

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// TestAnySequence drives a table at random and holds it to what must always be
// true: the cursor is on a row that exists and in the window, its key is that
// row's, the view has its size and marks exactly one row.
func TestAnySequence(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 7))
		table := testTable(plain())
		rows := numbered(rng.IntN(60))
		table.SetRows(rows)
		for step := range 200 {
			did := act(rng, table, &rows)
			if err := sound(table, rows); err != nil {
				t.Fatalf("seed %d, step %d, after %s: %v", seed, step, did, err)
			}
		}
	}
}

// act does one thing to the table and says what.
func act(rng *rand.Rand, table *Table, rows *list) string {
	switch rng.IntN(8) {
	case 0:
		w, h := rng.IntN(60), rng.IntN(20)
		table.SetSize(w, h)
		return fmt.Sprintf("size %dx%d", w, h)
	case 1:
		*rows = numbered(rng.IntN(60))
		rows.groups = map[int]bool{0: true, 7: true, 30: true}
		rng.Shuffle(len(rows.names), func(i, j int) { rows.names[i], rows.names[j] = rows.names[j], rows.names[i] })
		table.SetRows(*rows)
		return fmt.Sprintf("%d new rows", rows.Len())
	case 2:
		keys := []string{"j", "k", "g", "G"}
		k := keys[rng.IntN(len(keys))]
		table.HandleKey(runes(k))
		return "key " + k
	case 3:
		by := rng.IntN(40) - 20
		table.Scroll(by)
		return fmt.Sprintf("scroll %d", by)
	case 4:
		to := rng.IntN(80) - 10
		table.MoveTo(to)
		return fmt.Sprintf("move to %d", to)
	case 5:
		x, y := rng.IntN(60), rng.IntN(20)
		table.click(table.Hit(x, y))
		return fmt.Sprintf("click %d,%d", x, y)
	case 6:
		table.SetSearch([]string{"", "rank-1", "9"}[rng.IntN(3)])
		table.NextMatch(rng.IntN(2) == 0)
		return "search " + table.Search()
	}
	key := fmt.Sprintf("rank-%d", rng.IntN(60))
	if table.Select(key) != slices.Contains(rows.names, key) {
		return "select " + key + ", which answered wrongly"
	}
	return "select " + key
}

func sound(table *Table, rows list) error {
	cursor, ok := table.Cursor()
	if ok != (rows.Len() > 0) {
		return fmt.Errorf("there is a cursor: %v, with %d rows", ok, rows.Len())
	}
	if ok && (cursor < 0 || cursor >= rows.Len() || table.Key() != rows.Key(cursor)) {
		return fmt.Errorf("cursor %d of %d rows, key %q", cursor, rows.Len(), table.Key())
	}
	if h := table.body(); ok && h > 0 && (cursor < table.offset || cursor >= table.offset+h) {
		return fmt.Errorf("cursor %d is outside the window %d+%d", cursor, table.offset, h)
	}
	if table.offset > max(0, rows.Len()-max(1, table.body())) {
		return fmt.Errorf("the window starts at %d of %d rows with %d lines: there is room below", table.offset, rows.Len(), table.body())
	}
	return looksSound(table, ok)
}

func looksSound(table *Table, ok bool) error {
	if table.height == 0 || table.width < 2 {
		return nil
	}
	view := table.View()
	table.changed()
	if table.View() != view {
		return fmt.Errorf("rows drawn before were shown again, but have changed:\n%s\nwant:\n%s", view, table.View())
	}
	lines := strings.Split(view, "\n")
	marked := 0
	for _, line := range lines {
		if Width(line) != table.width {
			return fmt.Errorf("a line is %d of %d cells: %q", Width(line), table.width, line)
		}
		if strings.HasPrefix(line, "> ") {
			marked++
		}
	}
	if want := ok && table.body() > 0; len(lines) != table.height || marked == 1 != want {
		return fmt.Errorf("%d of %d lines, %d of them marked", len(lines), table.height, marked)
	}
	return nil
}

func TestClickOnTheSelectedRowOfAnEmptyPlace(t *testing.T) {
	table := testTable(plain())
	table.SetSize(30, 10)
	table.SetRows(numbered(3))
	if h := table.Hit(3, 8); h.Row != -1 || h.Heading {
		t.Errorf("below the last row lies %+v", h)
	}
	if h := table.Hit(-1, 1); h.Row != -1 || h.Column != "" {
		t.Errorf("left of the table lies %+v", h)
	}
	if h := table.Hit(2, 2); h.Row != 1 || h.Column != "name" {
		t.Errorf("on the second row lies %+v", h)
	}
}

// indexed is rows that find identities themselves.
type indexed struct {
	list
	asked *int
}

func (r indexed) Find(key string) (int, bool) {
	*r.asked++
	i := slices.Index(r.names, key)
	return i, i >= 0
}

func TestRowsThatFindAreAsked(t *testing.T) {
	asked := 0
	table := testTable(plain())
	table.SetSize(30, 5)
	table.SetRows(indexed{numbered(10), &asked})
	table.MoveTo(4)
	table.SetRows(indexed{list{names: numbered(10).names[2:]}, &asked})
	if asked != 1 || table.Key() != "rank-4" {
		t.Errorf("asked %d times, cursor on %q", asked, table.Key())
	}
}

func TestStillTablesHaveNoCursor(t *testing.T) {
	table := testTable(theme.New(theme.Options{ASCII: true}))
	table.SetSize(30, 4)
	table.SetRows(numbered(3))
	table.HideCursor()
	if strings.Contains(table.View(), ">") {
		t.Errorf("a table that is only looked at has a cursor:\n%s", table.View())
	}
}

// drawn is a row with a ready-made cell.
type drawn struct{ cell Cell }

func (d drawn) Len() int              { return 2 }
func (d drawn) Key(row int) string    { return fmt.Sprint(row) }
func (d drawn) Cell(int, string) Cell { return d.cell }

func TestDrawnCells(t *testing.T) {
	for _, test := range []struct {
		name  string
		width int
		right bool
		want  string
	}{
		{"fits", 6, false, "  ###   "},
		{"to the right", 6, true, "     ###"},
		{"text where it does not fit", 2, false, "  t…"},
	} {
		table := NewTable(plain(), Column{ID: "bar", Min: test.width, Right: test.right})
		table.SetSize(2+test.width, 3)
		table.SetRows(drawn{Cell{Text: "three", Drawn: "###", DrawnWidth: 3}})
		if got := strings.Split(table.View(), "\n")[2]; got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

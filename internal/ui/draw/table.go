package draw

import (
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Column is one column of a Table. Widths are in cells, without the blank
// between columns.
type Column struct {
	ID       string // names the column in sorts, hits and goldens
	Title    string
	Min, Max int  // Max 0 is Min: a column of fixed width
	Right    bool // numbers
	Priority int  // 0 always stays; at narrow widths the highest goes first
	Last     bool // takes what the others' maxima leave, not the first of it
	Sortable bool
	DescBy   bool // sorted downwards at first: what is large is what matters
}

// Cell is the content of one place. Text comes from anywhere and is cleaned by
// the table. Drawn, when set, is shown instead: a ready-made string from this
// package of DrawnWidth cells; Text then stands in where it does not fit and in
// the cursor's row.
type Cell struct {
	Text       string
	Style      theme.Style
	Drawn      string
	DrawnWidth int
}

// Rows is what a table shows. The table asks only for rows in its window, so a
// hundred thousand cost as much as forty. Rows must not change once given: new
// data are new Rows.
type Rows interface {
	Len() int
	Key(row int) string // identity: the cursor follows it
	Cell(row int, column string) Cell
}

// Grouper is Rows with group rows among them: these are drawn across empty
// cells to their right, in the group style.
type Grouper interface{ IsGroup(row int) bool }

// Finder is Rows that find an identity faster than by asking all rows.
type Finder interface {
	Find(key string) (row int, ok bool)
}

// Sort is the column a table is sorted by. The rows are sorted by their owner;
// the table shows the marker.
type Sort struct {
	Column string
	Desc   bool
}

// Table is a window on rows, with a cursor that holds an identity. Use it from
// one goroutine. The zero Table is not ready; use NewTable.
type Table struct {
	theme   theme.Theme
	columns []Column
	rows    Rows

	width, height int
	layout        []placed
	keys          TableKeys

	cursor, offset int
	home           int    // the offset that the last move left: a smaller size borrows from it, a larger one gives back
	key            string // identity under the cursor, "" when there is none
	sort           Sort
	asked          string // column that a sort was asked by: it has room while that sort lasts
	search         string
	chosen         bool      // a row other than the first was gone to
	still          bool      // no cursor is drawn
	menu           *sortMenu // nil while closed

	view  string
	dirty bool
	kept  map[int]string // rows without the cursor, as drawn last
}

// NewTable is a table without rows and without a size.
func NewTable(t theme.Theme, columns ...Column) *Table {
	return &Table{theme: t, columns: columns, rows: noRows{}, keys: DefaultTableKeys(), dirty: true, kept: map[int]string{}}
}

type noRows struct{}

func (noRows) Len() int              { return 0 }
func (noRows) Key(int) string        { return "" }
func (noRows) Cell(int, string) Cell { return Cell{} }

// SetColumns replaces the columns, as when a grouping needs others.
func (t *Table) SetColumns(columns ...Column) {
	t.columns = columns
	t.arrange()
}

// SetSize gives the table its cells: the first line is the heading.
func (t *Table) SetSize(width, height int) {
	width, height = max(0, width), max(0, height)
	if width == t.width && height == t.height {
		return
	}
	t.width, t.height = width, height
	t.arrange()
	t.offset = t.home
	t.follow()
}

// SetRows replaces the rows. The cursor stays on its identity; when that is
// gone, on its place.
func (t *Table) SetRows(rows Rows) {
	t.rows = rows
	t.changed()
	if row, ok := t.find(t.key); ok {
		t.home += row - t.cursor // the row stays where the eye left it
		t.offset, t.cursor = t.home, row
	}
	t.clamp()
}

func (t *Table) find(key string) (int, bool) {
	n := t.rows.Len()
	if key == "" || n == 0 {
		return 0, false
	}
	if t.cursor < n && t.rows.Key(t.cursor) == key {
		return t.cursor, true
	}
	if f, ok := t.rows.(Finder); ok {
		return f.Find(key)
	}
	for i := range n {
		if t.rows.Key(i) == key {
			return i, true
		}
	}
	return 0, false
}

// Cursor is the row in focus; ok is false when there are no rows.
func (t *Table) Cursor() (row int, ok bool) { return t.cursor, t.rows.Len() > 0 }

// HideCursor draws no cursor: for a table that is only looked at.
func (t *Table) HideCursor() {
	t.still = true
	t.changed()
}

// changed forgets how rows were drawn. A move of the cursor needs no more than
// two rows anew.
func (t *Table) changed() {
	t.dirty = true
	clear(t.kept)
}

// Key is the identity of the row in focus, "" without rows.
func (t *Table) Key() string { return t.key }

// Select puts the cursor on an identity, and reports whether it is there.
func (t *Table) Select(key string) bool {
	row, ok := t.find(key)
	if ok {
		t.MoveTo(row)
		t.chosen = row > 0
	}
	return ok
}

// MoveTo puts the cursor on a row, or the nearest that exists.
func (t *Table) MoveTo(row int) {
	t.cursor = row
	t.clamp()
	t.home = t.offset
}

// Move moves the cursor by so many rows.
func (t *Table) Move(by int) { t.MoveTo(t.cursor + by) }

// Scroll moves the window by so many rows; the cursor stays inside it.
func (t *Table) Scroll(by int) {
	h := t.body()
	t.offset = max(0, min(t.offset+by, t.rows.Len()-h))
	t.cursor = max(t.offset, min(t.cursor, t.offset+h-1))
	t.clamp()
	t.home = t.offset
}

// clamp keeps cursor and window within the rows and the key with the cursor.
func (t *Table) clamp() {
	t.cursor = max(0, min(t.cursor, t.rows.Len()-1))
	t.key = ""
	if t.rows.Len() > 0 {
		t.key = t.rows.Key(t.cursor)
	}
	t.follow()
}

// follow keeps the window on the cursor, and the group row right above it in
// sight when there is room for both.
func (t *Table) follow() {
	h, first := max(1, t.body()), t.cursor
	if first > 0 && h > 1 && t.isGroup(first-1) {
		first--
	}
	t.offset = min(t.offset, first, max(0, t.rows.Len()-h))
	t.offset = max(t.offset, t.cursor-h+1, 0)
	t.dirty = true
}

// body is the number of lines below the heading.
func (t *Table) body() int { return max(0, t.height-1) }

// Sort is the marker's column and direction.
func (t *Table) Sort() Sort { return t.sort }

// SetSort shows the marker of a sort that the rows have.
func (t *Table) SetSort(s Sort) {
	t.sort = s
	t.arrange()
}

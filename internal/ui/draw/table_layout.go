package draw

import "slices"

// placed is a column with its place in the line.
type placed struct {
	column    int // index in Table.columns
	at, width int
}

// gutter is the cells left of the first column, for the cursor's glyph.
const gutter = 2

// arrange decides which columns fit and how wide they are. It is done on a
// change of size, columns or order, never per row.
func (t *Table) arrange() {
	asked := ""
	if t.asked == t.sort.Column {
		asked = t.asked
	}
	t.layout = place(t.columns, t.width, asked)
	t.changed()
}

// place drops columns, highest priority number first and the rightmost among
// equals, until the minima fit; what is left over goes to columns below their
// maximum, most important first, those marked Last after all others. A column
// that a sort was asked by goes last: an order by what is not shown tells nothing.
func place(columns []Column, width int, asked string) []placed {
	keep := order(columns, asked)
	for len(keep) > 1 && needed(columns, keep) > width {
		keep = keep[:len(keep)-1]
	}
	widths := make([]int, len(columns))
	for _, i := range keep {
		widths[i] = columns[i].Min
	}
	grow(columns, keep, widths, width-needed(columns, keep))
	slices.Sort(keep)
	return line(keep, widths, width)
}

// order is the indices of columns, most important first; the one a sort was
// asked by comes right behind those that always stay.
func order(columns []Column, asked string) []int {
	out := make([]int, len(columns))
	for i := range out {
		out[i] = i
	}
	rank := func(i int) int {
		if columns[i].ID == asked && columns[i].Priority > 0 {
			return 1
		}
		return 2 * columns[i].Priority
	}
	slices.SortStableFunc(out, func(a, b int) int { return rank(a) - rank(b) })
	return out
}

func needed(columns []Column, keep []int) int {
	n := gutter + max(0, len(keep)-1)
	for _, i := range keep {
		n += columns[i].Min
	}
	return n
}

func grow(columns []Column, keep, widths []int, spare int) {
	for _, last := range []bool{false, true} {
		for _, i := range keep {
			if columns[i].Last == last {
				more := max(0, min(spare, columns[i].Max-columns[i].Min))
				widths[i] += more
				spare = max(0, spare-more)
			}
		}
	}
}

func line(keep, widths []int, width int) []placed {
	out := make([]placed, 0, len(keep))
	at := min(gutter, max(0, width))
	for _, i := range keep {
		w := max(0, min(widths[i], width-at))
		out = append(out, placed{column: i, at: at, width: w})
		at = min(at+w+1, width)
	}
	return out
}

// Columns is the ids of the columns that are shown at this width.
func (t *Table) Columns() []string {
	out := make([]string, len(t.layout))
	for i, p := range t.layout {
		out[i] = t.columns[p.column].ID
	}
	return out
}

// ColumnWidth is the cells of a column at this width, 0 when it is not shown.
func (t *Table) ColumnWidth(id string) int {
	for _, p := range t.layout {
		if t.columns[p.column].ID == id {
			return p.width
		}
	}
	return 0
}

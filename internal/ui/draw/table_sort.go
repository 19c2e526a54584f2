package draw

import "slices"

// SortBy sorts by a column, or turns the direction when it is sorted by already.
// It reports whether the column can be sorted. The owner sorts the rows.
func (t *Table) SortBy(column string) bool {
	for _, c := range t.columns {
		if c.ID == column && c.Sortable {
			desc := c.DescBy
			if t.sort.Column == column {
				desc = !t.sort.Desc
			}
			t.asked = column
			t.SetSort(Sort{Column: column, Desc: desc})
			return true
		}
	}
	return false
}

// MoveSort sorts by the next sortable column that is shown to the right, or with
// −1 to the left, in that column's own direction; at the ends it stays. A sort by
// a column that is not shown goes to the first, or the last.
func (t *Table) MoveSort(by int) bool {
	shown := t.sortable()
	at := slices.IndexFunc(shown, func(c Column) bool { return c.ID == t.sort.Column })
	next := at + by
	if at < 0 && by < 0 {
		next = len(shown) - 1
	}
	if next < 0 || next >= len(shown) {
		return false
	}
	t.SetSort(Sort{Column: shown[next].ID, Desc: shown[next].DescBy})
	return true
}

// NextSort goes through the columns that are shown: each once in its own
// direction, once turned, then the next one.
func (t *Table) NextSort() {
	if at := t.sort.Column; at != "" {
		for _, c := range t.sortable() {
			if c.ID == at && t.sort.Desc == c.DescBy {
				t.SetSort(Sort{Column: at, Desc: !t.sort.Desc})
				return
			}
		}
	}
	if !t.MoveSort(1) {
		t.SetSort(Sort{})
		t.MoveSort(1)
	}
}

// Resort calls arrange, which gives the table its rows in an order that was asked
// for. Where nobody has gone to a row the cursor is on the first one, whatever it
// is now: what comes first is what was asked for. A row that was gone to keeps the
// cursor, and stays in sight.
func (t *Table) Resort(arrange func()) {
	arrange()
	if !t.chosen {
		t.MoveTo(0)
	}
}

func (t *Table) sortable() []Column {
	var out []Column
	for _, p := range t.layout {
		if c := t.columns[p.column]; c.Sortable {
			out = append(out, c)
		}
	}
	return out
}

// Position is where the window stands among the rows: "12–40 of 1,024", and ""
// without rows.
func (t *Table) Position() string {
	n := t.rows.Len()
	if n == 0 || t.body() == 0 {
		return ""
	}
	last := min(n, t.offset+t.body())
	return Count(min(t.offset+1, n)) + "–" + Count(last) + " of " + Count(n)
}

package draw

// SortBy sorts by a column, or turns the direction when it is sorted by already.
// It reports whether the column can be sorted. The owner sorts the rows.
func (t *Table) SortBy(column string) bool {
	for _, c := range t.columns {
		if c.ID == column && c.Sortable {
			desc := c.DescBy
			if t.sort.Column == column {
				desc = !t.sort.Desc
			}
			t.SetSort(Sort{Column: column, Desc: desc})
			return true
		}
	}
	return false
}

// NextSort goes through the columns that are shown: each once in its own
// direction, once turned, then the next one.
func (t *Table) NextSort() {
	ids := t.sortable()
	if len(ids) == 0 {
		return
	}
	at := -1
	for i, c := range ids {
		if c.ID == t.sort.Column {
			at = i
		}
	}
	if at >= 0 && t.sort.Desc == ids[at].DescBy {
		t.SetSort(Sort{Column: t.sort.Column, Desc: !t.sort.Desc})
		return
	}
	next := ids[(at+1)%len(ids)]
	t.SetSort(Sort{Column: next.ID, Desc: next.DescBy})
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
	if n == 0 {
		return ""
	}
	last := min(n, t.offset+t.body())
	return Count(min(t.offset+1, n)) + "–" + Count(last) + " of " + Count(n)
}

package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// SetSearch marks text wherever it stands in a visible cell; "" marks nothing.
// Case does not matter for ASCII letters.
func (t *Table) SetSearch(text string) {
	t.search = Clean(text)
	t.changed()
}

// Search is the text being marked.
func (t *Table) Search() string { return t.search }

// NextMatch moves the cursor to the next row that holds the search text, down
// or up and around the ends, and reports whether there is one. The row in focus
// is looked at last.
func (t *Table) NextMatch(up bool) bool {
	n := t.rows.Len()
	if t.search == "" || n == 0 {
		return false
	}
	step := 1
	if up {
		step = n - 1
	}
	row := t.cursor
	for range n {
		row = (row + step) % n
		if t.holds(row) {
			t.MoveTo(row)
			return true
		}
	}
	return false
}

func (t *Table) holds(row int) bool {
	for _, c := range t.columns {
		if contains(Clean(t.rows.Cell(row, c.ID).Text), t.search) {
			return true
		}
	}
	return false
}

// contains reports whether s holds part, ASCII letters folded.
func contains(s, part string) bool { return index(s, part) >= 0 }

func index(s, part string) int {
	for i := 0; i+len(part) <= len(s); i++ {
		if equalFold(s[i:i+len(part)], part) {
			return i
		}
	}
	return -1
}

func equalFold(a, b string) bool {
	for i := range len(a) {
		if lower(a[i]) != lower(b[i]) {
			return false
		}
	}
	return true
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// highlight writes s in style with the hits of part in match. A hit ends on a
// border of runes, so nothing is torn.
func highlight(b *strings.Builder, s, part string, style, match theme.Style) {
	for {
		i := index(s, part)
		if i < 0 || part == "" || !utf8.RuneStart(s[i]) {
			style.Write(b, s)
			return
		}
		style.Write(b, s[:i])
		match.Write(b, s[i:i+len(part)])
		s = s[i+len(part):]
	}
}

// Highlight is s, which is clean, in style with every hit of part in match.
func Highlight(s, part string, style, match theme.Style) string {
	var b strings.Builder
	highlight(&b, s, Clean(part), style, match)
	return b.String()
}

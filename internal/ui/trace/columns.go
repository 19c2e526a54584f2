package tracescreen

import "github.com/beamline-hpc/lensview/internal/ui/draw"

// widths is the cells of the columns, without the blanks between them; 0 is a
// column that is not there.
type widths struct{ span, marks, sender, start, time, bar int }

const (
	minName   = 20 // of a span's name, whatever its depth
	minIndent = 6  // a depth of five digits and a blank
	foldCells = 2
	minSpan   = minIndent + foldCells + minName
	maxSpan   = 64
	minBar    = 8
	timeCells = 7
	gutter    = 2 // of a table, for its cursor
)

// arrange gives the columns their widths: names first, then the bars. At forty
// cells there are none: names and durations say more than bars of three cells.
func arrange(total int, senders bool) widths {
	w := widths{marks: 1, time: timeCells}
	if total >= 60 {
		w.marks = 2
	}
	if senders && total >= 60 {
		w.sender = 8
	}
	if total >= 100 {
		w.marks, w.start, w.sender = 3, 9, 2*w.sender
	}
	rest := total - gutter - w.time - 1 - w.marks - 1
	for _, n := range []int{w.sender, w.start} {
		if n > 0 {
			rest -= n + 1
		}
	}
	if rest-1-minBar < minSpan {
		w.span = max(0, rest)
		return w
	}
	w.span = max(minSpan, min(rest*45/100, maxSpan))
	w.bar = rest - 1 - w.span
	return w
}

// columns are those of the widths, the bars under a ruler.
func (w widths) columns(ruler string) []draw.Column {
	var out []draw.Column
	for i, c := range []struct {
		id, title string
		cells     int
		right     bool
	}{
		{"span", "span", w.span, false}, {"marks", "", w.marks, false}, {"sender", "sender", w.sender, false},
		{"start", "start", w.start, true}, {"time", "time", w.time, true}, {"bar", ruler, w.bar, false},
	} {
		if c.cells > 0 {
			out = append(out, draw.Column{ID: c.id, Title: c.title, Min: c.cells, Right: c.right, Priority: i})
		}
	}
	return out
}

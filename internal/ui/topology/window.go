package topologyscreen

// window is the part of the board that is on screen.
type window struct {
	top, left   int // first line and column
	lines, cols int // how many
}

// parts is how many lines each part of the screen has.
type parts struct{ problems, grid, notes, focus int }

// The lines that are always there: the summary, two of headings, the medians of
// the stages, the legend.
const always = 5

func (m *Model) parts() parts {
	h := m.size.height
	p := parts{focus: 1}
	if h >= 14 {
		p.problems = min(len(m.seen.grid.Problems), 2)
		p.notes, p.focus = 1, 2
	}
	p.grid = max(0, h-always-p.problems-p.notes-p.focus)
	return p
}

// room is how many lines the grid has.
func (m *Model) room() int { return m.parts().grid }

// follow keeps the window on the cursor.
func (m *Model) follow() {
	b, w := &m.board, &m.window
	if len(b.lines) == 0 {
		return
	}
	line, col := b.find(m.at)
	w.lines = min(m.room(), len(b.lines))
	w.top = clamp(w.top, line-w.lines+1, line)
	w.top = clamp(w.top, 0, max(0, len(b.lines)-w.lines))
	m.followColumn(col)
}

// followColumn moves by whole blocks where these fit.
func (m *Model) followColumn(col int) {
	b, w := &m.board, &m.window
	room := m.size.width - b.left() - medianGap - max(m.seen.scale.width, len(medianWord))
	fit := func(from int) int {
		n := 1
		for from+n < b.cols && b.span(from, from+n+1) <= room {
			n++
		}
		return min(n, b.cols-from)
	}
	if w.left >= b.cols || fit(0) == b.cols {
		w.left = 0
	}
	step := b.block
	if fit(0) < b.block {
		step = 1
	}
	w.left -= w.left % step
	for col < w.left {
		w.left -= step
	}
	for w.left+fit(w.left) <= col {
		w.left += step
	}
	w.left = max(0, w.left)
	w.cols = fit(w.left)
}

func clamp(n, low, high int) int { return max(low, min(n, high)) }

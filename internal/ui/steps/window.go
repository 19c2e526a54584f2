package stepsscreen

import (
	"math"
	"strconv"
)

// window is the part of the map that is on screen.
type window struct {
	left, cols int // first column and how many, by their place among the points
	cell       int // cells of the terminal for a column
	top, lines int // first line and how many there are on screen
	bucket     int // ranks of a line
}

// room is the cells of the parts.
type room struct{ label, cols, lines, notes int }

// The lines around the map: above it the summary and the medians, below it the
// axis, the legend and what the cursor reads.
const around = 5

// gutter holds the mark of the line in focus.
const gutter = 2

func (m *Model) room() room {
	r := room{label: m.labelCells(), lines: max(0, m.size.height-around)}
	if m.size.height >= 14 {
		r.notes = 2
		r.lines -= r.notes
	}
	r.cols = max(1, m.size.width-r.label)
	return r
}

// labelCells is the column of rank numbers, with the gutter.
func (m *Model) labelCells() int {
	n := len("median")
	if k := len(m.seen.rows); k > 0 {
		digits := len(strconv.Itoa(max(0, m.seen.rows[k-1].rank)))
		n = max(n, 2*digits+1)
	}
	return gutter + n + 1
}

// widestCell is the most cells that a column takes, where there are few.
const widestCell = 3

// arrange lays the map out: columns and lines around the focus, worst of a bucket
// in each tile.
func (m *Model) arrange() {
	if len(m.seen.rows) == 0 || len(m.seen.points) == 0 {
		m.grid = nil
		return
	}
	m.rank = clamp(m.rank, 0, len(m.seen.rows)-1)
	if m.newest {
		m.at = spotOf(&m.seen.points[len(m.seen.points)-1])
	}
	r := m.room()
	m.columns(r)
	m.rows(r)
	m.fill()
}

func (m *Model) columns(r room) {
	w, n := &m.window, len(m.seen.points)
	w.cell = clamp(r.cols/n, 1, widestCell)
	w.cols = min(n, r.cols/w.cell)
	at := m.seen.find(m.at)
	if m.newest {
		w.left = n - w.cols
	}
	w.left = clamp(w.left, at-w.cols+1, at)
	w.left = clamp(w.left, 0, n-w.cols)
}

func (m *Model) rows(r room) {
	w, n := &m.window, len(m.seen.rows)
	w.bucket = 1
	if !m.zoomed && r.lines > 0 {
		w.bucket = (n + r.lines - 1) / r.lines
	}
	total := (n + w.bucket - 1) / w.bucket
	w.lines = min(r.lines, total)
	line := m.rank / w.bucket
	w.top = clamp(w.top, line-w.lines+1, line)
	w.top = clamp(w.top, 0, total-w.lines)
}

func clamp(n, low, high int) int { return max(low, min(n, high)) }

// end is the iteration that the window ends with.
func (m *Model) end() spot {
	n := len(m.seen.points)
	if m.newest || n == 0 || m.window.left+m.window.cols >= n {
		return spot{attempt: 1 << 30}
	}
	return spotOf(&m.seen.points[clamp(m.window.left+m.window.cols-1, 0, n-1)])
}

// covered reports whether all columns on screen were read for what was asked.
func (m *Model) covered() bool {
	if m.seen.in == nil || m.seen.measure != m.measure {
		return false
	}
	for i := m.window.left; i < min(m.window.left+m.window.cols, len(m.seen.cols)); i++ {
		if m.seen.cols[i] == nil {
			return false
		}
	}
	return true
}

// tile is one cell of the map: the worst of the ranks of a line.
type tile struct {
	state state
	value float32
	row   int // whose it is
}

// fill works the tiles on screen out.
func (m *Model) fill() {
	w := &m.window
	m.grid = make([][]tile, w.lines)
	for y := range m.grid {
		m.grid[y] = make([]tile, w.cols)
		from, to := m.bucketOf(w.top + y)
		for x := range m.grid[y] {
			m.grid[y][x] = m.worstOf(w.left+x, from, to)
		}
	}
}

// bucketOf is the rows of a line.
func (m *Model) bucketOf(line int) (from, to int) {
	from = line * m.window.bucket
	return from, min(from+m.window.bucket, len(m.seen.rows))
}

// worstOf is the largest value of some rows; where none has a value, the gravest
// state.
func (m *Model) worstOf(i, from, to int) tile {
	t := tile{state: notYet, value: float32(math.NaN()), row: from}
	c := m.seen.cols[i]
	if c == nil {
		return t
	}
	for k := from; k < to; k++ {
		if v := c.values[k]; c.states[k] == measured {
			if t.state != measured || v > t.value {
				t = tile{measured, v, k}
			}
			continue
		}
		if s := m.seen.stateOf(k, i); t.state != measured && s > t.state {
			t = tile{s, c.values[k], k}
		}
	}
	return t
}

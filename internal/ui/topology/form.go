package topologyscreen

// form is how a cell is drawn.
type form struct {
	unit     unit
	cell     int // cells of the terminal
	gap      int // after each
	blockGap int // after the last of a block, besides
	valued   bool
}

// Around the cells of a line: a mark and a blank before the label, a blank after
// it, and two before the median.
const (
	gutter    = 2
	labelGap  = 1
	medianGap = 2
)

// shadeCells is a shade and a blank, before a number.
const shadeCells = 2

// formsOf lists the forms of a unit, the roomiest first.
func formsOf(number int, want unit) []form {
	of := func(u unit) []form {
		return []form{
			{unit: u, cell: shadeCells + number, gap: 1, blockGap: 1, valued: true},
			{unit: u, cell: 2, blockGap: 1},
			{unit: u, cell: 1, blockGap: 1},
		}
	}
	switch want {
	case ranks:
		return of(ranks)
	case workers:
		return of(workers)
	}
	return append(of(ranks), of(workers)...)
}

// x is where cell col begins, from the first on.
func (b *board) x(col int) int {
	return col*(b.form.cell+b.form.gap) + col/b.block*b.form.blockGap
}

// span is the cells from col to, but not with, end.
func (b *board) span(col, end int) int {
	if end <= col {
		return 0
	}
	return b.x(end-1) + b.form.cell - b.x(col)
}

// width is what the whole board needs; number is the width of a number.
func (b *board) width(number int) int {
	return b.left() + b.span(0, b.cols) + medianGap + max(number, len(medianWord))
}

// left is where the first cell begins.
func (b *board) left() int { return gutter + max(b.labels, len(medianWord)) + labelGap }

const medianWord = "median"

package topologyscreen

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func sizes(tp, cp, pp, dp int) run.Sizes { return run.Sizes{TP: tp, CP: cp, EP: 1, DP: dp, PP: pp} }

func TestPlaces(t *testing.T) {
	z := sizes(2, 3, 4, 5)
	for i := range 2 * 3 * 4 * 5 {
		p := placeOf(i, z)
		if p.rank(z) != i || p != p.within(z) {
			t.Fatalf("cell %d is at %+v, which is cell %d", i, p, p.rank(z))
		}
	}
	if got := (place{9, 9, 9, 9}).within(z); got != (place{1, 2, 4, 3}) {
		t.Errorf("beyond the grid: %+v", got)
	}
	if got := (place{-1, 0, 3, 0}).within(run.Sizes{}); got != (place{}) {
		t.Errorf("in no grid: %+v", got)
	}
}

// Every cell stands on the board once, and finds its way back.
func TestBoardsHoldEveryCellOnce(t *testing.T) {
	for _, z := range []run.Sizes{sizes(1, 1, 1, 1), sizes(2, 1, 2, 2), sizes(2, 2, 2, 3), sizes(1, 1, 1, 5), sizes(1, 1, 1, 100), sizes(4, 1, 1, 9), sizes(1, 1, 4, 9), sizes(8, 2, 16, 64)} {
		for _, want := range []unit{ranks, workers, byRoom} {
			for _, width := range []int{1, 20, 40, 80, 120, 200} {
				for _, f := range formsOf(5, want) {
					b := newBoard(z, f, width, 5)
					cells := z.PP * z.DP
					if b.unit == ranks {
						cells *= z.TP * z.CP
					}
					seen := map[int]bool{}
					for n, l := range b.lines {
						for col, i := range l.cells {
							if seen[i] {
								t.Fatalf("%+v %+v: cell %d is there twice", z, f, i)
							}
							seen[i] = true
							p := b.place(n, col, place{})
							if gotLine, gotCol := b.find(p); gotLine != n || gotCol != col {
								t.Fatalf("%+v %+v: line %d column %d is %+v, found at %d, %d", z, f, n, col, p, gotLine, gotCol)
							}
						}
					}
					if len(seen) != cells {
						t.Fatalf("%+v %+v: %d of %d cells", z, f, len(seen), cells)
					}
				}
			}
		}
	}
}

func TestTheRoomiestFormThatFits(t *testing.T) {
	for _, c := range []struct {
		ranks, width int
		want         unit
		unit         unit
		cell         int
		valued       bool
	}{
		{8, 80, byRoom, ranks, 7, true}, {8, 40, byRoom, ranks, 2, false}, {8, 24, byRoom, ranks, 1, false}, {8, 20, byRoom, workers, 1, false},
		{1024, 200, byRoom, ranks, 2, false}, {1024, 120, byRoom, ranks, 1, false}, {1024, 80, byRoom, workers, 7, true},
		{1024, 40, byRoom, workers, 2, false}, {1024, 20, byRoom, workers, 1, false}, {1024, 200, workers, workers, 7, true},
		{1024, 80, ranks, ranks, 1, false},
	} {
		m := open(t, ofRanks(t, c.ranks), "")
		m.cell = c.want
		m.SetSize(c.width, 22)
		b := &m.board
		if b.unit != c.unit || b.form.cell != c.cell || b.form.valued != c.valued {
			t.Errorf("%d ranks in %d cells, asked for %d: unit %d in %d cells, valued %v; want %d in %d, %v",
				c.ranks, c.width, c.want, b.unit, b.form.cell, b.form.valued, c.unit, c.cell, c.valued)
		}
	}
}

func TestWrappedLinesFit(t *testing.T) {
	m := open(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 1, World: 1, Steps: 2, Slow: -1}), "")
	if m.board.wrap != 0 {
		t.Error("one rank is wrapped")
	}
	for _, dp := range []int{2, 7, 8, 9, 64, 1000} {
		for _, width := range []int{40, 80, 120, 200} {
			for _, f := range formsOf(5, ranks) {
				b := newBoard(sizes(1, 1, 1, dp), f, width, 5)
				if b.wrap == 0 || b.width(5) > width && b.cols > wrapBlock {
					t.Errorf("dp %d in %d cells: %d a line in %d cells", dp, width, b.wrap, b.width(5))
				}
				if len(b.lines) != (dp+b.wrap-1)/b.wrap {
					t.Errorf("dp %d: %d lines of %d", dp, len(b.lines), b.wrap)
				}
			}
		}
	}
}

func TestManyReplicasGetSmallerCells(t *testing.T) {
	m := open(t, simulated(t, config(1, 1, 1, 256), nil), "")
	m.SetSize(80, 60)
	if !m.board.form.valued {
		t.Error("256 ranks fit with their numbers into 60 lines")
	}
	m.SetSize(80, 16)
	if m.board.form.valued || m.window.lines < len(m.board.lines) {
		t.Errorf("in 16 lines: valued %v, %d of %d lines seen", m.board.form.valued, m.window.lines, len(m.board.lines))
	}
}

func TestPosition(t *testing.T) {
	m := open(t, ofRanks(t, 1024), "")
	m.SetSize(120, 38)
	if got := m.position(); got != "" {
		t.Errorf("all is seen, and it says %q", got)
	}
	m.cell = ranks
	m.SetSize(40, 10)
	uitest.Press(m, "G", "end")
	if got := m.position(); !strings.HasPrefix(got, "dp 12–15 of 16, pp ") || !strings.HasSuffix(got, "–7 of 8") {
		t.Errorf("at the end it says %q", got)
	}
	if !strings.Contains(text(m), "dp 12-15 of 16") {
		t.Errorf("it is not on screen:\n%s", text(m))
	}
}

package topologyscreen

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestStagesScrollAsAWhole(t *testing.T) {
	m := open(t, ofRanks(t, 1024), "")
	m.cell = ranks
	m.SetSize(50, 20)
	for range 7 {
		uitest.Press(m, "L")
		if m.window.left%m.board.block != 0 {
			t.Fatalf("the window begins inside of a stage: column %d", m.window.left)
		}
	}
	if m.at.pp != 7 {
		t.Errorf("seven stages on it is in stage %d", m.at.pp)
	}
	for range 9 {
		uitest.Press(m, "H")
	}
	if m.at.pp != 0 || m.window.left != 0 {
		t.Errorf("back at stage %d, window from column %d", m.at.pp, m.window.left)
	}
	m.SetSize(22, 20) // narrower than a stage
	for range 9 {
		uitest.Press(m, "l")
		if _, col := m.board.find(m.at); col < m.window.left || col >= m.window.left+m.window.cols {
			t.Fatalf("column %d is outside of %+v", col, m.window)
		}
	}
}

// What a wider terminal has room for is shown again.
func TestTheWindowGrowsBack(t *testing.T) {
	m := open(t, ofRanks(t, 1024), "")
	m.cell = ranks
	m.SetSize(40, 10)
	uitest.Press(m, "G", "end")
	m.SetSize(200, 60)
	if w := m.window; w.left != 0 || w.top != 0 || w.cols != m.board.cols || w.lines != len(m.board.lines) {
		t.Errorf("window %+v of %d lines of %d", w, len(m.board.lines), m.board.cols)
	}
}

func TestPartsAddUp(t *testing.T) {
	m := open(t, training(t, func(tr *uitest.Training) { tr.Ranks, tr.World = 14, 16 }), "")
	for height := 7; height < 70; height++ {
		m.SetSize(90, height)
		p := m.parts()
		if always+p.problems+p.grid+p.notes+p.focus != height {
			t.Errorf("%d lines: %+v", height, p)
		}
		if lines := strings.Split(m.View(), "\n"); len(lines) != height {
			t.Errorf("%d lines: %d drawn", height, len(lines))
		}
	}
}

// Heads stand over their blocks and never run into each other.
func TestHeadsStandOverTheirBlocks(t *testing.T) {
	m := open(t, ofRanks(t, 1024), "")
	for _, u := range []unit{ranks, workers} {
		for width := 40; width <= 220; width += 9 {
			m.cell = u
			m.SetSize(width, 22)
			heads := draw.ASCII(m.heads())
			last := ""
			m.eachBlock(func(i, x, _ int) {
				rest := heads[min(x, len(heads)):]
				if name := m.board.heads[i].label; strings.HasPrefix(rest, name) || strings.HasPrefix(rest, "pp "+name) {
					last = name
				}
			})
			if last == "" || strings.Contains(heads, "pp 0pp") || !strings.Contains(heads, medianWord) {
				t.Errorf("%d cells: %q", width, heads)
			}
		}
	}
}

// The grid of a live run follows its steps.
func TestTheGridIsLive(t *testing.T) {
	w := world{tp: 2, cp: 1, pp: 1, dp: 2, ms: []int{100, 100, 100, 100}}
	m := open(t, w.snapshot(t), "")
	for _, ms := range []int{200, 300, 400} {
		w.ms[3] = ms
		uitest.Give(t, m, uitest.Data(t, w.snapshot(t), ""))
		uitest.Press(m, "G", "end")
		if got := m.CopyText(); !strings.HasPrefix(got, "rank 3  step "+m.seen.scale.text(float64(ms)/1e3)) {
			t.Errorf("after a step of %d ms: %q", ms, got)
		}
	}
}

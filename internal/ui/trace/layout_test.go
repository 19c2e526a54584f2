package tracescreen

import (
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// TestDivide: whatever the size, the parts make up the screen and none is
// negative.
func TestDivide(t *testing.T) {
	for height := range 80 {
		for width := range 220 {
			for _, details := range []bool{false, true} {
				p := divide(size{width, height}, details)
				lines := p.titles + p.table.height
				if p.bottom {
					lines++
				}
				switch {
				case details && p.side && p.pane.height != p.table.height:
					t.Fatalf("%dx%d: table %v beside %v", width, height, p.table, p.pane)
				case details && p.side && p.table.width+1+p.pane.width != width:
					t.Fatalf("%dx%d: table %v beside %v", width, height, p.table, p.pane)
				case details && !p.side && p.table.height+1+p.pane.height > max(height-p.titles, 1):
					t.Fatalf("%dx%d: table %v over %v", width, height, p.table, p.pane)
				case !details && lines != height:
					t.Fatalf("%dx%d: %d lines: %+v", width, height, lines, p)
				case p.table.height < 0 || p.table.width < 0 || p.pane.height < 0 || p.pane.width < 0:
					t.Fatalf("%dx%d: %+v", width, height, p)
				}
			}
		}
	}
}

func TestWhereTheDetailsAre(t *testing.T) {
	for _, test := range []struct {
		width, height int
		side          bool
		rows          int // of the table, with its heading
	}{{80, 22, false, 8}, {120, 38, true, 35}, {160, 43, true, 40}, {40, 10, false, 0}, {119, 38, false, 15}} {
		p := divide(size{test.width, test.height}, true)
		if p.side != test.side || p.table.height != test.rows {
			t.Errorf("%dx%d: %+v", test.width, test.height, p)
		}
	}
}

// TestCursorStaysVisible when the details take half of the screen, and after.
func TestCursorStaysVisible(t *testing.T) {
	m := open(t, simulated(t, small(), 12*time.Second), "")
	m.SetSize(80, 22)
	uitest.Press(m, "G", "k", "k")
	_, was := line(t, m)
	for range 3 {
		uitest.Press(m, "enter")
		if _, is := line(t, m); is != was {
			t.Fatalf("the cursor is on %q, was on %q", is, was)
		}
	}
}

// TestViewIsTheSame without a change, and nothing is assembled for it.
func TestViewIsTheSame(t *testing.T) {
	m := open(t, simulated(t, small(), 12*time.Second), "")
	first := m.View()
	m.SetSize(120, 40)
	uitest.Give(t, m, m.data)
	if m.View() != first {
		t.Error("the view changed without a reason")
	}
	if cmd := m.SetData(m.data); cmd != nil {
		t.Error("the same data are assembled again")
	}
}

package spansscreen

import (
	"slices"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// What is most telling stays: the truncated ones stand beside the figures from 80
// cells on.
func TestColumnsByWidth(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	for width, want := range map[int]string{
		40:  "name n p50",
		60:  "name n p50 p95 share",
		80:  "name n p50 p95 max share truncated",
		120: "name class n p50 p95 p99 max total share truncated invalid",
		160: "name class phase n p50 p95 p99 max mean min total share truncated invalid errors",
	} {
		m.SetSize(width, 22)
		if got := strings.Join(m.table.Columns(), " "); got != want {
			t.Errorf("%d cells: %s, want %s", width, got, want)
		}
	}
}

// No number on screen is cut: a cut number reads as another one.
func TestNoNumberIsCut(t *testing.T) {
	f := newFeed(t)
	for _, ns := range []uint64{0, 7, 999, 12_345, 999_499, 1_500_000, 999_499_999, 59_949_999_999, 3_599_000_000_000, 86_399_000_000_000, 31_536_000_000_000_000} {
		f.send(trainer("r", 0), f.mk("op", 0, ns), f.mk("op", 0, ns, truncated()))
		f.send(trainer("r", 1), f.mk(draw.Duration(float64(ns)), 0, ns))
	}
	m := open(t, f.Snapshot(), "")
	for width := 40; width <= 220; width += 4 {
		m.SetSize(width, 40)
		for _, id := range m.table.Columns()[1:] {
			room := m.table.ColumnWidth(id)
			for i := range m.shown.Len() {
				if id == "class" || id == "phase" {
					continue
				}
				if cell := m.shown.Cell(i, id).Text; draw.Width(cell) > room {
					t.Errorf("%d cells: %s %q does not fit into %d", width, id, cell, room)
				}
			}
		}
	}
}

func TestPartsByHeight(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	for height, want := range map[int]layout{
		0:  {},
		1:  {table: 0},
		7:  {table: 6},
		8:  {table: 6, focus: 1},
		12: {table: 9, focus: 1, legend: 1},
		22: {table: 19, focus: 1, legend: 1},
		28: {table: 17, pane: 8, focus: 1, legend: 1},
		40: {table: 29, pane: 8, focus: 1, legend: 1},
	} {
		m.SetSize(120, height)
		if got := m.layout(); got != want {
			t.Errorf("%d lines: %+v, want %+v", height, got, want)
		}
		if l := m.layout(); height > 0 && 1+l.table+l.pane+l.focus+l.legend != height {
			t.Errorf("%d lines: the parts do not add up: %+v", height, l)
		}
	}
}

func TestLegendOnlyOfMarksThatAreThere(t *testing.T) {
	f := newFeed(t)
	for i := range uint64(120) {
		f.send(trainer("r", 0), f.mk("op", 0, i*ms+ms))
	}
	m := open(t, f.Snapshot(), "")
	if m.layout().legend != 0 || strings.Contains(text(m), "few") {
		t.Errorf("a table without marks has a legend:\n%s", text(m))
	}
	f.send(trainer("r", 0), f.mk("rare", 0, ms))
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if got := line(t, text(m), "few"); got != "* few: p95 of < 20, p99 of < 100 spans" {
		t.Errorf("the legend is %q", got)
	}
}

func TestThePaneOfTheSlowest(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	m.SetSize(120, 38)
	uitest.Press(m, "j", "enter")
	if got := text(m); !strings.Contains(got, "nv.mcore.forward_backward: how long 32 retained spans took") || !strings.Contains(got, "|p50") {
		t.Errorf("the list has no histogram beside it:\n%s", got)
	}
	uitest.Press(m, "v")
	if got := text(m); strings.Contains(got, "how long") || m.slow == nil {
		t.Errorf("v closes more than the histogram:\n%s", got)
	}
	uitest.Press(m, "b")
	if m.slow != nil || m.prompt == nil {
		t.Error("b does not ask for a grouping from here")
	}
}

func TestMoreOffersThanLines(t *testing.T) {
	m := prompted(t)
	uitest.Press(m, "b")
	n := len(m.prompt.offers)
	for i := range n {
		uitest.Press(m, "down")
		if m.prompt.chosen != i || !strings.Contains(text(m), "> "+m.prompt.offers[i].text) {
			t.Fatalf("offer %d, %q, is chosen and not seen:\n%s", i, m.prompt.offers[i].text, text(m))
		}
	}
	if uitest.Press(m, "down"); m.prompt.chosen != -1 {
		t.Errorf("after the last comes %d, want none", m.prompt.chosen)
	}
	if uitest.Press(m, "up"); m.prompt.chosen != n-1 {
		t.Errorf("before none comes %d, want the last of %d", m.prompt.chosen, n)
	}
	m.SetSize(60, 5)
	if got := text(m); !strings.Contains(got, "group by:") {
		t.Errorf("five lines leave out what is typed:\n%s", got)
	}
}

func TestOffersAreKeysOfAnyRun(t *testing.T) {
	m := prompted(t)
	d := m.data
	d.Run = "beta"
	uitest.Give(t, m, d)
	uitest.Press(m, "b")
	if got := offered(m); !slices.Contains(got, "bucket") {
		t.Errorf("a key that only another run has is not offered: %q", got)
	}
	if uitest.Press(m, "z", "z", "tab", "down"); m.prompt.input.Value() != "zz" || m.prompt.chosen != -1 {
		t.Errorf("nothing to complete made %q, chose %d", m.prompt.input.Value(), m.prompt.chosen)
	}
}

func TestQuoteLevel(t *testing.T) {
	for in, want := range map[string]string{"rank": "rank", "a b": `"a b"`, "a,b": `"a,b"`, `a"b`: "", "": "", "x>y": `"x>y"`} {
		if got := quoteLevel(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if word, from := wordAt(`run "two wo`); word != "two wo" || from != 4 {
		t.Errorf("an open quote: %q from %d", word, from)
	}
}

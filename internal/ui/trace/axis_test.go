package tracescreen

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestRuler(t *testing.T) {
	g := theme.New(theme.Options{ASCII: true}).Glyphs
	for _, test := range []struct {
		from, to float64
		cells    int
		want     string
	}{
		{0, 1e9, 40, "|0      |200ms  |400ms  |600ms  |800ms"},
		{0, 10e9, 30, "|0             |5s"},
		{0, 1.5e3, 24, "|0      |500ns  |1.0µs"},
		{145e6, 272e6, 30, " |150ms      |200ms"},
		{-2e9, 10e9, 36, "      |0             |5s"},
		{1e9, 1.01e9, 30, "|1.000s        |1.005s"},
		{0, 3600e9, 40, "|0         |1000s     |2000s     |3000s"},
		{0, 0, 20, ""},
		{0, 1e9, 5, ""},
	} {
		got := strings.TrimRight(axis{stretch{test.from, test.to}, test.cells}.ruler(g), " ")
		if strings.TrimRight(test.want, " ") != got {
			t.Errorf("%v … %v in %d cells:\n%q, want\n%q", test.from, test.to, test.cells, got, test.want)
		}
	}
}

// TestRulerFits: any ruler is exactly its cells, and its labels say the time of
// their place to half a cell.
func TestRulerFits(t *testing.T) {
	g := theme.New(theme.Options{}).Glyphs
	dice := rand.New(rand.NewPCG(7, 8))
	for range 5000 {
		from := (dice.Float64() - 0.3) * math.Pow(10, float64(dice.IntN(16)))
		a := axis{stretch{from, from + math.Pow(10, 16*dice.Float64())}, dice.IntN(180)}
		if got := a.ruler(g); draw.Width(got) != a.cells {
			t.Fatalf("%+v: ruler of %d cells: %q", a, draw.Width(got), got)
		}
	}
}

func TestTickStep(t *testing.T) {
	for ns, want := range map[float64]float64{0: 1, 1: 1, 1.5: 2, 3: 5, 7: 10, 11e6: 20e6, 20e6: 20e6, 51e9: 100e9} {
		if got := tickStep(ns); got != want {
			t.Errorf("a tick every %v ns or more: %v, want %v", ns, got, want)
		}
	}
}

func TestZoomedStaysInside(t *testing.T) {
	all := stretch{0, 100e9}
	for _, test := range []struct{ in, want stretch }{
		{stretch{10e9, 20e9}, stretch{10e9, 20e9}},
		{stretch{-10e9, 20e9}, stretch{0, 30e9}},
		{stretch{90e9, 120e9}, stretch{70e9, 100e9}},
		{stretch{-50e9, 200e9}, all},
	} {
		if got := test.in.inside(all); got != test.want {
			t.Errorf("%v inside: %v, want %v", test.in, got, test.want)
		}
	}
	s := stretch{0, 1e9}.zoomed(0.5, 0.25e9)
	if s != (stretch{0.125e9, 0.625e9}) {
		t.Errorf("zoomed: %v", s)
	}
	for range 100 {
		s = s.zoomed(0.5, s.mid())
	}
	if s.long() < minZoom*0.999 {
		t.Errorf("zoomed in to %v ns", s.long())
	}
}

func TestZoomKeys(t *testing.T) {
	m := openTrace(t, family(t), uitest.TraceID(1))
	all := m.extent()
	uitest.Press(m, "j", "j", "+") // op-0-0, 0 … 1 s of 10
	if want := (stretch{0.25e9, 5.25e9}); !m.time.on || m.time.view != want {
		t.Errorf("+: %v, want %v", m.time.view, want)
	}
	if uitest.Press(m, ">"); m.time.view.from != 1.5e9 {
		t.Errorf(">: %v", m.time.view)
	}
	if uitest.Press(m, "<", "<", "<"); m.time.view.from != 0 {
		t.Errorf("<: %v", m.time.view)
	}
	if uitest.Press(m, "-"); m.time.on || m.shownTime() != all {
		t.Errorf("-: %v", m.time.view)
	}
	if uitest.Press(m, "<"); m.note == "" {
		t.Error("< with all the time shown says nothing")
	}
	if uitest.Press(m, "z"); m.time.view != (stretch{0, 1.1e9}) {
		t.Errorf("z: %v", m.time.view)
	}
	if uitest.Press(m, "z"); m.time.on {
		t.Errorf("z again: %v", m.time.view)
	}
	if uitest.Press(m, "z", "Z"); m.time.on {
		t.Errorf("w: %v", m.time.view)
	}
}

// TestJumpsPan: the span that one jumps to is in view.
func TestJumpsPan(t *testing.T) {
	m := openTrace(t, family(t), uitest.TraceID(1))
	uitest.Press(m, "j", "j", "z", "x")
	s := m.rows.stretchOf(m.content.node(0, 6), 0)
	if !m.time.on || s.from < m.time.view.from || s.from > m.time.view.to {
		t.Errorf("the error is at %v, shown is %v", s, m.time.view)
	}
}

package draw

import (
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

func rising(n int) []XY {
	out := make([]XY, n)
	for i := range out {
		out[i] = XY{float64(i), float64(i)}
	}
	return out
}

func plot(t theme.Theme, curves ...Curve) Plot {
	return Plot{Theme: t, Width: 12, Height: 4, Gutter: 4, X0: 0, X1: 7, Y0: 0, Y1: 7, Curves: curves,
		Cursor: math.NaN(), Label: Number}
}

func TestPlotInASCII(t *testing.T) {
	nan := math.NaN()
	for _, test := range []struct {
		name   string
		curves []Curve
		cursor float64
		want   string
	}{
		{"a ramp", []Curve{{Mark: "A", Points: rising(8)}}, nan, "  7|      AA\n   |    AA  \n   |  AA    \n  0|AA      "},
		{"a gap breaks it", []Curve{{Mark: "A", Points: []XY{{0, 0}, {1, 0}, {3, nan}, {6, 7}, {7, 7}}}}, nan,
			"  7|      AA\n   |        \n   |        \n  0|AA      "},
		{"infinite is no point", []Curve{{Mark: "A", Points: []XY{{0, 0}, {3, math.Inf(1)}, {7, 7}}}}, nan,
			"  7|       A\n   |        \n   |        \n  0|A       "},
		{"the later lies on top", []Curve{{Mark: "A", Points: []XY{{0, 0}, {7, 0}}}, {Mark: "B", Points: []XY{{4, 0}, {7, 0}}}}, nan,
			"  7|        \n   |        \n   |        \n  0|AAAABBBB"},
		{"a companion is thin", []Curve{{Points: []XY{{0, 7}, {7, 7}}}}, nan, "  7|........\n   |        \n   |        \n  0|        "},
		{"the cursor", []Curve{{Mark: "A", Points: []XY{{0, 0}, {7, 0}}}}, 3.5, "  7|    |   \n   |    |   \n   |    |   \n  0|AAAAAAAA"},
		{"one lonely point", []Curve{{Mark: "A", Points: []XY{{3, 3}}}}, nan, "  7|        \n   |        \n   |   A    \n  0|        "},
		{"what leads out of sight keeps its slope", []Curve{{Mark: "A", Points: []XY{{0, 0}, {7, 14}}}}, nan, "  7|    A   \n   |  AA    \n   | A      \n  0|A       "},
		{"beside the edges", []Curve{{Mark: "A", Points: []XY{{-7, -7}, {14, 14}}}}, nan, "  7|      AA\n   |    AA  \n   |  AA    \n  0|AA      "},
		{"above all", []Curve{{Mark: "A", Points: []XY{{0, 20}, {7, 30}}}}, nan, "  7|        \n   |        \n   |        \n  0|        "},
		{"nothing", nil, nan, "  7|        \n   |        \n   |        \n  0|        "},
	} {
		p := plot(theme.New(theme.Options{ASCII: true}), test.curves...)
		p.Cursor = test.cursor
		if got := strings.Join(p.Lines(), "\n"); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

func TestPlotInDots(t *testing.T) {
	p := plot(theme.New(theme.Options{}), Curve{Points: rising(8)})
	want := "  7│      ⡠⠊\n   │    ⡠⠊  \n   │  ⡠⠊    \n  0│⡠⠊      "
	if got := strings.Join(p.Lines(), "\n"); got != want {
		t.Errorf("\n%s\nwant\n%s", got, want)
	}
	p.Curves[0].Mark = "A"
	if got := p.Lines()[0]; !strings.HasSuffix(got, "⡠A") {
		t.Errorf("the newest point bears no mark: %q", got)
	}
}

func TestMarksStandEverySoOften(t *testing.T) {
	p := Plot{Theme: theme.New(theme.Options{}), Width: 100, Height: 1, X1: 999, Y0: 5, Y1: 5, Cursor: math.NaN(),
		Curves: []Curve{{Mark: "A", Points: func() []XY {
			pts := rising(1000)
			for i := range pts {
				pts[i].Y = 5
			}
			return pts
		}()}}}
	if got := strings.Count(p.Lines()[0], "A"); got != 5 {
		t.Errorf("%d marks on 100 cells: %s", got, p.Lines()[0])
	}
}

func TestPlotOfEqualValuesLiesInTheMiddle(t *testing.T) {
	p := plot(theme.New(theme.Options{ASCII: true}), Curve{Mark: "A", Points: []XY{{0, 5}, {7, 5}}})
	p.Y0, p.Y1 = 5, 5
	if got := strings.Join(p.Lines(), "\n"); got != "   |        \n   |        \n  5|AAAAAAAA\n   |        " {
		t.Errorf("\n%s", got)
	}
}

func TestColumnsAndBack(t *testing.T) {
	p := Plot{Width: 54, Height: 5, Gutter: 4, X0: 100, X1: 200}
	for cell := range p.Cells() {
		if got, ok := p.Column(p.At(cell)); !ok || got != cell {
			t.Errorf("cell %d is at %g, which is cell %d", cell, p.At(cell), got)
		}
	}
	for _, x := range []float64{99, 201, math.NaN(), math.Inf(1)} {
		if cell, ok := p.Column(x); ok {
			t.Errorf("%g lies in cell %d", x, cell)
		}
	}
}

func TestNoCursorInNoTime(t *testing.T) {
	p := Plot{Width: 20, X0: 5, X1: 5}
	if cell, ok := p.Column(math.NaN()); ok {
		t.Errorf("nothing lies in cell %d", cell)
	}
	if cell, ok := p.Column(5); !ok || cell != 10 {
		t.Errorf("the only moment lies in cell %d, %v", cell, ok)
	}
}

func FuzzPlot(f *testing.F) {
	f.Add(40, 12, 8, 1.0, 2.0, 3.0, -4.0, true)
	f.Add(0, 0, 0, math.NaN(), math.Inf(1), 0.0, 1e308, false)
	f.Add(3, 2, 9, -1e308, 1e308, 1e308, -1e308, false)
	f.Fuzz(func(t *testing.T, width, height, gutter int, a, b, c, d float64, ascii bool) {
		width, height, gutter = width&0xff, height&0x3f, gutter&0xf
		p := Plot{Theme: theme.New(theme.Options{ASCII: ascii}), Width: width, Height: height, Gutter: min(gutter, width),
			X0: math.Min(a, b), X1: math.Max(a, b), Y0: math.Min(c, d), Y1: math.Max(c, d), Cursor: a, Label: Number,
			Curves: []Curve{{Mark: "A", Points: []XY{{a, c}, {b, d}, {b, a}}}, {Points: []XY{{c, a}, {d, b}}}}}
		lines := p.Lines()
		if len(lines) != height {
			t.Fatalf("%d lines of %d", len(lines), height)
		}
		for _, line := range lines {
			if n := ansi.StringWidth(line); n != width {
				t.Fatalf("%d cells of %d: %q", n, width, line)
			}
		}
	})
}

func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", -1: "-1", 12345: "12,345", 999_999: "999,999", -999_999: "-999,999", 1e6: "1M", 12_345_678: "12.35M", 1.5e9: "1.5G",
		2.5e12: "2.5T", 9.9999e14: "1,000T", 1e15: "1e15", 1.2345e20: "1.234e20", 3.14159: "3.142", 0.03125: "0.03125", 0.000123456: "0.0001235",
		1.2345e-5: "1.234e-5", -1.2345e-5: "-1.234e-5", -1.2345e-300: "-1.2e-300", 123.456: "123.5", 999_999.9: "1M", 99_999.5: "100,000", 194_937.7: "194,938", 5e-324: "4.94e-324",
	} {
		if got := Number(v); got != want || len(got) > NumberCells {
			t.Errorf("%g: %q, want %q", v, got, want)
		}
	}
	if Number(math.NaN()) != "NaN" || Number(math.Inf(1)) != "+Inf" || Number(math.Inf(-1)) != "-Inf" {
		t.Error("what is not finite must be said so")
	}
}

// BenchmarkPlot is 8 curves of 512 points in 120 × 30 cells. ntcharts 0.4.0 took about
// ten times the time and thirty times the memory for the same, and cannot scale
// around NaN or infinities.
func BenchmarkPlot(b *testing.B) {
	t := theme.New(theme.Options{Profile: theme.ANSI256, Dark: true})
	p := Plot{Theme: t, Width: 120, Height: 30, Gutter: 8, X1: 511, Y0: -1, Y1: 1, Cursor: 100, Label: Number}
	for s := range 8 {
		c := Curve{Mark: string(rune(65 + s)), Style: t.Accent}
		for i := range 512 {
			c.Points = append(c.Points, XY{float64(i), math.Sin(float64(i)/20 + float64(s))})
		}
		p.Curves = append(p.Curves, c)
	}
	b.ReportAllocs()
	for b.Loop() {
		p.Lines()
	}
}

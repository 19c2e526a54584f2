package draw

import (
	"math"
	"testing"
	"testing/quick"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

func TestSparkline(t *testing.T) {
	g := theme.New(theme.Options{}).Glyphs
	nan := math.NaN()
	for _, test := range []struct {
		name   string
		values []float64
		width  int
		want   string
	}{
		{"rising", []float64{0, 1, 2, 3, 4, 5, 6, 7}, 8, "▁▂▃▄▅▆▇█"},
		{"short is right", []float64{0, 7}, 4, "  ▁█"},
		{"long keeps the newest", []float64{100, 0, 7}, 2, "▁█"},
		{"flat", []float64{5, 5, 5}, 3, "▄▄▄"},
		{"gap", []float64{0, nan, 7}, 3, "▁ █"},
		{"infinite", []float64{0, math.Inf(1), 7}, 3, "▁ █"},
		{"nothing", nil, 3, "   "},
		{"no room", []float64{1}, 0, ""},
	} {
		if got := Sparkline(test.values, test.width, g); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestSteadySparkline(t *testing.T) {
	g := theme.New(theme.Options{}).Glyphs
	for _, test := range []struct {
		name   string
		values []float64
		want   string
	}{
		{"noise is flat", []float64{1.016, 1.020, 1.017, 1.019}, "▄▅▄▅"},
		{"a fifth is the whole height", []float64{1, 1.25}, "  ▁█"},
		{"a tenth is seen", []float64{1, 1, 1.1}, " ▃▃▆"},
		{"gap", []float64{1, math.NaN(), 1}, " ▄ ▄"},
		{"zeros", []float64{0, 0}, "  ▄▄"},
		{"nothing", nil, "    "},
		{"keeps the newest", []float64{9, 9, 9, 1, 1, 1, 2}, "▁▁▁█"},
	} {
		if got := SteadySparkline(test.values, 4, 0.2, g); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
	if got := SteadySparkline([]float64{1}, 0, 0.2, g); got != "" {
		t.Errorf("no room: %q", got)
	}
}

func TestBar(t *testing.T) {
	g := theme.New(theme.Options{}).Glyphs
	for _, test := range []struct {
		share float64
		want  string
	}{
		{0, "    "}, {1, "████"}, {0.5, "██  "}, {0.125, "▌   "}, {0.0001, "▏   "}, {2, "████"}, {-1, "    "}, {math.NaN(), "    "},
	} {
		if got := Bar(test.share, 4, g); got != test.want {
			t.Errorf("Bar(%v) = %q, want %q", test.share, got, test.want)
		}
	}
}

func TestStack(t *testing.T) {
	piece := func(share float64, fill string) Piece { return Piece{Share: share, Fill: fill} }
	for _, test := range []struct {
		name   string
		pieces []Piece
		want   string
	}{
		{"whole", []Piece{piece(0.5, "#"), piece(0.5, ".")}, "#####....."},
		{"dark time is blank", []Piece{piece(0.5, "#"), piece(0.2, ".")}, "#####..   "},
		{"too much is cut", []Piece{piece(0.9, "#"), piece(0.9, ".")}, "#########."},
		{"rounding is carried", []Piece{piece(1.0/3, "a"), piece(1.0/3, "b"), piece(1.0/3, "c")}, "aaabbbbccc"},
		{"NaN and negative are nothing", []Piece{piece(math.NaN(), "a"), piece(-1, "b"), piece(0.1, "c")}, "c         "},
	} {
		if got := Stack(test.pieces, 10); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestGraphsHaveTheirWidth(t *testing.T) {
	for _, ascii := range []bool{false, true} {
		g := theme.New(theme.Options{ASCII: ascii}).Glyphs
		right := func(share float64, values []float64, width uint8) bool {
			n := int(width)
			return Width(Bar(share, n, g)) == n && Width(Sparkline(values, n, g)) == n &&
				Width(Stack([]Piece{{Share: share, Fill: "#"}, {Share: share / 2, Fill: "."}}, n)) == n
		}
		if err := quick.Check(right, nil); err != nil {
			t.Error(err)
		}
	}
}

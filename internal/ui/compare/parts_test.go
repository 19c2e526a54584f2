package comparescreen

import (
	"math"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestFigures(t *testing.T) {
	nan := math.NaN()
	for _, test := range [][2]string{
		{percent(0.1234), "+12.3%"}, {percent(-0.5), "-50.0%"}, {percent(-0.0001), "0.0%"}, {percent(nan), "–"}, {percent(math.Inf(1)), "–"},
		{interval(0.01, 0.022), "+1.0 to +2.2%"}, {interval(nan, 1), ""}, {points(0.0123), "+1.23"}, {points(nan), "–"}, {pointsOf(-0.01, 0), "-1.00 to 0.00"},
		{pointsOf(0, nan), ""}, {signed(0.5, draw.Seconds), "+500ms"}, {signed(-0.5, draw.Seconds), "-500ms"}, {signed(0, draw.Seconds), "0ns"}, {signed(nan, draw.Seconds), "–"},
		{longer(0.2), "20.0% longer than one of A"}, {longer(-0.2), "20.0% less than one of A"}, {longer(0.0001), "as long as one of A"}, {longer(nan), "as long as can be told"},
	} {
		if test[0] != test[1] {
			t.Errorf("%q, want %q", test[0], test[1])
		}
	}
}

// The columns of the table never need more than there is.
func TestFormFits(t *testing.T) {
	for width := range 220 {
		f := formOf(width)
		used := f.name + 1 + 2*(f.figure+1) + f.change + 1 + f.word
		for _, n := range []int{f.interval, f.diff, f.class} {
			if n > 0 {
				used += n + 1
			}
		}
		if f.name > 0 && used > width {
			t.Errorf("width %d: %d in %+v", width, used, f)
		}
		if width >= 60 && f.name < 10 {
			t.Errorf("width %d leaves names %d cells", width, f.name)
		}
	}
}

func TestWordOfAChange(t *testing.T) {
	for _, test := range []struct {
		width int
		r     row
		want  string
	}{
		{80, row{level: analysis.Material}, "material"}, {80, row{level: analysis.Moderate}, "moderate"}, {80, row{level: analysis.Same}, ""},
		{80, row{level: analysis.Same, follows: "forward_backward"}, "follows forward_backward"},
		{40, row{level: analysis.Material}, "x"}, {40, row{level: analysis.Moderate}, "!"}, {40, row{follows: "f"}, "="},
	} {
		p := newPage(plain(), size{test.width, 20}, &answer{})
		if got := p.word(test.r, 80); got != test.want {
			t.Errorf("%d cells, %+v: %q, want %q", test.width, test.r, got, test.want)
		}
	}
}

func TestRestOfTheIterations(t *testing.T) {
	for _, test := range []struct{ of, w, want window }{
		{window{1, 100}, window{1, 30}, window{31, 100}}, {window{1, 100}, window{60, 100}, window{1, 59}}, {window{0, 9}, window{2, 3}, window{4, 9}},
	} {
		if got := rest(test.of, test.w); got != test.want {
			t.Errorf("%v without %v: %v, want %v", test.of, test.w, got, test.want)
		}
	}
}

func TestParseWindow(t *testing.T) {
	if got, err := parseWindow(" 10..200 "); err != nil || got != (window{10, 200}) {
		t.Errorf("%v %v", got, err)
	}
	for _, wrong := range []string{"", "..", "1..", "..9", "5..1", "0..0", "-2..3", "1...3", "1-3", "99999999999999999999..3"} {
		if got, err := parseWindow(wrong); err == nil || !strings.Contains(err.Error(), "FIRST..LAST") {
			t.Errorf("%q: %v %v", wrong, got, err)
		}
	}
}

// A run of one iteration has no halves, and says so.
func TestTooFewIterations(t *testing.T) {
	m := with(t, uitest.Data(t, uitest.Snapshot(t, uitest.Training{Run: "young", Ranks: 2, Steps: 1, Slow: -1}), ""))
	wants(t, m, "Run young has no two iterations to compare yet.", "m on Runs (1)")
	uitest.Press(m, "enter", "n", "j", "]", "=", "x", "w", "a")
	if m.Export().Text != "" || m.CopyText() != "" {
		t.Error("there is something to copy")
	}
}

func TestALiveComparisonIsKeptForAWhile(t *testing.T) {
	s := two(t, 4, 1.2)
	s.Live, s.Now = true, 1e9
	d := marked(t, s, "before", "after")
	k, q := &kept{}, question{a: "before", b: "after"}
	first := k.compare(d, q)
	later := *s
	later.Version, later.Now, later.Runs = s.Version+1, 4e9, s.Runs[:1]
	d.Snapshot = &later
	if got := k.compare(d, q); !got.found || got.comparison.Step != first.comparison.Step {
		t.Error("compared again after three seconds")
	}
	later.Now = 6e9
	if got := k.compare(d, q); got.found {
		t.Error("not compared again after five")
	}
}

package metricsscreen

import (
	"math"
	"testing"
	"testing/quick"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// TestPartsFillTheirHeight: nothing overlaps and nothing is left over.
func TestPartsFillTheirHeight(t *testing.T) {
	for height := range 80 {
		for rows := range 40 {
			for _, odd := range []bool{false, true} {
				p := divide(height, rows, odd)
				used := p.titles + p.plot + p.table
				if height > p.titles {
					used++ // axis
				}
				for _, on := range []bool{p.strip, p.legend} {
					if on {
						used++
					}
				}
				if used != height || p.plot < 0 || p.table < 0 || p.table > max(rows+1, 3) {
					t.Fatalf("%d lines, %d rows, odd %v: %+v is %d lines", height, rows, odd, p, used)
				}
				if height >= 20 && p.plot < p.table-1 {
					t.Errorf("%d lines: the chart has %d, its table %d", height, p.plot, p.table)
				}
			}
		}
	}
}

func TestFitKeepsEveryValue(t *testing.T) {
	keeps := func(counts []uint16, lines uint8) bool {
		var buckets []analysis.BucketCount
		want := uint64(0)
		for i, n := range counts {
			buckets = append(buckets, analysis.BucketCount{Low: float64(i), High: float64(i + 1), N: uint64(n)})
			want += uint64(n)
		}
		got, height := uint64(0), int(lines%40)+1
		out := fit(buckets, height)
		for i, b := range out {
			got += b.N
			if i > 0 && out[i-1].High != b.Low {
				return false
			}
		}
		return got == want && len(out) <= max(height, 0) && (len(out) == 0 || out[0].Low == 0 && out[len(out)-1].High == float64(len(counts)))
	}
	if err := quick.Check(keeps, nil); err != nil {
		t.Error(err)
	}
}

func TestPercentilesStandAtTheirBuckets(t *testing.T) {
	b := []analysis.BucketCount{{Low: 0, High: 1, N: 50}, {Low: 1, High: 2, N: 44}, {Low: 2, High: 3, N: 4}, {Low: 3, High: 4, N: 2}}
	if d := cmp.Diff([]string{"p50", "", "p95", "p99"}, percentilesAt(&analysis.Distribution{Count: 100}, b)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if d := cmp.Diff([]string{"p50 p95 p99"}, percentilesAt(&analysis.Distribution{Count: 1}, []analysis.BucketCount{{N: 1}})); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestBoundsInWords(t *testing.T) {
	inf := math.Inf(1)
	for want, b := range map[string]analysis.BucketCount{
		"1 – 2": {Low: 1, High: 2}, "≤ 2": {Low: -inf, High: 2}, "> 2": {Low: 2, High: inf}, "any value": {Low: -inf, High: inf}, "3": {Low: 3, High: 3},
	} {
		if got := boundsText(b); got != want {
			t.Errorf("%+v: %q, want %q", b, got, want)
		}
	}
}

// TestTheAxis names both ends and the cursor, and the strip stands right below
// what is odd.
func TestTheAxis(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), gauge("m"), pt(0, 1), pt(50, math.NaN()), pt(100, 3), otlp.DataPoint{Time: uitest.Start + 200*sec, Flags: 1}, pt(300, 2))
	m := open(t, f.Snapshot(), "")
	m.SetSize(61, 22)
	c := chartOf(t, m, "m")
	has(t, m, "marks|        x", "           08:53:20                             now  08:58:20")
	p := c.plot()
	strip := []rune(c.strip(&p))
	for second, mark := range map[uint64]rune{50: 'x', 100: ' ', 200: '-', 300: ' '} {
		if cell, ok := p.Column(float64(second * sec)); !ok || strip[labelCells+cell] != mark {
			t.Errorf("at %d s stands %q in %q", second, strip[labelCells+cell], string(strip))
		}
	}
	c.setCursor(float64(uitest.Start + 100*sec))
	has(t, m, "08:53:20    08:55:00")
	uitest.Press(m, "+", "+", "+")
	from, to := c.span()
	if at := c.at(); at < from || at > to {
		t.Errorf("the cursor is out of sight: %g … %g", from, to)
	}
}

func TestTimesInWords(t *testing.T) {
	c := newChart(plain(), "r", "m")
	c.answer.now = int64(uitest.Start)
	for _, test := range []struct {
		x, long float64
		want    string
	}{{float64(uitest.Start), 60e9, "08:53:20"}, {float64(uitest.Start), 100 * 3600e9, "10-09 08:53"}, {math.NaN(), 1, ""}} {
		if got := c.timeText(test.x, test.long); got != test.want {
			t.Errorf("%g: %q, want %q", test.x, got, test.want)
		}
	}
	if got := c.ageText(float64(uitest.Start - 90*sec)); got != "90s ago" {
		t.Errorf("%q", got)
	}
	c.answer.runs, c.answer.By = sameService, analysis.ByRun
	if got := c.timeText(90e9, 100e9); got != "+1m30s" || c.ageText(90e9) != "" {
		t.Errorf("after the beginning: %q", got)
	}
}

// TestKindsInWords: they are named in words of this program.
func TestKindsInWords(t *testing.T) {
	f := newFeed(t)
	updown := otlp.MetricInfo{Name: "u", Kind: otlp.Sum, Temporality: otlp.Cumulative}
	for _, info := range []otlp.MetricInfo{gauge("g"), counter("c"), updown, histogram("h"), {Name: "e", Kind: otlp.ExpHistogram}, {Name: "s", Kind: otlp.Summary}} {
		p := pt(1, 1)
		if info.Kind != otlp.Gauge && info.Kind != otlp.Sum {
			p = otlp.DataPoint{Time: uitest.Start, Count: 1, Sum: 2, HasSum: true}
		}
		f.send(trainer(0), info, p)
	}
	m := open(t, f.Snapshot(), "")
	for name, want := range map[string][2]string{
		"g": {"gauge", ""}, "c": {"counter", "cumulative"}, "u": {"up-down sum", "cumulative"}, "h": {"histogram", "cumulative"},
		"e": {"exp histogram", "unspecified"}, "s": {"summary", ""},
	} {
		if kind, how := m.cell(t, name, "kind"), m.cell(t, name, "temporality"); kind != want[0] || how != want[1] {
			t.Errorf("%s: %q %q, want %q", name, kind, how, want)
		}
		chartOf(t, m, name)
		uitest.Press(m, "v", "v", "a", "w")
		m.View()
		m.Back()
	}
}

// TestAWholeGroupThatSaysNothing draws no line and says why.
func TestAWholeGroupThatSaysNothing(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), counter("once"), pt(1, 5))
	f.send(trainer(0), gauge("gaps"), otlp.DataPoint{Time: uitest.Start, Flags: 1}, otlp.DataPoint{Time: uitest.Start + sec, Flags: 1})
	f.send(trainer(0), gauge("odd"), otlp.DataPoint{Time: 7, Value: run.DoubleValue(1)})
	m := open(t, f.Snapshot(), "")
	chartOf(t, m, "once")
	has(t, m, "it takes two points of a series")
	m.Back()
	chartOf(t, m, "gaps")
	has(t, m, "- 2 no value recorded", "gap")
	m.Back()
	chartOf(t, m, "odd")
	has(t, m, "! 1 without a time that can be", "no points are kept")
}

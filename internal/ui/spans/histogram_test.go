package spansscreen

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestHistogramFollowsTheRow(t *testing.T) {
	f := newFeed(t)
	f.send(trainer("r", 0), f.mk("wide", 0, ms), f.mk("wide", 0, 10*ms), f.mk("wide", 0, sec), f.mk("equal", 0, 5*ms), f.mk("equal", 0, 5*ms),
		f.mk("cut", 0, sec, truncated()))
	m := open(t, f.Snapshot(), "")
	m.SetSize(120, 38)
	uitest.Settle(m, m.look())
	for _, want := range []string{"wide: how long 3 retained spans took", "highest bar 1", "|p50", "1.00ms", "1.00s"} {
		if !strings.Contains(text(m), want) {
			t.Errorf("%q is missing in:\n%s", want, text(m))
		}
	}
	uitest.Press(m, "j")
	if !strings.Contains(text(m), "all took 5.00ms") {
		t.Errorf("equal durations:\n%s", text(m))
	}
	uitest.Press(m, "j")
	if !strings.Contains(text(m), "no retained span of these has a duration") {
		t.Errorf("no durations:\n%s", text(m))
	}
	uitest.Press(m, "v")
	if m.layout().pane != 0 || strings.Contains(text(m), "how long") {
		t.Errorf("v does not close it:\n%s", text(m))
	}
	m.SetSize(80, 22)
	if uitest.Press(m, "v"); m.layout().pane == 0 {
		t.Error("v does not open it where there is room")
	}
	if m.SetSize(80, 12); m.layout().pane != 0 {
		t.Error("it takes the table's last lines")
	}
}

func TestHistogramOfAnotherRowIsNotShown(t *testing.T) {
	f := newFeed(t)
	two(f)
	f.send(trainer("alpha", 0), f.mk("zz", 0, ms))
	m := open(t, f.Snapshot(), "")
	m.Update(uitest.Key("j")) // its answer has not come
	if strings.Contains(text(m), "how long") {
		t.Errorf("the histogram of the row before is shown:\n%s", text(m))
	}
}

// Each bar counts the durations between its bounds.
func TestHistogramAgainstWhatWasSent(t *testing.T) {
	w := newWorld(t, 21)
	w.some(800)
	m := open(t, w.Snapshot(), "")
	m.SetSize(120, 40)
	group(m, "run name")
	everything(m)
	for at := range m.shown.Len() {
		m.table.MoveTo(at)
		uitest.Settle(m, m.look())
		h := m.pane.last.Histogram
		want := make([]uint64, len(h.Counts))
		for _, s := range w.of(m.shown.path(at), "") {
			if s.cut {
				continue
			}
			for i := range want {
				if sec := float64(s.ns) / 1e9; sec < h.Bound(i+1) || i == len(want)-1 {
					want[i]++
					break
				}
			}
		}
		off := 0
		for i := range want {
			off += max(int(want[i])-int(h.Counts[i]), 0) // one that lies on a bound may stand on either side
		}
		if m.pane.last.key != m.shown.Key(at) || off > 1 {
			t.Fatalf("%s: %v, want %v", pathText(m.shown.path(at)), h.Counts, want)
		}
	}
}

func chartOf(width int, counts []uint64, stats *analysis.Stats) chart {
	c := newChart(plain(), width, analysis.Histogram{Min: 1, Max: 100, Counts: counts})
	c.stats = stats
	return c
}

func TestChartAddsUp(t *testing.T) {
	counts := make([]uint64, buckets)
	var sum uint64
	for i := range counts {
		counts[i] = uint64(i)
		sum += uint64(i)
	}
	for width := range 200 {
		c := chartOf(width, counts, nil)
		var got uint64
		for _, n := range c.h.Counts {
			got += n
		}
		if got != sum || width > 2*paneMargin && len(c.h.Counts)*c.cells+2*paneMargin > width {
			t.Fatalf("%d cells: %d bars of %d, %d counted of %d", width, len(c.h.Counts), c.cells, got, sum)
		}
		for _, l := range c.lines() {
			if draw.Width(l) != width {
				t.Fatalf("%d cells: a line of %d", width, draw.Width(l))
			}
		}
	}
}

func TestChartShowsTheSmallest(t *testing.T) {
	c := chartOf(20, []uint64{100_000, 0, 1}, nil)
	lines := c.lines()
	if got := strings.TrimRight(lines[barLines-1], " "); got != "  #####     _____" {
		t.Errorf("the lowest line is %q", got)
	}
	if got := strings.TrimRight(lines[0], " "); got != "  #####" {
		t.Errorf("the highest line is %q", got)
	}
}

func TestAxis(t *testing.T) {
	counts := make([]uint64, 36)
	for _, c := range []struct {
		p50, p95, p99 float64
		want          string
	}{
		{1, 10, 10, "|p50--------------|p95 p99----------"},
		{10, 100, 100, "------------------|p50-----p95 p99|"},
		{100, 100, 100, "------------------------p50 p95 p99|"},
		{1, 1.2, 100, "|p50 p95--------------------------p99|"},
	} {
		ch := chartOf(40, counts, &analysis.Stats{N: 9, P50: c.p50, P95: c.p95, P99: c.p99})
		got := strings.TrimSpace(ch.axis())
		if strings.Count(got, "p") != 3 || len(got) != 36 {
			t.Errorf("%v %v %v: %q (%d cells)", c.p50, c.p95, c.p99, got, len(got))
		}
	}
	if got := strings.TrimSpace(chartAxisWithout(counts)); got != strings.Repeat("-", 36) {
		t.Errorf("without percentiles: %q", got)
	}
}

func chartAxisWithout(counts []uint64) string {
	c := chartOf(40, counts, nil)
	return c.axis()
}

package metricsscreen

import (
	"fmt"
	"math"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// goldens draws a screen at every size; the program's header and footer take two
// lines.
func goldens(t *testing.T, m *Model, name string) {
	t.Helper()
	for _, size := range uitest.Sizes() {
		m.SetSize(size[0], size[1]-2)
		uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
	}
}

func TestGoldens(t *testing.T) {
	for _, ranks := range []int{0, 1, 8, 1024} {
		goldens(t, open(t, ofRanks(t, ranks), ""), fmt.Sprintf("%d-ranks", ranks))
	}
}

func TestGoldensOfCharts(t *testing.T) {
	for _, ranks := range []int{1, 8, 1024} {
		m := open(t, ofRanks(t, ranks), "")
		chartOf(t, m, "dl.grad_norm")
		uitest.Press(m, "left", "left", "left")
		goldens(t, m, fmt.Sprintf("gauge-%d", ranks))
		m.Back()
		chartOf(t, m, "nv.dl.training.tokens.processed")
		goldens(t, m, fmt.Sprintf("counter-%d", ranks))
		m.Back()
		chartOf(t, m, "megatron.training.step_duration_ms")
		goldens(t, m, fmt.Sprintf("histogram-%d", ranks))
	}
}

func TestGoldenInColour(t *testing.T) {
	m := New(theme.New(theme.Options{Profile: theme.ANSI256, Dark: true}))
	m.SetSize(80, 22)
	uitest.Give(t, m, uitest.Data(t, ofRanks(t, 8), ""))
	uitest.Golden(t, "colour-list-80x24", m.View())
	chartOf(t, m, "dl.grad_norm")
	uitest.Press(m, "left", "left")
	uitest.Golden(t, "colour-chart-80x24", m.View())
}

func TestEverySize(t *testing.T) {
	uitest.EverySize(t, open(t, ofRanks(t, 0), ""))
	m := open(t, ofRanks(t, 8), "")
	uitest.Press(m, "s")
	uitest.EverySize(t, m)
	uitest.Press(m, "esc")
	m.Back()
	for _, name := range []string{"dl.grad_norm", "megatron.training.step_duration_ms"} {
		chartOf(t, m, name)
		for _, keys := range [][]string{{"left", "+"}, {"b", "a", "v", "enter"}, {"w", "f", "x"}} {
			uitest.Press(m, keys...)
			uitest.EverySize(t, m)
		}
		uitest.Press(m, "esc")
		m.Back()
	}
}

func TestHostileText(t *testing.T) {
	for i, text := range uitest.Hostile() {
		f := newFeed(t)
		info := otlp.MetricInfo{Name: text, Unit: text, Description: text, Kind: otlp.Gauge}
		f.send(append(trainer(i), uitest.Text("host.name", text), uitest.Text("nv.dl.role", text)), info,
			pt(1, 1, uitest.Text(text, text)), pt(1, math.NaN(), uitest.Text(text, text+"2")), pt(5, 1, uitest.Text("k"+text, text)))
		m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
		m.SetSize(120, 30)
		uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
		for _, keys := range [][]string{{"g"}, {"enter"}, {"b"}, {"b"}, {"b"}, {"left", "f", "x"}, {"enter", "a"}} {
			for _, width := range []int{40, 80, 160} {
				m.SetSize(width, 30)
				uitest.Harmless(t, m.View())
				uitest.Inside(t, m.View(), width, 30)
			}
			uitest.Press(m, keys...)
		}
	}
}

func FuzzChart(f *testing.F) {
	f.Add(1.0, 2.0, uitest.Start, uitest.Start+5*sec, 80, 24, uint8(0))
	f.Add(math.NaN(), math.Inf(-1), uint64(0), ^uint64(0), 1, 1, uint8(1))
	f.Add(-1e308, 1e308, uitest.Start, uitest.Start, 200, 60, uint8(2))
	f.Fuzz(func(t *testing.T, a, b float64, at, later uint64, width, height int, kind uint8) {
		width, height = width&0xff, height&0x3f
		s := newFeed(t)
		info := []otlp.MetricInfo{gauge("m"), counter("m"), histogram("m")}[kind%3]
		for rank := range 2 {
			p, q := otlp.DataPoint{Time: at, Value: run.DoubleValue(a)}, otlp.DataPoint{Time: later, Value: run.DoubleValue(b)}
			if info.Kind == otlp.Histogram {
				p.Count, p.Sum, p.HasSum, p.Min, p.HasMin, p.Buckets = 3, a, true, b, true, otlp.Buckets{Bounds: []float64{a}, Counts: []uint64{1, 2}}
				q.Count, q.Buckets = 1, otlp.Buckets{Counts: []uint64{1}}
			}
			s.send(trainer(rank), info, p, q)
		}
		m := New(theme.New(theme.Options{Profile: theme.ANSI16}))
		m.SetSize(width, height)
		uitest.Give(t, m, uitest.Data(t, s.Snapshot(), ""))
		for _, k := range []string{"enter", "left", "b", "b", "v", "a", "w", "+", "right", "v"} {
			uitest.Press(m, k)
			uitest.Inside(t, m.View(), width, height)
			uitest.Harmless(t, m.View())
		}
	})
}

package metricsscreen

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// hundredThousand is a run with 100,000 series of one metric.
func hundredThousand(b testing.TB) *store.Snapshot {
	f := newFeed(b)
	for i := range 3 {
		for from := 0; from < 100_000; from += 1000 {
			var list []otlp.DataPoint
			for k := from; k < from+1000; k++ {
				list = append(list, pt(10*i, float64(i*k), uitest.Int("session", k)))
			}
			f.send(trainer(0), counter("m"), list...)
		}
	}
	return f.Snapshot()
}

func BenchmarkKeyInList(b *testing.B) {
	m := open(b, ofRanks(b, 1024), "")
	for b.Loop() {
		m.Update(uitest.Key("j"))
		m.View()
	}
}

func BenchmarkKeyInChart(b *testing.B) {
	m := open(b, ofRanks(b, 1024), "")
	chartOf(b, m, "dl.loss")
	uitest.Press(m, "b")
	for b.Loop() {
		m.Update(uitest.Key("j"))
		m.View()
	}
}

// BenchmarkKeyIn100kSeries is a key among a hundred thousand groups.
func BenchmarkKeyIn100kSeries(b *testing.B) {
	m := open(b, hundredThousand(b), "")
	chartOf(b, m, "m")
	uitest.Press(m, "b")
	b.ReportMetric(float64(len(m.chart.groups)), "groups")
	for b.Loop() {
		m.Update(uitest.Key("j"))
		m.View()
	}
}

// BenchmarkTake100kSeries is what the event loop does when an answer arrives.
func BenchmarkTake100kSeries(b *testing.B) {
	m := open(b, hundredThousand(b), "")
	chartOf(b, m, "m")
	uitest.Press(m, "b")
	for b.Loop() {
		m.chart.take(m.chart.answer)
		m.View()
	}
}

package otlp

import (
	"slices"
	"testing"
	"time"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/run"
)

// BenchmarkRatio decodes the same requests with the generated code and with
// ours, turn about, so that both meet the same machine, and reports how many
// times faster ours is: the median over the turns.
func BenchmarkRatio(b *testing.B) {
	bodies := trainingBatches()
	var rows Batch
	var msg coltrace.ExportTraceServiceRequest
	timed := func(decode func([]byte) error) time.Duration {
		start := time.Now()
		for _, body := range bodies {
			if err := decode(body); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(start)
	}
	var ratios []float64
	for b.Loop() {
		generated := timed(func(body []byte) error { return proto.Unmarshal(body, &msg) })
		ours := timed(func(body []byte) error { return rows.Decode(run.Traces, body) })
		ratios = append(ratios, float64(generated)/float64(ours))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "times-faster")
	b.ReportMetric(0, "ns/op")
}

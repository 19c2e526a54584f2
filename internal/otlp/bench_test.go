package otlp

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/run"
)

const (
	benchSpans   = 512
	benchBatches = 64
)

// trainingResource is one rank's 15 resource attributes.
func trainingResource(rank int64) []run.Attr {
	return []run.Attr{
		str("service.name", "nemo-train"), str("service.version", "2.4.0"), str("service.instance.id", fmt.Sprintf("rank-%05d", rank)),
		str("nemo.run.id", "run-2026-11-30-llama3-70b-0007"), num("dl.rank", rank), num("dl.world_size", 4096), num("dl.local_rank", rank%8),
		num("dl.tensor_parallel.rank", rank%8), num("dl.pipeline_parallel.rank", rank/8%8), num("dl.data_parallel.rank", rank/64),
		str("host.name", fmt.Sprintf("node%04d.cluster.local", rank/8)), num("process.pid", 20000+rank),
		str("telemetry.sdk.name", "opentelemetry"), str("telemetry.sdk.language", "python"), str("telemetry.sdk.version", "1.39.0"),
	}
}

// trainingSpans are n spans of 8 attributes as one rank sends them.
func trainingSpans(rank, batch uint64, n int) []run.Span {
	r := rand.New(rand.NewPCG(rank, batch))
	names := []string{"train.step", "data.load", "forward", "forward.layer", "backward", "backward.layer", "grad.allreduce",
		"optimizer.step", "checkpoint.save", "p2p.send", "p2p.recv", "pipeline.microbatch"}
	phases, groups := []string{"fwd", "bwd", "comm", "opt", "io"}, []string{"dp", "tp", "pp", "ep"}
	spans := make([]run.Span, n)
	var trace run.TraceID
	for i := range spans {
		s := &spans[i]
		if i%40 == 0 {
			binary.BigEndian.PutUint64(trace[:], r.Uint64())
			binary.BigEndian.PutUint64(trace[8:], r.Uint64())
		} else {
			s.Parent = spans[i-1].ID
		}
		binary.BigEndian.PutUint64(s.ID[:], r.Uint64())
		s.TraceID, s.Flags, s.Name, s.Kind = trace, 0x101, names[i%len(names)], 1
		s.Start = 1764489600000000000 + batch*4e9 + uint64(i)*7e6 + uint64(r.IntN(1e6))
		s.End = s.Start + 1e5 + uint64(r.IntN(3e7))
		step := int64(batch*13) + int64(i/40)
		s.Attrs = []run.Attr{
			num("nemo.step", step), num("nemo.microbatch", int64(i%16)), str("nemo.phase", phases[i%len(phases)]),
			str("nemo.comm.group", groups[i%len(groups)]), num("nemo.bytes", int64(r.IntN(1<<28))), num("nemo.layer", int64(i%80)),
			{Key: "nemo.gpu.util", Value: run.DoubleValue(float64(r.IntN(1000)) / 10)},
			{Key: "nemo.is_warmup", Value: run.BoolValue(step < 10)},
		}
	}
	return spans
}

// trainingBatches are requests of different ranks, too many for the first caches.
func trainingBatches() [][]byte {
	var list [][]byte
	w := NewBuilder(run.Traces)
	for rank := range uint64(benchBatches) {
		w.Reset(run.Traces)
		w.Resource(trainingResource(int64(rank)), 0, "")
		w.Scope(run.Scope{Name: "nemo.lens", Version: "0.1.0"})
		spans := trainingSpans(rank, 7, benchSpans)
		for i := range spans {
			w.Span(&spans[i])
		}
		list = append(list, append([]byte(nil), w.Bytes()...))
	}
	return list
}

// BenchmarkDecode compares the decoders on the same requests; "unmarshal" is
// the generated code alone, without the copy into rows. It reports ns and
// allocations a span.
func BenchmarkDecode(b *testing.B) {
	bodies := trainingBatches()
	decoders := map[string]Decoder{"unmarshal": func(_ run.Signal, body []byte, _ *Batch) error {
		return proto.Unmarshal(body, &coltrace.ExportTraceServiceRequest{})
	}}
	for _, name := range DecoderNames() {
		decoders[name], _ = DecoderNamed(name)
	}
	for _, name := range []string{"fast", "unmarshal", "generated"} {
		b.Run(name, func(b *testing.B) {
			var rows Batch
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if err := decoders[name](run.Traces, bodies[n%len(bodies)], &rows); err != nil {
					b.Fatal(err)
				}
				n++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*benchSpans), "ns/span")
			b.ReportMetric(testing.AllocsPerRun(3, func() {
				if err := decoders[name](run.Traces, bodies[0], &rows); err != nil {
					b.Fatal(err)
				}
			})/benchSpans, "allocs/span")
		})
	}
}

// BenchmarkDecodeRatio alternates between ours and the generated code alone, so
// that what else the machine does hits both, and reports how many times faster
// ours is: the median of the rounds.
func BenchmarkDecodeRatio(b *testing.B) {
	bodies := trainingBatches()
	var rows Batch
	round := func(decode func(body []byte) error) time.Duration {
		begun := time.Now()
		for _, body := range bodies[:8] {
			if err := decode(body); err != nil {
				b.Fatal(err)
			}
		}
		return time.Since(begun)
	}
	var ratios []float64
	for b.Loop() {
		ours := round(func(body []byte) error { return rows.Decode(run.Traces, body) })
		theirs := round(func(body []byte) error { return proto.Unmarshal(body, &coltrace.ExportTraceServiceRequest{}) })
		ratios = append(ratios, float64(theirs)/float64(ours))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "x-faster")
}

// BenchmarkBuild writes the same requests.
func BenchmarkBuild(b *testing.B) {
	res, spans := trainingResource(3), trainingSpans(3, 7, benchSpans)
	w := NewBuilder(run.Traces)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		w.Reset(run.Traces)
		w.Resource(res, 0, "")
		w.Scope(run.Scope{Name: "nemo.lens", Version: "0.1.0"})
		for i := range spans {
			w.Span(&spans[i])
		}
		w.Bytes()
		n++
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n*benchSpans), "ns/span")
}

// BenchmarkDecodeOthers reads gauge points and log records of 3 attributes each.
func BenchmarkDecodeOthers(b *testing.B) {
	metrics, logs := NewBuilder(run.Metrics), NewBuilder(run.Logs)
	attrs := []run.Attr{num("dl.rank", 3), str("nemo.phase", "forward"), {Key: "nemo.is_warmup", Value: run.BoolValue(false)}}
	metrics.Resource(trainingResource(3), 0, "")
	logs.Resource(trainingResource(3), 0, "")
	for i := range benchSpans {
		if i%64 == 0 {
			metrics.Metric(MetricInfo{Name: "dl.loss", Unit: "1", Kind: Gauge})
		}
		metrics.Point(&DataPoint{Start: 1, Time: uint64(i), Value: run.DoubleValue(float64(i)), Attrs: attrs})
		logs.Log(&run.Log{Time: uint64(i), Severity: 9, Body: run.StringValue("loss is finite again"), Attrs: attrs, TraceID: idA, SpanID: id1})
	}
	for s, body := range map[run.Signal][]byte{run.Metrics: metrics.Bytes(), run.Logs: logs.Bytes()} {
		b.Run(s.String(), func(b *testing.B) {
			var rows Batch
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if err := rows.Decode(s, body); err != nil {
					b.Fatal(err)
				}
				n += rows.Items()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(n), "ns/item")
		})
	}
}

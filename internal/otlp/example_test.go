package otlp_test

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// A request is written from full values and read back into rows.
func Example() {
	w := otlp.NewBuilder(run.Traces)
	w.Resource([]run.Attr{{Key: "dl.rank", Value: run.IntValue(3)}}, 0, "")
	w.Scope(run.Scope{Name: "nemo.lens"})
	w.Span(&run.Span{TraceID: run.TraceID{1}, ID: run.SpanID{2}, Name: "train.step", Start: 1, End: 5})
	w.Span(&run.Span{TraceID: run.TraceID{1}, Name: "without an id"})

	var b otlp.Batch
	if err := b.Decode(run.Traces, w.Bytes()); err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range b.Spans {
		r := b.Resources[b.Scopes[s.Scope].Resource]
		fmt.Printf("%s took %d ns on %v\n", b.Bytes(s.Name), s.End-s.Start, b.AttrList(r.Attrs)[0].Value.Int())
	}
	for _, r := range b.Rejected {
		fmt.Printf("%d rejected: %s\n", r.Count, r.Reason)
	}
	// Output:
	// train.step took 4 ns on 3
	// 1 rejected: span id is all zero
}

// The distribution of a point stays on the wire until somebody asks.
func ExampleReadBuckets() {
	w := otlp.NewBuilder(run.Metrics)
	w.Metric(otlp.MetricInfo{Name: "step.seconds", Kind: otlp.Histogram, Temporality: otlp.Delta})
	w.Point(&otlp.DataPoint{Count: 3, Buckets: otlp.Buckets{Bounds: []float64{1}, Counts: []uint64{1, 2}}})
	w.Point(&otlp.DataPoint{Count: 3, Buckets: otlp.Buckets{Bounds: []float64{1}, Counts: []uint64{1}}})

	var b otlp.Batch
	if err := b.Decode(run.Metrics, w.Bytes()); err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range b.Points {
		d, err := otlp.ReadBuckets(b.Metrics[p.Metric].Kind, b.Bytes(p.Raw))
		fmt.Println(d.Bounds, d.Counts, err)
	}
	// Output:
	// [1] [1 2] <nil>
	// [1] [1] histogram point: 1 bucket counts do not fit 1 bounds
}

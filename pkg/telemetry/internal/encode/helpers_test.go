package encode_test

import (
	"context"
	"math"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

var bg = context.Background()

// theResource has a value of each kind.
func theResource() *resource.Resource {
	return resource.NewSchemaless(attribute.String("service.name", "t"), attribute.Int64("nv.dl.rank", 1<<53+1), attribute.Bool("b", true))
}

// kinds is an attribute of every kind.
func kinds() []attribute.KeyValue {
	return []attribute.KeyValue{
		attribute.Bool("bool", false), attribute.Int64("int", math.MinInt64), attribute.Float64("float", 1.5),
		attribute.String("text", "a\nb\"\\\u2028é"), attribute.ByteSlice("bytes", []byte{0, 1, 2}),
		attribute.BoolSlice("bools", []bool{true, false}), attribute.Int64Slice("ints", []int64{0, -1}),
		attribute.Float64Slice("floats", []float64{0, 1e300}), attribute.StringSlice("texts", []string{"", "x"}),
		attribute.Slice("mixed", attribute.Int64Value(1), attribute.SliceValue(attribute.BoolValue(true))),
		attribute.Map("map", attribute.Int("n", 1), attribute.Map("deep", attribute.String("k", "v"))),
		{Key: "empty"},
	}
}

// someSpans is spans in two scopes with everything a span can have.
func someSpans() []sdktrace.ReadOnlySpan {
	rec := tracetest.NewSpanRecorder()
	tp := sdktrace.NewTracerProvider(sdktrace.WithResource(theResource()), sdktrace.WithSpanProcessor(rec),
		sdktrace.WithRawSpanLimits(sdktrace.SpanLimits{AttributeCountLimit: 20, EventCountLimit: 2, LinkCountLimit: 1,
			AttributePerEventCountLimit: 1, AttributePerLinkCountLimit: 1, AttributeValueLengthLimit: -1}))
	state, _ := trace.ParseTraceState("vendor=1")
	remote := trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled, TraceState: state, Remote: true})
	ctx := trace.ContextWithSpanContext(bg, remote)
	at := time.Unix(1760000000, 123)
	one := tp.Tracer("one", trace.WithInstrumentationVersion("1"), trace.WithSchemaURL("https://example.org/1"),
		trace.WithInstrumentationAttributes(attribute.String("k", "v")))
	ctx, parent := one.Start(ctx, "parent", trace.WithSpanKind(trace.SpanKindServer), trace.WithTimestamp(at),
		trace.WithAttributes(kinds()...), trace.WithLinks(
			trace.Link{SpanContext: remote}, trace.Link{SpanContext: remote, Attributes: []attribute.KeyValue{attribute.Int("a", 1), attribute.Int("b", 2)}}))
	_, child := tp.Tracer("two").Start(ctx, "child", trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(at))
	for _, name := range []string{"gone", "kept", "last"} {
		child.AddEvent(name, trace.WithTimestamp(at), trace.WithAttributes(attribute.Int("a", 1), attribute.Int("b", 2)))
	}
	child.SetStatus(codes.Error, "no")
	child.End(trace.WithTimestamp(at.Add(time.Second)))
	parent.SetStatus(codes.Ok, "")
	parent.End(trace.WithTimestamp(at.Add(2 * time.Second)))
	return rec.Ended()
}

// someMetrics is metrics of every kind, with an exemplar.
func someMetrics(selector sdkmetric.AggregationSelector, temporality sdkmetric.TemporalitySelector) *metricdata.ResourceMetrics {
	reader := sdkmetric.NewManualReader(sdkmetric.WithAggregationSelector(selector), sdkmetric.WithTemporalitySelector(temporality))
	mp := sdkmetric.NewMeterProvider(sdkmetric.WithResource(theResource()), sdkmetric.WithReader(reader))
	m := mp.Meter("m", metric.WithInstrumentationVersion("2"))
	ctx := trace.ContextWithSpanContext(bg, trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled}))
	with := metric.WithAttributes(attribute.String("k", "v"))
	ig, _ := m.Int64Gauge("ig", metric.WithUnit("1"), metric.WithDescription("d"))
	ig.Record(ctx, -7, with)
	fg, _ := m.Float64Gauge("fg")
	fg.Record(ctx, math.NaN())
	fg.Record(ctx, math.Inf(1), with)
	ic, _ := m.Int64Counter("ic")
	ic.Add(ctx, 3, with)
	fu, _ := m.Float64UpDownCounter("fu")
	fu.Add(ctx, -0.5)
	ih, _ := m.Int64Histogram("ih")
	ih.Record(ctx, 12)
	fh, _ := m.Float64Histogram("fh")
	fh.Record(ctx, 0.25, with)
	fh.Record(ctx, -3, with)
	var rm metricdata.ResourceMetrics
	if err := reader.Collect(bg, &rm); err != nil {
		panic(err)
	}
	return &rm
}

// recorder keeps log records.
type recorder struct{ records []*sdklog.Record }

func (*recorder) Enabled(context.Context, sdklog.EnabledParameters) bool { return true }
func (r *recorder) OnEmit(_ context.Context, rec *sdklog.Record) error {
	c := rec.Clone()
	r.records = append(r.records, &c)
	return nil
}
func (*recorder) Shutdown(context.Context) error   { return nil }
func (*recorder) ForceFlush(context.Context) error { return nil }

// someLogs is records with and without a span, in two scopes.
func someLogs() []*sdklog.Record {
	rec := &recorder{}
	lp := sdklog.NewLoggerProvider(sdklog.WithResource(theResource()), sdklog.WithProcessor(rec), sdklog.WithAttributeCountLimit(20))
	ctx := trace.ContextWithSpanContext(bg, trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled}))
	var r log.Record
	r.SetTimestamp(time.Unix(1760000000, 5))
	r.SetSeverity(log.SeverityWarn2)
	r.SetSeverityText("WARN")
	r.SetBody(attribute.MapValue(attribute.String("k", "v")))
	r.SetEventName("e")
	r.AddAttributes(kinds()...)
	lp.Logger("l", log.WithInstrumentationVersion("3")).Emit(ctx, r)
	var bare log.Record
	bare.SetBody(attribute.StringValue("x"))
	lp.Logger("other").Emit(bg, bare)
	return rec.records
}

package ingest

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// exporters are otel-go's, over one protocol.
type exporters struct {
	traces  sdktrace.SpanExporter
	metrics sdkmetric.Exporter
	logs    sdklog.Exporter
}

func overGRPC(ctx context.Context, t *testing.T, address string, zip bool, token string) (e exporters) {
	t.Helper()
	z := map[bool]string{true: "gzip", false: "none"}[zip]
	h := map[string]string{tokenHeader: token}
	var err [3]error
	e.traces, err[0] = otlptracegrpc.New(ctx, otlptracegrpc.WithInsecure(), otlptracegrpc.WithEndpoint(address), otlptracegrpc.WithCompressor(z), otlptracegrpc.WithHeaders(h))
	e.metrics, err[1] = otlpmetricgrpc.New(ctx, otlpmetricgrpc.WithInsecure(), otlpmetricgrpc.WithEndpoint(address), otlpmetricgrpc.WithCompressor(z), otlpmetricgrpc.WithHeaders(h))
	e.logs, err[2] = otlploggrpc.New(ctx, otlploggrpc.WithInsecure(), otlploggrpc.WithEndpoint(address), otlploggrpc.WithCompressor(z), otlploggrpc.WithHeaders(h))
	if err != [3]error{} {
		t.Fatal(err)
	}
	return e
}

func overHTTP(ctx context.Context, t *testing.T, address string, zip bool, token string) (e exporters) {
	t.Helper()
	z := 0
	if zip {
		z = 1
	}
	h := map[string]string{tokenHeader: token}
	var err [3]error
	e.traces, err[0] = otlptracehttp.New(ctx, otlptracehttp.WithInsecure(), otlptracehttp.WithEndpoint(address), otlptracehttp.WithCompression(otlptracehttp.Compression(z)), otlptracehttp.WithHeaders(h))
	e.metrics, err[1] = otlpmetrichttp.New(ctx, otlpmetrichttp.WithInsecure(), otlpmetrichttp.WithEndpoint(address), otlpmetrichttp.WithCompression(otlpmetrichttp.Compression(z)), otlpmetrichttp.WithHeaders(h))
	e.logs, err[2] = otlploghttp.New(ctx, otlploghttp.WithInsecure(), otlploghttp.WithEndpoint(address), otlploghttp.WithCompression(otlploghttp.Compression(z)), otlploghttp.WithHeaders(h))
	if err != [3]error{} {
		t.Fatal(err)
	}
	return e
}

// record makes 100 spans, two metrics of three points and 50 log records, and flushes all.
func (e exporters) record(ctx context.Context, t *testing.T) {
	t.Helper()
	tp := sdktrace.NewTracerProvider(sdktrace.WithBatcher(e.traces))
	mp := sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(e.metrics, sdkmetric.WithInterval(time.Hour))))
	lp := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(e.logs)))
	for range 100 {
		_, s := tp.Tracer("test").Start(ctx, "train_step")
		s.End()
	}
	counter, err := mp.Meter("test").Int64Counter("tokens")
	if err != nil {
		t.Fatal(err)
	}
	gauge, err := mp.Meter("test").Float64Gauge("loss")
	if err != nil {
		t.Fatal(err)
	}
	counter.Add(ctx, 1)
	for _, a := range []string{"a", "b"} {
		gauge.Record(ctx, 2, metric.WithAttributes(attribute.String("k", a)))
	}
	for range 50 {
		var r log.Record
		r.SetBody(attribute.StringValue("hello"))
		lp.Logger("test").Emit(ctx, r)
	}
	for name, stop := range map[string]func(context.Context) error{"traces": tp.Shutdown, "metrics": mp.Shutdown, "logs": lp.Shutdown} {
		if err := stop(ctx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestExporters: otel-go's exporters over both protocols, packed and not.
func TestExporters(t *testing.T) {
	for _, c := range []struct {
		protocol string
		make     func(context.Context, *testing.T, string, bool, string) exporters
		zip      bool
	}{
		{"gRPC", overGRPC, false}, {"gRPC", overGRPC, true}, {"HTTP", overHTTP, false}, {"HTTP", overHTTP, true},
	} {
		t.Run(c.protocol+map[bool]string{true: " gzip"}[c.zip], func(t *testing.T) {
			m := new(memory)
			s := start(t, Config{Token: "4f2a", owner: stranger}, m)
			ctx := within(t)
			c.make(ctx, t, addr(t, s, c.protocol), c.zip, "4f2a").record(ctx, t)
			if want := [run.SignalCount]int{100, 3, 50}; m.items != want {
				t.Errorf("stored %v, want %v; %+v", m.items, want, s.Stats().Refused)
			}
		})
	}
}

// What an SDK prints when port and protocol are swapped names the right port.
func TestExportersOnTheWrongPort(t *testing.T) {
	s := start(t, Config{}, new(memory))
	ctx := within(t)
	spans := func(e sdktrace.SpanExporter) error {
		tp := sdktrace.NewTracerProvider()
		defer tp.Shutdown(ctx)
		_, span := tp.Tracer("test").Start(ctx, "x")
		span.End()
		return e.ExportSpans(ctx, []sdktrace.ReadOnlySpan{span.(sdktrace.ReadOnlySpan)})
	}
	for from, c := range map[string]struct {
		e  exporters
		to string
	}{
		"HTTP": {overHTTP(ctx, t, addr(t, s, "gRPC"), true, ""), "HTTP"},
		"gRPC": {overGRPC(ctx, t, addr(t, s, "HTTP"), true, ""), "gRPC"},
	} {
		err := spans(c.e.traces)
		if want := portOf(addr(t, s, c.to)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s exporter: %v does not name port %s", from, err, want)
		}
		for _, stop := range []func(context.Context) error{c.e.traces.Shutdown, c.e.metrics.Shutdown, c.e.logs.Shutdown} {
			if err := stop(ctx); err != nil {
				t.Errorf("%s exporter: %v", from, err)
			}
		}
	}
}

package ingest

import (
	"context"
	"crypto/tls"
	"net/http"
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
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// exporters are otel-go's, over one protocol.
type exporters struct {
	traces  sdktrace.SpanExporter
	metrics sdkmetric.Exporter
	logs    sdklog.Exporter
}

// reach is what exporters are told of a way: where, how, and with which token.
type reach struct {
	endpoint string
	tls      *tls.Config  // nil for plaintext
	client   *http.Client // for HTTP, nil for the exporter's own
	zip      bool
	token    string
}

func overGRPC(ctx context.Context, t *testing.T, r reach) (e exporters) {
	t.Helper()
	z := map[bool]string{true: "gzip", false: "none"}[r.zip]
	h := map[string]string{tokenHeader: r.token}
	creds := insecure.NewCredentials()
	if r.tls != nil {
		creds = credentials.NewTLS(r.tls)
	}
	var err [3]error
	e.traces, err[0] = otlptracegrpc.New(ctx, otlptracegrpc.WithTLSCredentials(creds), otlptracegrpc.WithEndpoint(r.endpoint), otlptracegrpc.WithCompressor(z), otlptracegrpc.WithHeaders(h))
	e.metrics, err[1] = otlpmetricgrpc.New(ctx, otlpmetricgrpc.WithTLSCredentials(creds), otlpmetricgrpc.WithEndpoint(r.endpoint), otlpmetricgrpc.WithCompressor(z), otlpmetricgrpc.WithHeaders(h))
	e.logs, err[2] = otlploggrpc.New(ctx, otlploggrpc.WithTLSCredentials(creds), otlploggrpc.WithEndpoint(r.endpoint), otlploggrpc.WithCompressor(z), otlploggrpc.WithHeaders(h))
	if err != [3]error{} {
		t.Fatal(err)
	}
	return e
}

func overHTTP(ctx context.Context, t *testing.T, r reach) (e exporters) {
	t.Helper()
	z := btoi(r.zip)
	h := map[string]string{tokenHeader: r.token}
	url := map[bool]string{true: "https://", false: "http://"}[r.tls != nil] + r.endpoint
	if r.client == nil {
		r.client = httpClient(t)
	}
	var err [3]error
	e.traces, err[0] = otlptracehttp.New(ctx, otlptracehttp.WithHTTPClient(r.client), otlptracehttp.WithEndpointURL(url+"/v1/traces"), otlptracehttp.WithCompression(otlptracehttp.Compression(z)), otlptracehttp.WithHeaders(h))
	e.metrics, err[1] = otlpmetrichttp.New(ctx, otlpmetrichttp.WithHTTPClient(r.client), otlpmetrichttp.WithEndpointURL(url+"/v1/metrics"), otlpmetrichttp.WithCompression(otlpmetrichttp.Compression(z)), otlpmetrichttp.WithHeaders(h))
	e.logs, err[2] = otlploghttp.New(ctx, otlploghttp.WithHTTPClient(r.client), otlploghttp.WithEndpointURL(url+"/v1/logs"), otlploghttp.WithCompression(otlploghttp.Compression(z)), otlploghttp.WithHeaders(h))
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

// reachOf is what exporters are told to go a way.
func reachOf(t *testing.T, w way, s *Server, protocol string) reach {
	client, base := w.web(t, s)
	r := reach{client: client, tls: client.Transport.(*http.Transport).TLSClientConfig}
	switch {
	case protocol == "HTTP":
		_, r.endpoint, _ = strings.Cut(base, "://")
	case w.name == "socket":
		r.endpoint = "unix://" + addr(t, s, protoUnix)
	default:
		r.endpoint = addr(t, s, protocol)
	}
	return r
}

// TestExporters: otel-go's exporters, three signals, over every way and both
// protocols, packed and not, with the token of another user.
func TestExporters(t *testing.T) {
	for _, w := range ways(t) {
		for _, zip := range []bool{false, true} {
			for protocol, with := range map[string]func(context.Context, *testing.T, reach) exporters{"gRPC": overGRPC, "HTTP": overHTTP} {
				t.Run(w.name+" "+protocol+map[bool]string{true: " gzip"}[zip], func(t *testing.T) {
					m := new(memory)
					s := w.start(t, Config{Token: "4f2a", owner: stranger}, m)
					ctx, r := within(t), reachOf(t, w, s, protocol)
					r.zip, r.token = zip, "4f2a"
					with(ctx, t, r).record(ctx, t)
					if want := [run.SignalCount]int{100, 3, 50}; m.items != want {
						t.Errorf("stored %v, want %v; %+v", m.items, want, s.Stats().Refused)
					}
				})
			}
		}
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
		"HTTP": {overHTTP(ctx, t, reach{endpoint: addr(t, s, "gRPC"), zip: true}), "HTTP"},
		"gRPC": {overGRPC(ctx, t, reach{endpoint: addr(t, s, "HTTP"), zip: true}), "gRPC"},
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

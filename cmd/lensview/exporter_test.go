package main

import (
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	otellog "go.opentelemetry.io/otel/log"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/trace"
)

// asExporter makes the test binary a job that knows nothing but its
// environment: ten spans, one counter and five log records through the stock
// exporters, without a single option.
const asExporter = "LENSVIEW_TEST_AS_EXPORTER"

func exportAsJob() error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	traces, metrics, logs, err := stockExporters(ctx, os.Getenv("OTEL_EXPORTER_OTLP_PROTOCOL"))
	if err != nil {
		return err
	}
	tp := trace.NewTracerProvider(trace.WithBatcher(traces))
	mp := metric.NewMeterProvider(metric.WithReader(metric.NewPeriodicReader(metrics)))
	lp := sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewBatchProcessor(logs)))
	for range 10 {
		_, s := tp.Tracer("job").Start(ctx, "step")
		s.End()
	}
	c, err := mp.Meter("job").Int64Counter("tokens")
	if err != nil {
		return err
	}
	c.Add(ctx, 1)
	for range logRecords() {
		var r otellog.Record
		r.SetBody(attribute.StringValue("hello"))
		lp.Logger("job").Emit(ctx, r)
	}
	return errors.Join(tp.Shutdown(ctx), mp.Shutdown(ctx), lp.Shutdown(ctx))
}

// logRecords is none over the socket: the log exporter of Go 0.23 does not take
// one from the environment.
func logRecords() int {
	if strings.HasPrefix(os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"), "unix:") {
		return 0
	}
	return 5
}

func stockExporters(ctx context.Context, protocol string) (t *otlptrace.Exporter, m metric.Exporter, l sdklog.Exporter, err error) {
	var errs [3]error
	if protocol == "grpc" {
		t, errs[0] = otlptracegrpc.New(ctx)
		m, errs[1] = otlpmetricgrpc.New(ctx)
		l, errs[2] = otlploggrpc.New(ctx)
	} else {
		t, errs[0] = otlptracehttp.New(ctx)
		m, errs[1] = otlpmetrichttp.New(ctx)
		l, errs[2] = otlploghttp.New(ctx)
	}
	return t, m, l, errors.Join(errs[:]...)
}

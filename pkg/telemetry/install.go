package telemetry

import (
	"strconv"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/log"
	nooplog "go.opentelemetry.io/otel/log/noop"
	"go.opentelemetry.io/otel/metric"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	nooptrace "go.opentelemetry.io/otel/trace/noop"
)

// handleErrors sends what OpenTelemetry reports to where warnings go.
func (h *Handle) handleErrors() {
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		if !h.starting.Load() {
			h.warner.failed("OpenTelemetry", err)
		}
	}))
}

// install makes the handle's parts OpenTelemetry's globals. The propagator is
// installed on ranks that do not export, too: context passes through them.
func (h *Handle) install(p propagation.TextMapPropagator) {
	otel.SetTextMapPropagator(p)
	otel.SetTracerProvider(h.tracers)
	otel.SetMeterProvider(h.meters)
	otel.SetLoggerProvider(h.loggers)
	h.restore = h.uninstall
}

// uninstall puts providers that do nothing in place of the handle's, so that nothing
// holds on to it. One that the program has installed meanwhile stays.
func (h *Handle) uninstall() {
	if otel.GetTracerProvider() == h.tracers {
		otel.SetTracerProvider(trace.TracerProvider(nooptrace.NewTracerProvider()))
	}
	if otel.GetMeterProvider() == h.meters {
		otel.SetMeterProvider(metric.MeterProvider(noopmetric.NewMeterProvider()))
	}
	if otel.GetLoggerProvider() == h.loggers {
		otel.SetLoggerProvider(log.LoggerProvider(nooplog.NewLoggerProvider()))
	}
}

// w3c is trace context and baggage.
func w3c() propagation.TextMapPropagator {
	return propagation.NewCompositeTextMapPropagator(propagation.TraceContext{}, propagation.Baggage{})
}

// propagator reads OTEL_PROPAGATORS.
func propagator(lookup Lookup, w *warner) propagation.TextMapPropagator {
	const name = "OTEL_PROPAGATORS"
	text, _ := lookup(name)
	if strings.TrimSpace(text) == "" {
		return w3c()
	}
	var all []propagation.TextMapPropagator
	for word := range strings.SplitSeq(strings.ToLower(text), ",") {
		switch word = strings.TrimSpace(word); word {
		case "tracecontext":
			all = append(all, propagation.TraceContext{})
		case "baggage":
			all = append(all, propagation.Baggage{})
		case "none", "":
		default:
			w.warn(name, name+": "+strconv.Quote(word)+" is unknown here, where tracecontext, baggage and none are known: it is left out")
		}
	}
	return propagation.NewCompositeTextMapPropagator(all...)
}

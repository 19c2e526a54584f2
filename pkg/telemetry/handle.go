package telemetry

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/log"
	nooplog "go.opentelemetry.io/otel/log/noop"
	"go.opentelemetry.io/otel/metric"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/trace"
	nooptrace "go.opentelemetry.io/otel/trace/noop"
)

// Handle is the telemetry of a process. A nil one is valid and does nothing, as
// does that of a disabled set-up and of a rank that does not export.
type Handle struct {
	mask     atomic.Uint64 // groups that are on
	tracer   trace.Tracer
	on       GroupSet    // as configured
	starting atomic.Bool // the providers are being made
	room     sync.Pool   // for attributes of spans
	clock    func() time.Time

	cfg       Config
	groups    *Groups
	warner    *warner
	enabled   bool
	exporting bool
	runID     string
	resource  *resource.Resource
	logLevel  slog.Leveler // nil for the default

	tracers trace.TracerProvider
	meters  metric.MeterProvider
	loggers log.LoggerProvider
	running *running // nil when nothing is exported

	instruments instruments
	restore     func() // takes the globals away again
	once        sync.Once
	done        chan struct{}
}

func newHandle(cfg Config, o *options) *Handle {
	h := &Handle{
		cfg: cfg, groups: o.groups, warner: newWarner(o.warn), resource: resource.Empty(), logLevel: o.logLevel, clock: o.clock,
		tracers: nooptrace.NewTracerProvider(), meters: noopmetric.NewMeterProvider(), loggers: nooplog.NewLoggerProvider(),
		room: sync.Pool{New: func() any { return new(attrs) }}, done: make(chan struct{}),
	}
	h.tracer = h.tracers.Tracer(scopeName)
	return h
}

// Active is the handle of Setup, nil before it and after its Shutdown.
func Active() *Handle {
	if h := active.Load(); h != nil && h.enabled {
		return h
	}
	return nil
}

// Enabled reports whether the set-up is enabled, on a rank that exports or not.
func (h *Handle) Enabled() bool { return h != nil && h.enabled }

// Exporting reports whether this process exports.
func (h *Handle) Exporting() bool { return h != nil && h.exporting }

// RunID is the id of the run, "" when disabled.
func (h *Handle) RunID() string {
	if h == nil {
		return ""
	}
	return h.runID
}

// Resource is the resource of all that is exported, empty where nothing is.
func (h *Handle) Resource() *resource.Resource {
	if h == nil {
		return resource.Empty()
	}
	return h.resource
}

// Warnings is everything told so far, each text once.
func (h *Handle) Warnings() []Warning {
	if h == nil {
		return nil
	}
	return h.warner.warnings()
}

// TracerProvider is the provider of traces; one that does nothing where none are
// exported.
func (h *Handle) TracerProvider() trace.TracerProvider {
	if h == nil {
		return nooptrace.NewTracerProvider()
	}
	return h.tracers
}

// MeterProvider is the provider of metrics.
func (h *Handle) MeterProvider() metric.MeterProvider {
	if h == nil {
		return noopmetric.NewMeterProvider()
	}
	return h.meters
}

// LoggerProvider is the provider of logs.
func (h *Handle) LoggerProvider() log.LoggerProvider {
	if h == nil {
		return nooplog.NewLoggerProvider()
	}
	return h.loggers
}

// Tracer is a tracer of this library's scope.
func (h *Handle) Tracer() trace.Tracer { return h.TracerProvider().Tracer(scopeName) }

// Meter is a meter of this library's scope.
func (h *Handle) Meter() metric.Meter { return h.MeterProvider().Meter(scopeName) }

package telemetry

import (
	"context"
	"errors"
	"os"
	"time"

	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/batch"
	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/encode"
	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/send"
	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// running is what exports, signal by signal; a signal that is off is nil.
type running struct {
	dialer  send.Dialer
	encoder *encode.Encoder
	console *send.Console

	truncator *Truncator
	spans     *batch.Queue[sdktrace.ReadOnlySpan]
	tracer    *sdktrace.TracerProvider
	metrics   *collector
	meter     *sdkmetric.MeterProvider
	logs      *batch.Queue[*sdklog.Record]
	logger    *sdklog.LoggerProvider

	outages map[target.Signal]*outage
	closers []func(context.Context) error // exporters that the program has given
	starts  []func()                      // what cannot fail any more
}

// plan prepares all signals that are on. What can fail does so here, before anything
// runs.
func (h *Handle) plan(o *options, id identity) error {
	h.running = &running{encoder: encode.New(h.resource), outages: map[target.Signal]*outage{}}
	var wrong error
	if h.cfg.TracesEnabled {
		wrong = errors.Join(wrong, h.traces(o, id))
	}
	if h.cfg.MetricsEnabled {
		wrong = errors.Join(wrong, h.measurements(o))
	}
	if h.cfg.LogsEnabled {
		wrong = errors.Join(wrong, h.logRecords(o))
	}
	return wrong
}

// start starts what is planned. OpenTelemetry's providers report what they find
// wrong with OTEL_RESOURCE_ATTRIBUTES, which has been told already.
func (h *Handle) start() {
	if h.running == nil {
		return
	}
	h.starting.Store(true)
	defer h.starting.Store(false)
	for _, start := range h.running.starts {
		start()
	}
	h.mask.Store(uint64(h.on))
}

// sender is where a signal goes, nil for nowhere.
func (h *Handle) sender(o *options, signal target.Signal) (send.Sender, error) {
	r := h.running
	r.outages[signal] = &outage{signal: signal, warner: h.warner}
	switch h.exporter(o, signal) {
	case exporterNone:
		return nil, nil
	case exporterConsole:
		if r.console == nil {
			console, err := newConsole(o)
			if err != nil {
				return nil, err
			}
			r.console = console
			r.closers = append(r.closers, func(context.Context) error { return console.Close() })
		}
		return r.console, nil
	}
	to, warnings, err := target.Reader{Lookup: o.lookup, ReadFile: os.ReadFile, Settings: o.to}.Read(signal)
	h.warner.all(warnings)
	if err != nil {
		return nil, err
	}
	return r.dialer.Sender(to)
}

func newConsole(o *options) (*send.Console, error) {
	if o.console != nil {
		return send.NewConsole(o.console), nil
	}
	return send.Stdout()
}

// traces plans the pipeline of spans.
func (h *Handle) traces(o *options, id identity) error {
	r := h.running
	export, err := h.spanExport(o)
	if err != nil || export == nil {
		return err
	}
	sampler := o.spanSampler(h.warner)
	if h.cfg.SamplerEnabled && id.hasRank {
		sampler = NewRankSampler(id.rank.Rank, h.cfg.ExportSampleRate, sampler)
	}
	queue := queueConfig(o.lookup, h.warner, "OTEL_BSP_", 5*time.Second)
	r.starts = append(r.starts, func() {
		r.truncator = NewTruncator()
		r.truncator.now = h.now
		r.spans = batch.New(queue, export, r.outages[target.Traces].failed)
		h.traceWith(sampler, o.ids)
	})
	return nil
}

// traceWith makes the provider of traces.
func (h *Handle) traceWith(sampler sdktrace.Sampler, ids sdktrace.IDGenerator) {
	r := h.running
	opts := []sdktrace.TracerProviderOption{
		sdktrace.WithResource(h.resource), sdktrace.WithSampler(sampler),
		sdktrace.WithSpanProcessor(spanQueue{r.spans, r.truncator}),
	}
	if ids != nil {
		opts = append(opts, sdktrace.WithIDGenerator(ids))
	}
	r.tracer = sdktrace.NewTracerProvider(opts...)
	h.tracers, h.tracer = r.tracer, r.tracer.Tracer(scopeName)
}

func (h *Handle) spanExport(o *options) (batch.Export[sdktrace.ReadOnlySpan], error) {
	r := h.running
	if e := o.spans; e != nil {
		r.outages[target.Traces] = &outage{signal: target.Traces, warner: h.warner}
		r.closers = append(r.closers, e.Shutdown)
		return func(ctx context.Context, spans []sdktrace.ReadOnlySpan) (int64, error) {
			return 0, r.outages[target.Traces].seen(e.ExportSpans(ctx, spans))
		}, nil
	}
	to, err := h.sender(o, target.Traces)
	if err != nil || to == nil {
		return nil, err
	}
	return func(ctx context.Context, spans []sdktrace.ReadOnlySpan) (int64, error) {
		refused, err := to.Send(ctx, r.encoder.Spans(spans))
		return refused, r.outages[target.Traces].seen(err)
	}, nil
}

// spanQueue is all the processors in one: it follows spans that start, and puts
// sampled ones that end into the queue, which the handle flushes and closes.
type spanQueue struct {
	*batch.Queue[sdktrace.ReadOnlySpan]
	truncator *Truncator
}

func (q spanQueue) OnStart(parent context.Context, s sdktrace.ReadWriteSpan) {
	scopedAttributes{}.OnStart(parent, s)
	q.truncator.OnStart(parent, s)
}

func (q spanQueue) OnEnd(s sdktrace.ReadOnlySpan) {
	if s.SpanContext().IsSampled() {
		q.Add(s)
	}
}

func (q spanQueue) Shutdown(ctx context.Context) error { return q.truncator.Shutdown(ctx) }

func (q spanQueue) ForceFlush(ctx context.Context) error { return q.Flush(ctx) }

package simulate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// process is one process of the run with telemetry of its own. All but its work
// belongs to its goroutine.
type process struct {
	handle *telemetry.Handle
	setup  *setup
	clock  instant
	work   chan Request
	logs   map[string]slog.Handler // by scope
	groups map[string]*telemetry.MetricGroup
	totals map[series]int64 // of counters, so far
	wrong  error            // what could not be recorded
	ended  bool             // in order, not killed
}

// series is one of a metric.
type series struct {
	metric string
	attrs  attribute.Distinct
}

func newProcess(ctx context.Context, u *setup, rank int) (*process, error) {
	p := &process{
		setup: u, work: make(chan Request, 1),
		logs: map[string]slog.Handler{}, groups: map[string]*telemetry.MetricGroup{}, totals: map[series]int64{},
	}
	p.clock.start = u.m.Start.Add(time.Duration(u.m.clock(max(rank, 0))))
	var err error
	p.handle, err = u.handle(ctx, rank, p.clock.now)
	return p, err
}

// record records what the process did by the time of the request, and exports it. What
// is left at the end goes with the shutdown.
func (p *process) record(ctx context.Context, r *Request) error {
	p.clock.at.Store(int64(r.At))
	p.ended = p.ended || r.rows.closing
	for i := range r.rows.spans {
		p.span(ctx, &r.rows.spans[i])
	}
	for i := range r.rows.points {
		p.point(ctx, &r.rows.points[i], r.rows.steps)
	}
	for i := range r.rows.logs {
		p.log(ctx, r.rows.scope, &r.rows.logs[i])
	}
	if r.rows.closing && r.Signal == run.Metrics {
		return nil
	}
	return p.flush(ctx, r.Signal)
}

// flush exports one signal: each has an interval of its own.
func (p *process) flush(ctx context.Context, signal run.Signal) error {
	provider := [run.SignalCount]any{
		run.Traces: p.handle.TracerProvider(), run.Metrics: p.handle.MeterProvider(), run.Logs: p.handle.LoggerProvider(),
	}[signal]
	f, ok := provider.(interface{ ForceFlush(context.Context) error })
	if !ok {
		return fmt.Errorf("simulate: %T cannot be flushed", provider)
	}
	return f.ForceFlush(ctx)
}

// span records a span that has ended. One that is open at the end is started, for the
// SDK to cut it.
func (p *process) span(ctx context.Context, s *recorded) {
	ctx = within(ctx, s)
	start := time.Unix(0, int64(s.Start))
	if s.open {
		p.handle.Tracer().Start(ctx, s.Name, trace.WithTimestamp(start), trace.WithAttributes(s.attrs...))
		return
	}
	_, err := p.handle.EmitSpan(ctx, p.setup.group(s.Name), s.Name, start, time.Unix(0, int64(s.End)), s.attrs...)
	p.failed(err)
}

func (p *process) log(ctx context.Context, scope string, l *run.Log) {
	h := p.logs[scope]
	if h == nil {
		h = p.handle.LogHandler(scope)
		p.logs[scope] = h
	}
	r := slog.NewRecord(time.Unix(0, int64(l.Time)), slog.Level(int(l.Severity)-logInfo), l.Body.Str(), 0)
	for _, a := range l.Attrs {
		r.AddAttrs(slog.Any(a.Key, keyValue(a).Value.AsInterface()))
	}
	if l.SpanID != (run.SpanID{}) {
		ctx = under(ctx, l.TraceID, l.SpanID)
	}
	p.failed(h.Handle(ctx, r))
}

// point records what a point says: a gauge as it is, of a counter what is new, of the
// histogram the steps one by one.
func (p *process) point(ctx context.Context, m *measured, steps []float64) {
	g := p.group(m)
	v := m.Value.Double()
	if m.Value.Type == run.Int {
		v = float64(m.Value.Int())
	}
	switch m.Kind {
	case otlp.Gauge:
		g.Set(ctx, m.Name, v, m.attrs...)
	case otlp.Sum:
		if m.Temporality == otlp.Cumulative {
			set := attribute.NewSet(m.attrs...)
			of := series{m.Name, set.Equivalent()}
			v -= float64(p.totals[of])
			p.totals[of] = m.Value.Int()
		}
		g.Set(ctx, m.Name, v, m.attrs...)
	default:
		if m.Name != stepDuration {
			p.failed(fmt.Errorf("simulate: metric %s is of a kind that no process here records", m.Name))
			return
		}
		for _, ms := range steps {
			g.Set(ctx, m.Name, ms, m.attrs...)
		}
	}
}

// group declares a metric when it is first seen.
func (p *process) group(m *measured) *telemetry.MetricGroup {
	if g, ok := p.groups[m.Name]; ok {
		return g
	}
	kind := map[otlp.MetricKind]telemetry.MetricKind{otlp.Gauge: telemetry.Gauge, otlp.Sum: telemetry.Counter, otlp.Histogram: telemetry.Histogram}[m.Kind]
	if m.Kind == otlp.Sum && !m.Monotonic {
		kind = telemetry.UpDownCounter
	}
	g, err := p.handle.MetricGroup(m.Name, telemetry.Metric{
		Key: m.Name, Name: m.Name, Kind: kind, Unit: m.Unit, Whole: m.Value.Type == run.Int, Buckets: m.Buckets.Bounds,
	})
	p.failed(err)
	p.groups[m.Name] = g
	return g
}

func (p *process) failed(err error) {
	if p.wrong == nil {
		p.wrong = err
	}
}

// end lets the process end: in order until the context does, or killed where it is.
func (p *process) end(ctx context.Context, res *Result) {
	if !p.ended && ctx.Err() == nil {
		p.account(res) // what it had not sent is nobody's loss
		killed, kill := context.WithCancel(ctx)
		kill()
		_ = p.handle.Shutdown(killed)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, p.setup.to.Patience)
	defer cancel()
	err := p.handle.Shutdown(ctx)
	p.account(res)
	var lost *telemetry.LostError
	if errors.As(err, &lost) && lost.Err != nil {
		res.reason(lost.Err.Error())
	}
	if p.wrong != nil {
		res.reason(p.wrong.Error())
	}
}

func (p *process) account(res *Result) {
	s := p.handle.Stats()
	for signal, c := range map[run.Signal]telemetry.SignalStats{run.Traces: s.Spans, run.Metrics: s.Points, run.Logs: s.Logs} {
		n := &res.Signals[signal]
		n.Sent += uint64(c.Recorded)
		n.Accepted += uint64(c.Delivered)
		n.Failed += uint64(c.Lost())
	}
}

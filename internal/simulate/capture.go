package simulate

import (
	"slices"

	"go.opentelemetry.io/otel/attribute"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// builder is what the writers put items into: an otlp.Builder, which encodes them,
// or a capture, which keeps them for an SDK to encode.
type builder interface {
	Reset(run.Signal)
	Resource(attrs []run.Attr, dropped uint32, schema string)
	Scope(run.Scope)
	Span(*run.Span)
	Metric(otlp.MetricInfo)
	Point(*otlp.DataPoint)
	Log(*run.Log)
	Bytes() []byte
}

// into lets all writers put their items into b.
func (w *writers) into(b builder) {
	w.spans.build, w.metrics.build, w.logs.build, w.gate.build = b, b, b, b
}

// rows is what one process records by one moment, in the place of a request.
type rows struct {
	scope   string
	spans   []recorded
	points  []measured
	logs    []run.Log
	steps   []float64 // milliseconds of the steps since the rank's points before these
	closing bool      // the process ends with these
}

// recorded is a span, without the mark that its closer makes.
type recorded struct {
	run.Span
	attrs []attribute.KeyValue
	open  bool // at the end of the process
}

// measured is a point with its metric.
type measured struct {
	otlp.MetricInfo
	otlp.DataPoint
	attrs []attribute.KeyValue
}

// capture is a builder that keeps what it is given.
type capture struct {
	rows   *rows
	metric otlp.MetricInfo
	steps  []float64      // milliseconds of the steps not yet told by all ranks
	first  int            // number of steps[0]
	told   map[int]uint64 // by rank, the number of steps its histogram has
}

func newCapture() *capture { return &capture{rows: &rows{}, told: map[int]uint64{}} }

// Reset begins new rows.
func (c *capture) Reset(run.Signal) { c.rows = &rows{} }

// Resource is none of the rows: a process has the same for its life.
func (c *capture) Resource([]run.Attr, uint32, string) {}

// Scope is that of the items that follow.
func (c *capture) Scope(s run.Scope) { c.rows.scope = s.Name }

// Span keeps a span.
func (c *capture) Span(s *run.Span) {
	r := recorded{Span: *s}
	for _, a := range s.Attrs {
		if a.Key == semconv.NemoSpanTruncated {
			r.open = true
			continue
		}
		r.attrs = append(r.attrs, keyValue(a))
	}
	r.Attrs, r.Events = nil, nil // the writer's own
	c.rows.spans = append(c.rows.spans, r)
}

// Metric is that of the points that follow.
func (c *capture) Metric(m otlp.MetricInfo) { c.metric = m }

// Point keeps a point.
func (c *capture) Point(p *otlp.DataPoint) {
	m := measured{MetricInfo: c.metric, DataPoint: *p}
	for _, a := range p.Attrs {
		m.attrs = append(m.attrs, keyValue(a))
	}
	m.Attrs = nil
	m.Buckets.Bounds = slices.Clone(p.Buckets.Bounds)
	c.rows.points = append(c.rows.points, m)
}

// Log keeps a log record.
func (c *capture) Log(l *run.Log) {
	kept := *l
	kept.Attrs = slices.Clone(l.Attrs)
	c.rows.logs = append(c.rows.logs, kept)
}

// Bytes is nothing: the rows are taken as they are.
func (c *capture) Bytes() []byte { return nil }

// took remembers how long a step took: a histogram counts steps one by one, and the
// model knows only their sum.
func (c *capture) took(s *slot) {
	if s.stepEnd < never {
		c.steps = append(c.steps, float64(s.stepEnd-s.start)/1e6)
	}
}

// take hands out the rows of a rank.
func (c *capture) take(rank int, closing bool) *rows {
	r := c.rows
	r.closing = closing
	for i := range r.points {
		if p := &r.points[i]; p.Name == stepDuration {
			r.steps = slices.Clone(c.steps[int(c.told[rank])-c.first : int(p.Count)-c.first])
			c.told[rank] = p.Count
			c.forget()
		}
	}
	return r
}

// forget drops the steps that all ranks which tell any have told.
func (c *capture) forget() {
	least := uint64(c.first + len(c.steps))
	for _, n := range c.told {
		least = min(least, n)
	}
	if n := int(least) - c.first; n >= 1024 {
		c.steps, c.first = slices.Delete(c.steps, 0, n), int(least)
	}
}

// keyValue is an attribute as the SDK takes it. The model has no lists.
func keyValue(a run.Attr) attribute.KeyValue {
	switch v := a.Value; v.Type {
	case run.Int:
		return attribute.Int64(a.Key, v.Int())
	case run.Double:
		return attribute.Float64(a.Key, v.Double())
	case run.Bool:
		return attribute.Bool(a.Key, v.Bool())
	default:
		return attribute.String(a.Key, v.Str())
	}
}

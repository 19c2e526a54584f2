package otlp

import "github.com/beamline-hpc/lensview/internal/run"

// metricTail is what follows the points of a metric on the wire.
type metricTail struct {
	temporality Temporality
	monotonic   bool
	metadata    []run.Attr
}

// Metric opens a metric in the open scope. Point adds its points. The metadata
// must stay unchanged until the next Metric, Scope, Resource or Bytes.
func (b *Builder) Metric(m MetricInfo) {
	b.inScope()
	b.close(levelMetric)
	b.begin(levelMetric, 2)
	b.buf = appendStringField(b.buf, 1, m.Name)
	b.buf = appendStringField(b.buf, 2, m.Description)
	b.buf = appendStringField(b.buf, 3, m.Unit)
	b.kind = m.Kind
	b.tail = metricTail{metadata: m.Metadata}
	if m.Kind == NoData {
		return
	}
	b.begin(levelData, uint32(m.Kind))
	if m.Kind != Gauge && m.Kind != Summary {
		b.tail.temporality, b.tail.monotonic = m.Temporality, m.Monotonic && m.Kind == Sum
	}
}

// write ends the data or the metric itself.
func (t *metricTail) write(b *Builder, level int) {
	if level == levelMetric {
		b.buf = appendAttrs(b.buf, 12, t.metadata)
		return
	}
	b.buf = appendVarintField(b.buf, 2, uint64(t.temporality))
	if t.monotonic {
		b.buf = appendVarintField(b.buf, 3, 1)
	}
}

// Point adds a point to the open metric, with the parts that its kind has. A
// metric of no kind takes none.
func (b *Builder) Point(d *DataPoint) {
	if b.open[levelData] == 0 {
		return
	}
	at := b.message(1)
	switch b.kind {
	case Histogram:
		b.histogram(d)
	case ExpHistogram:
		b.exponential(d)
	case Summary:
		b.summary(d)
	default:
		b.number(d)
	}
	b.end(at)
}

func (b *Builder) times(d *DataPoint) {
	b.buf = appendFixed64Field(b.buf, 2, d.Start)
	b.buf = appendFixed64Field(b.buf, 3, d.Time)
}

func (b *Builder) number(d *DataPoint) {
	b.times(d)
	b.buf = appendNumber(b.buf, 4, &d.Value)
	b.exemplars(5, d.Exemplars)
	b.buf = appendAttrs(b.buf, 7, d.Attrs)
	b.buf = appendVarintField(b.buf, 8, uint64(d.Flags))
}

// appendNumber writes a double as field num or an int as field 6, the numbers
// that points and exemplars give them.
func appendNumber(p []byte, num uint32, v *run.Value) []byte {
	switch v.Type {
	case run.Double:
		return appendDouble(p, num, v.Double())
	case run.Int:
		return appendFixed64(p, 6, uint64(v.Int()))
	}
	return p
}

func (b *Builder) exemplars(num uint32, list []Exemplar) {
	for i := range list {
		e := &list[i]
		at := b.message(num)
		p := appendFixed64Field(b.buf, 2, e.Time)
		p = appendNumber(p, 3, &e.Value)
		if !e.SpanID.IsZero() {
			p = appendID(p, 4, e.SpanID[:])
		}
		if !e.TraceID.IsZero() {
			p = appendID(p, 5, e.TraceID[:])
		}
		b.buf = appendAttrs(p, 7, e.Attrs)
		b.end(at)
	}
}

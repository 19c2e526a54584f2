package otlp

import "github.com/beamline-hpc/lensview/internal/run"

// Members of a oneof (a metric's data, a point's number) come last in their
// message, as the generated code writes them.

// metricTail is what follows the points of a sum or histogram on the wire.
type metricTail struct {
	temporality Temporality
	monotonic   bool
}

// Metric opens a metric in the open scope. Point adds its points.
func (b *Builder) Metric(m MetricInfo) {
	b.inScope()
	b.close(levelMetric)
	b.begin(levelMetric, 2)
	b.buf = appendStringField(b.buf, 1, m.Name)
	b.buf = appendStringField(b.buf, 2, m.Description)
	b.buf = appendStringField(b.buf, 3, m.Unit)
	b.buf = appendAttrs(b.buf, 12, m.Metadata)
	b.kind, b.tail = m.Kind, metricTail{}
	if m.Kind == NoData {
		return
	}
	b.begin(levelData, uint32(m.Kind))
	if m.Kind != Gauge && m.Kind != Summary {
		b.tail.temporality, b.tail.monotonic = m.Temporality, m.Monotonic && m.Kind == Sum
	}
}

func (t metricTail) append(p []byte) []byte {
	p = appendVarintField(p, 2, uint64(t.temporality))
	if t.monotonic {
		p = appendVarintField(p, 3, 1)
	}
	return p
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
	b.exemplars(5, d.Exemplars)
	p := appendAttrs(b.buf, 7, d.Attrs)
	p = appendVarintField(p, 8, uint64(d.Flags))
	b.buf = appendNumber(p, 4, &d.Value)
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
		if !e.SpanID.IsZero() {
			p = appendID(p, 4, e.SpanID[:])
		}
		if !e.TraceID.IsZero() {
			p = appendID(p, 5, e.TraceID[:])
		}
		p = appendAttrs(p, 7, e.Attrs)
		b.buf = appendNumber(p, 3, &e.Value)
		b.end(at)
	}
}

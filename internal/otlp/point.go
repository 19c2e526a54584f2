package otlp

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

// MetricInfo is a metric without its points, in full.
type MetricInfo struct {
	Name, Description, Unit string
	Kind                    MetricKind
	Temporality             Temporality // of sums and both histograms
	Monotonic               bool        // of sums
	Metadata                []run.Attr
}

// DataPoint is one point in full. Value is the Int or Double of a gauge or sum,
// Empty when none was sent; the rest is for histograms and summaries.
type DataPoint struct {
	Start, Time            uint64
	Flags                  uint32 // bit 0: no recorded value
	Attrs                  []run.Attr
	Value                  run.Value
	Count                  uint64
	Sum, Min, Max          float64
	HasSum, HasMin, HasMax bool
	Buckets                Buckets
	Exemplars              []Exemplar
}

// Exemplar is one measurement that went into a point. Value is an Int or a
// Double. Ids of a wrong length are none.
type Exemplar struct {
	Time    uint64
	Value   run.Value
	TraceID run.TraceID
	SpanID  run.SpanID
	Attrs   []run.Attr // those that are not on the point
}

// FullMetric is the row m without its points, independent of the batch.
func (b *Batch) FullMetric(m *Metric) MetricInfo {
	return MetricInfo{
		Name: string(b.Bytes(m.Name)), Description: string(b.Bytes(m.Description)), Unit: string(b.Bytes(m.Unit)),
		Kind: m.Kind, Temporality: m.Temporality, Monotonic: m.Monotonic, Metadata: b.AttrList(m.Metadata),
	}
}

// FullPoint is the row p with everything that was sent, independent of the
// batch. The error is that of ReadBuckets; the point is complete all the same.
func (b *Batch) FullPoint(p *Point) (DataPoint, error) {
	kind, raw := b.Metrics[p.Metric].Kind, b.Bytes(p.Raw)
	d := DataPoint{
		Start: p.Start, Time: p.Time, Flags: p.Flags, Attrs: b.AttrList(p.Attrs), Value: p.Value(),
		Count: p.Count, Sum: p.Sum, Min: p.Min, Max: p.Max, HasSum: p.HasSum, HasMin: p.HasMin, HasMax: p.HasMax,
	}
	var err error
	if d.Exemplars, err = ReadExemplars(kind, raw); err != nil {
		return d, err
	}
	d.Buckets, err = ReadBuckets(kind, raw)
	return d, err
}

// Value is the number of a gauge or sum point: Int, Double, or Empty when none
// was sent.
func (p *Point) Value() run.Value {
	switch {
	case !p.HasValue:
		return run.Value{}
	case p.IsDouble:
		return run.Raw(run.Double, p.Num, "")
	}
	return run.Raw(run.Int, p.Num, "")
}

// ReadExemplars reads the exemplars from a point's wire message, Point.Raw.
func ReadExemplars(kind MetricKind, raw []byte) ([]Exemplar, error) {
	num := layoutOf(kind).exemplars
	var list []Exemplar
	var f field
	for i := 0; num != 0 && i < len(raw); i = f.end {
		err := f.read(raw, i)
		if err == nil && f.num == num && f.wire == bytesType {
			var e Exemplar
			e, err = readExemplar(raw[f.at:f.end])
			list = append(list, e)
		}
		if err != nil {
			return nil, fmt.Errorf("read the exemplars of one %s point: %w", kind, err)
		}
	}
	return list, nil
}

func readExemplar(p []byte) (e Exemplar, err error) {
	var f field
	for i := 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return e, err
		}
		switch f.key() {
		case 2<<3 | fixed64Type:
			e.Time = f.v
		case 3<<3 | fixed64Type:
			e.Value = run.Raw(run.Double, f.v, "")
		case 4<<3 | bytesType:
			e.SpanID = spanID(p[f.at:f.end])
		case 5<<3 | bytesType:
			e.TraceID = traceID(p[f.at:f.end])
		case 6<<3 | fixed64Type:
			e.Value = run.Raw(run.Int, f.v, "")
		}
	}
	e.Attrs, err = expandPairs(nil, p, 7, 0)
	return e, err
}

// ReadPoint is a point from its wire message, Point.Raw, without attributes and
// exemplars: what can be told of a histogram or summary that only its bytes are
// left of. The error is that of ReadBuckets; the figures are complete all the
// same.
func ReadPoint(kind MetricKind, raw []byte) (DataPoint, error) {
	var p Point
	lay := layoutOf(kind)
	p.HasSum = kind == Summary
	var f field
	for i := 0; i < len(raw); i = f.end {
		if err := f.read(raw, i); err != nil {
			return DataPoint{}, fmt.Errorf("read one %s point: %w", kind, err)
		}
		switch {
		case f.wire == fixed64Type:
			p.number(&f, lay)
		case f.wire == varintType && f.num == lay.flags:
			p.Flags = uint32(f.v)
		}
	}
	d := DataPoint{
		Start: p.Start, Time: p.Time, Flags: p.Flags, Value: p.Value(),
		Count: p.Count, Sum: p.Sum, Min: p.Min, Max: p.Max, HasSum: p.HasSum, HasMin: p.HasMin, HasMax: p.HasMax,
	}
	var err error
	d.Buckets, err = ReadBuckets(kind, raw)
	return d, err
}

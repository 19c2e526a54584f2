package otlp

import "github.com/beamline-hpc/lensview/internal/run"

// Ref is a place in a batch's bytes. The zero Ref is empty.
type Ref struct{ off, n uint32 }

// Len is the number of bytes.
func (r Ref) Len() int { return int(r.n) }

// sideBit marks a Ref into the batch's own side buffer (repaired strings,
// gathered fields) instead of the request's bytes.
const sideBit = 1 << 31

// Range is a half-open range of rows.
type Range struct{ From, To uint32 }

// Len is the number of rows.
func (r Range) Len() int { return int(r.To - r.From) }

// Batch is one decoded request as rows. It is reused from request to request:
// in steady state decoding allocates nothing. All Refs point into the request's
// bytes, which must stay unchanged until the batch is reset.
//
// A batch is complete or not there at all: Decode validates before it returns.
// Spans refused one by one (bad ids) are counted in Rejected and have no row.
type Batch struct {
	Signal    run.Signal
	Resources []Resource
	Scopes    []Scope
	Spans     []Span
	Metrics   []Metric
	Points    []Point
	Logs      []Log
	Attrs     []Attr
	Rejected  []Rejection
	Repaired  int          // strings whose invalid UTF-8 was replaced by U+FFFD
	Notices   []run.Notice // what was merely tolerated, with its place in the request

	buf, side []byte
	json      *Transcoder // made by the first DecodeJSON
	now       spanState
}

// Bytes is the bytes at r. They are valid until the batch is reset.
func (b *Batch) Bytes(r Ref) []byte {
	from := b.buf
	if r.off&sideBit != 0 {
		from = b.side
	}
	o := r.off &^ sideBit
	return from[o : o+r.n : o+r.n]
}

// Attributes is the rows of r.
func (b *Batch) Attributes(r Range) []Attr { return b.Attrs[r.From:r.To] }

// Items is the number of items of the batch's signal, rejected ones included:
// spans, points or log records.
func (b *Batch) Items() int {
	n := 0
	for _, r := range b.Rejected {
		n += r.Count
	}
	switch b.Signal {
	case run.Metrics:
		return n + len(b.Points)
	case run.Logs:
		return n + len(b.Logs)
	}
	return n + len(b.Spans)
}

// Rejection counts items refused one by one, by reason.
type Rejection struct {
	Reason string
	Count  int
}

// Resource is one resource of the request. Raw is its wire message, the key by
// which a process is recognised without looking at its attributes.
type Resource struct {
	Raw, Schema Ref
	Attrs       Range
	Dropped     uint32
}

// Scope is one instrumentation scope. Raw is its wire message.
type Scope struct {
	Resource              uint32 // index in Batch.Resources
	Raw                   Ref
	Name, Version, Schema Ref
	Attrs                 Range
	Dropped               uint32
}

// Attr is one attribute. Num holds bool, int and double (IEEE bits); Val holds
// string and bytes, and for Array and KVList the wire bytes of the ArrayValue
// or KeyValueList message, validated and of bounded depth.
type Attr struct {
	Key  Ref
	Val  Ref
	Num  uint64
	Type run.Type
}

// Span is one span. Extra is the wire bytes of its rarer fields (trace state,
// events, links, status message, dropped counts), concatenated; see
// DecodeExtra. Times are as sent.
type Span struct {
	TraceID    run.TraceID
	ID, Parent run.SpanID
	Start, End uint64
	Name       Ref
	Extra      Ref
	Attrs      Range
	Scope      uint32 // index in Batch.Scopes
	Flags      uint32
	Kind       run.Kind
	Status     run.Status
}

// MetricKind is the shape of a metric's points.
type MetricKind uint8

// Metric kinds. The numbers are the field numbers of Metric.data on the wire.
const (
	NoData       MetricKind = 0
	Gauge        MetricKind = 5
	Sum          MetricKind = 7
	Histogram    MetricKind = 9
	ExpHistogram MetricKind = 10
	Summary      MetricKind = 11
)

// Temporality with OTLP's numbers.
type Temporality uint8

// Temporalities.
const (
	Unspecified Temporality = 0
	Delta       Temporality = 1
	Cumulative  Temporality = 2
)

// Metric is one metric with its points.
type Metric struct {
	Scope                   uint32
	Name, Description, Unit Ref
	Kind                    MetricKind
	Temporality             Temporality
	Monotonic               bool
	Points                  Range
	Metadata                Range // in Batch.Attrs
}

// Point is one data point. Raw is its wire message, from which buckets,
// quantiles and exemplars are read when they are needed (see ReadBuckets).
type Point struct {
	Metric      uint32
	Attrs       Range
	Start, Time uint64
	Flags       uint32 // bit 0: no recorded value
	Num         uint64 // number points: int64, or IEEE bits when IsDouble
	IsDouble    bool
	HasValue    bool // a number was sent; null counts as unset
	HasSum      bool // always for summaries, whose sum is not optional
	HasMin      bool
	HasMax      bool
	Count       uint64 // histograms and summaries
	Sum         float64
	Min, Max    float64
	Raw         Ref
}

// Log is one log record.
type Log struct {
	Time, Observed uint64
	TraceID        run.TraceID
	SpanID         run.SpanID
	Severity       uint8
	SeverityText   Ref
	EventName      Ref
	Body           Attr // Key is empty
	Attrs          Range
	Scope          uint32
	Flags, Dropped uint32
}

package run

// Mark is a set of facts about one span that decide how it may be used.
type Mark uint16

// The marks. A span with any mark of NoDuration never enters a duration
// statistic and is never part of a denominator.
const (
	Truncated   Mark = 1 << iota // nemo.span.truncated is true: its end is the shutdown, not the end of work
	Open                         // no end was sent: still running when exported
	EndsBefore                   // end < start
	ZeroStart                    // start is 0 or absent
	BadTime                      // a time outside 2000-01-01 … 2200-01-01
	OddTruncate                  // a truncation hint that does not truncate: false, a string, or the event alone
	Versions                     // a later version of a finished span that differed; the earlier one counts in roll-ups
	Failed                       // status is ERROR
	Orphan                       // reserved for readers: the parent was not found
	NoDuration  = Truncated | Open | EndsBefore | ZeroStart | BadTime
	InvalidTime = EndsBefore | ZeroStart | BadTime
)

// Has reports whether any mark of m is set.
func (k Mark) Has(m Mark) bool { return k&m != 0 }

// Kind is a span kind with OTLP's numbers (0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer).
type Kind uint8

// Status is a span status with OTLP's numbers.
type Status uint8

// Span statuses.
const (
	StatusUnset Status = 0
	StatusOK    Status = 1
	StatusError Status = 2
)

// Span is one span in full, as a detail pane or an export needs it. Times are
// unix nanoseconds exactly as sent; they are never corrected.
type Span struct {
	TraceID                                   TraceID
	ID, Parent                                SpanID
	TraceState                                string
	Name                                      string
	Kind                                      Kind
	Start, End                                uint64
	Status                                    Status
	StatusMessage                             string
	Flags                                     uint32
	Marks                                     Mark
	Attrs                                     []Attr
	Events                                    []Event
	Links                                     []Link
	DroppedAttrs, DroppedEvents, DroppedLinks uint32
	Scope                                     Scope
	Process                                   int // index in its run
}

// Event is a timed annotation of a span.
type Event struct {
	Time    uint64
	Name    string
	Attrs   []Attr
	Dropped uint32
}

// Link points from a span to another one.
type Link struct {
	TraceID    TraceID
	ID         SpanID
	TraceState string
	Attrs      []Attr
	Dropped    uint32
	Flags      uint32
}

// Scope is the instrumentation scope that made a span, point or log record.
type Scope struct {
	Name, Version, Schema string
	Attrs                 []Attr
}

// Log is one log record in full.
type Log struct {
	Time, Observed uint64
	Severity       uint8 // OTLP severity number 0–24
	SeverityText   string
	EventName      string
	Body           Value
	Attrs          []Attr
	Dropped        uint32
	TraceID        TraceID
	SpanID         SpanID
	Flags          uint32
	Process        int // index in its run
}

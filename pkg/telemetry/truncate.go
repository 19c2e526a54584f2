package telemetry

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Truncator knows the spans that are open, and ends them at shutdown: a batch
// processor sees only ends, so without it the long spans of a job that is stopped
// are lost. Setup installs one. For a provider of your own:
//
//	trunc := telemetry.NewTruncator()
//	provider := sdktrace.NewTracerProvider(
//		sdktrace.WithSpanProcessor(trunc), // before what exports
//		sdktrace.WithBatcher(exporter))
//
// provider.Shutdown then ends what is open, or Close does at a moment of your
// choice. ForceFlush leaves spans open.
type Truncator struct {
	now func() time.Time

	mu     sync.Mutex
	open   []openSpan // and some that have ended since the last sweep
	limit  int        // length at which to sweep
	closed bool
}

type openSpan struct {
	span sdktrace.ReadWriteSpan
	own  *Span // nil for a span that was not started through this package
}

const sweepAt = 256 // spans that have ended and are still held, at least

// NewTruncator returns a Truncator for one provider.
func NewTruncator() *Truncator { return &Truncator{now: time.Now, limit: sweepAt} }

var _ sdktrace.SpanProcessor = (*Truncator)(nil)

// OnStart implements sdktrace.SpanProcessor.
func (t *Truncator) OnStart(parent context.Context, s sdktrace.ReadWriteSpan) {
	o := openSpan{span: s}
	if sc, ok := parent.(*spanContext); ok {
		o.own = &sc.own
	}
	t.mu.Lock()
	if !t.closed {
		if len(t.open) >= t.limit {
			t.sweep()
		}
		t.open = append(t.open, o)
	}
	t.mu.Unlock()
}

// sweep forgets the spans that have ended. To look only now and then, and never at
// the end of a span, costs less than a table would.
func (t *Truncator) sweep() {
	t.open = slices.DeleteFunc(t.open, func(o openSpan) bool { return !o.span.IsRecording() })
	t.limit = 2*len(t.open) + sweepAt
}

// OnEnd implements sdktrace.SpanProcessor.
func (*Truncator) OnEnd(sdktrace.ReadOnlySpan) {}

// ForceFlush implements sdktrace.SpanProcessor. It leaves spans open.
func (*Truncator) ForceFlush(context.Context) error { return nil }

// Shutdown implements sdktrace.SpanProcessor: it is Close.
func (t *Truncator) Shutdown(context.Context) error {
	t.Close()
	return nil
}

// Close ends the open spans, the innermost first, so that no child ends after its
// parent. Each gets the attribute nemo.span.truncated, which is true, and an event of
// that name; its status stays unset. Their end is this moment and not that of the
// work: such spans are no measurements. Spans that start later are not followed.
// It returns how many it has ended.
func (t *Truncator) Close() int {
	t.mu.Lock()
	t.sweep()
	open := t.open
	t.open, t.closed = nil, true
	t.mu.Unlock()
	now, ends := t.now(), map[trace.SpanID]time.Time{}
	for _, o := range innermostFirst(open) {
		end := latest(now, o.span.StartTime(), ends[o.span.SpanContext().SpanID()])
		parent := o.span.Parent().SpanID()
		ends[parent] = latest(ends[parent], end)
		o.truncate(end)
	}
	return len(open)
}

func latest(times ...time.Time) time.Time { return slices.MaxFunc(times, time.Time.Compare) }

func (o openSpan) truncate(end time.Time) {
	mark := func() {
		o.span.SetAttributes(attribute.Bool(semconv.NemoSpanTruncated, true))
		o.span.AddEvent(semconv.NemoSpanTruncated, trace.WithTimestamp(end))
	}
	if o.own == nil {
		mark()
		o.span.End(trace.WithTimestamp(end))
		return
	}
	o.own.closeWith(func() {
		mark()
		o.span.End(trace.WithTimestamp(end))
	})
}

// closeWith calls end, which ends the span, unless it has ended meanwhile; nobody
// comes in between. It must not touch s.span: the span may be starting just now.
func (s *Span) closeWith(end func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	s.hand()
	end()
}

// innermostFirst orders spans by the number of open spans above them.
func innermostFirst(open []openSpan) []openSpan {
	byID := make(map[trace.SpanID]openSpan, len(open))
	for _, o := range open {
		byID[o.span.SpanContext().SpanID()] = o
	}
	depths := make(map[trace.SpanID]int, len(open))
	for _, o := range open {
		depthOf(o, byID, depths)
	}
	slices.SortStableFunc(open, func(a, b openSpan) int {
		return cmp.Compare(depths[b.span.SpanContext().SpanID()], depths[a.span.SpanContext().SpanID()])
	})
	return open
}

// depthOf counts the open ancestors of a span, and remembers it for all on the way.
// Ids that lead in a circle, which only a broken id generator makes, end the walk.
func depthOf(o openSpan, byID map[trace.SpanID]openSpan, depths map[trace.SpanID]int) {
	var path []trace.SpanID
	depth := 0
	for on := true; on && len(path) <= len(byID); {
		id := o.span.SpanContext().SpanID()
		if known, ok := depths[id]; ok {
			depth = known + 1
			break
		}
		path = append(path, id)
		o, on = byID[o.span.Parent().SpanID()]
	}
	for i := len(path) - 1; i >= 0; i-- {
		depths[path[i]] = depth
		depth++
	}
}

package telemetry

import (
	"context"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

// Span is a started span, or nil when its group is off: every method works on nil
// and does nothing there, so that call sites need no test. The setters return the
// span, for chains. It may be used by several goroutines.
//
// Attributes are collected and handed to OpenTelemetry at once, which costs less
// than one by one.
type Span struct {
	span trace.Span
	of   *Handle // with room for attrs, and the clock

	mu      sync.Mutex
	pending *attrs // set, not yet handed over
	n       uint8
	ended   bool
}

// attrs is room for the attributes of most spans.
type attrs [16]attribute.KeyValue

// spanContext is the context of a span before it has started. It carries the Span
// to the processors that must find it, without an allocation of its own.
type spanContext struct {
	context.Context
	own Span
}

// begin starts a span in any case.
func (h *Handle) begin(ctx context.Context, name string, opts ...trace.SpanStartOption) (context.Context, *Span) {
	if ctx == nil {
		ctx = context.Background()
	}
	sc := &spanContext{Context: ctx, own: Span{of: h}}
	if h.clock != nil {
		opts = append(opts, trace.WithTimestamp(h.clock()))
	}
	ctx, sc.own.span = h.tracer.Start(sc, name, opts...)
	return ctx, &sc.own
}

// Int sets an attribute.
func (s *Span) Int(key string, value int) *Span {
	if s != nil {
		s.setInt(key, int64(value))
	}
	return s
}

// Int64 sets an attribute.
func (s *Span) Int64(key string, value int64) *Span {
	if s != nil {
		s.setInt(key, value)
	}
	return s
}

// Float sets an attribute.
func (s *Span) Float(key string, value float64) *Span {
	if s != nil {
		s.setFloat(key, value)
	}
	return s
}

// Bool sets an attribute.
func (s *Span) Bool(key string, value bool) *Span {
	if s != nil {
		s.setBool(key, value)
	}
	return s
}

// Str sets an attribute.
func (s *Span) Str(key, value string) *Span {
	if s != nil {
		s.setStr(key, value)
	}
	return s
}

// Attr sets attributes of any kind. Where it matters that nothing is allocated
// while the group is off, use the typed setters.
func (s *Span) Attr(kvs ...attribute.KeyValue) *Span {
	if s != nil {
		for _, kv := range kvs {
			s.set(kv)
		}
	}
	return s
}

// The typed setters are apart so that their callers, which are nil checks, inline.

//go:noinline
func (s *Span) setInt(key string, v int64) {
	s.mu.Lock()
	if kv := s.slot(); kv != nil {
		*kv = attribute.Int64(key, v)
	}
	s.mu.Unlock()
}

//go:noinline
func (s *Span) setFloat(key string, v float64) {
	s.mu.Lock()
	if kv := s.slot(); kv != nil {
		*kv = attribute.Float64(key, v)
	}
	s.mu.Unlock()
}

//go:noinline
func (s *Span) setBool(key string, v bool) {
	s.mu.Lock()
	if kv := s.slot(); kv != nil {
		*kv = attribute.Bool(key, v)
	}
	s.mu.Unlock()
}

//go:noinline
func (s *Span) setStr(key, v string) {
	s.mu.Lock()
	if kv := s.slot(); kv != nil {
		*kv = attribute.String(key, v)
	}
	s.mu.Unlock()
}

func (s *Span) set(kv attribute.KeyValue) {
	s.mu.Lock()
	if to := s.slot(); to != nil {
		*to = kv
	}
	s.mu.Unlock()
}

// slot is where the next attribute goes, nil after the end. The lock must be held.
func (s *Span) slot() *attribute.KeyValue {
	if s.ended {
		return nil
	}
	if s.pending == nil || int(s.n) == len(s.pending) {
		s.hand()
		s.pending = s.of.room.Get().(*attrs)
	}
	s.n++
	return &s.pending[s.n-1]
}

// hand gives the collected attributes to OpenTelemetry, which copies them. The
// lock must be held. What is left in the room is overwritten by the next span.
func (s *Span) hand() {
	if s.pending == nil {
		return
	}
	s.span.SetAttributes(s.pending[:s.n]...)
	s.of.room.Put(s.pending)
	s.pending, s.n = nil, 0
}

// Event adds an event at this moment.
func (s *Span) Event(name string, kvs ...attribute.KeyValue) *Span {
	if s != nil {
		s.span.AddEvent(name, s.stamped(trace.WithAttributes(kvs...))...)
	}
	return s
}

// Error records an error as an event and marks the span as failed with its text.
// A nil error does nothing.
func (s *Span) Error(err error) *Span {
	if s != nil && err != nil {
		s.span.RecordError(err, s.stamped()...)
		s.span.SetStatus(codes.Error, err.Error())
	}
	return s
}

// End ends the span. Later calls of any method do nothing.
func (s *Span) End() {
	if s != nil {
		s.finish()
	}
}

func (s *Span) finish(opts ...trace.SpanEndOption) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return
	}
	s.ended = true
	s.hand()
	if s.of.clock != nil {
		opts = append(opts, trace.WithTimestamp(s.of.clock()))
	}
	s.span.End(opts...)
}

// stamped adds the time of a clock that is not the time of day.
func (s *Span) stamped(opts ...trace.EventOption) []trace.EventOption {
	if s.of.clock != nil {
		opts = append(opts, trace.WithTimestamp(s.of.clock()))
	}
	return opts
}

// OTel is the OpenTelemetry span, with all attributes set so far; for nil it is one
// that does nothing.
func (s *Span) OTel() trace.Span {
	if s == nil {
		return trace.SpanFromContext(nil) //nolint:staticcheck // documented to give the span that does nothing
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hand()
	return s.span
}

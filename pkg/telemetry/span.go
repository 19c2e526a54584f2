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

	mu      sync.Mutex
	pending *attrs // set, not yet handed over
	n       int
	ended   bool
}

// attrs is room for the attributes of most spans.
type attrs [16]attribute.KeyValue

var attrsPool = sync.Pool{New: func() any { return new(attrs) }}

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
	sc := &spanContext{Context: ctx}
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
func (s *Span) setInt(key string, v int64) { s.set(attribute.Int64(key, v)) }

//go:noinline
func (s *Span) setFloat(key string, v float64) { s.set(attribute.Float64(key, v)) }

//go:noinline
func (s *Span) setBool(key string, v bool) { s.set(attribute.Bool(key, v)) }

//go:noinline
func (s *Span) setStr(key, v string) { s.set(attribute.String(key, v)) }

func (s *Span) set(kv attribute.KeyValue) {
	s.mu.Lock()
	if !s.ended {
		if s.pending == nil {
			s.pending = attrsPool.Get().(*attrs)
		}
		s.pending[s.n] = kv
		if s.n++; s.n == len(s.pending) {
			s.hand()
		}
	}
	s.mu.Unlock()
}

// hand gives the collected attributes to OpenTelemetry, which copies them. The
// lock must be held.
func (s *Span) hand() {
	if s.pending == nil {
		return
	}
	s.span.SetAttributes(s.pending[:s.n]...)
	clear(s.pending[:s.n])
	attrsPool.Put(s.pending)
	s.pending, s.n = nil, 0
}

// Event adds an event at this moment.
func (s *Span) Event(name string, kvs ...attribute.KeyValue) *Span {
	if s != nil {
		s.span.AddEvent(name, trace.WithAttributes(kvs...))
	}
	return s
}

// Error records an error as an event and marks the span as failed with its text.
// A nil error does nothing.
func (s *Span) Error(err error) *Span {
	if s != nil && err != nil {
		s.span.RecordError(err)
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
	s.span.End(opts...)
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

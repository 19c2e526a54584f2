package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/codes"
)

// On reports whether a group is on. It is a load and a bit test, and inlines.
func (h *Handle) On(g Group) bool { return h != nil && h.mask.Load()&(1<<(g&63)) != 0 }

// On is Handle.On of the active set-up; without one every group is off.
func On(g Group) bool { return active.Load().On(g) }

// Start starts a span under that of the context and returns the context for what
// happens within it. While the group is off it returns the context it was given and
// a nil span, and allocates nothing.
func (h *Handle) Start(ctx context.Context, g Group, name string) (context.Context, *Span) {
	if !h.On(g) {
		return ctx, nil
	}
	return h.begin(ctx, name)
}

// Start is Handle.Start of the active set-up.
func Start(ctx context.Context, g Group, name string) (context.Context, *Span) {
	if h := active.Load(); h.On(g) {
		return h.begin(ctx, name)
	}
	return ctx, nil
}

// Do runs a function within a span, and records the error it returns. A panic is
// left alone: the span is marked as failed and ends.
func (h *Handle) Do(ctx context.Context, g Group, name string, f func(context.Context) error) error {
	if !h.On(g) {
		return f(ctx)
	}
	return h.do(ctx, name, f)
}

// Do is Handle.Do of the active set-up.
func Do(ctx context.Context, g Group, name string, f func(context.Context) error) error {
	if h := active.Load(); h.On(g) {
		return h.do(ctx, name, f)
	}
	return f(ctx)
}

// Call is Do for a function with a result.
func Call[T any](ctx context.Context, g Group, name string, f func(context.Context) (T, error)) (T, error) {
	h := active.Load()
	if !h.On(g) {
		return f(ctx)
	}
	return call(ctx, h, name, f)
}

func call[T any](ctx context.Context, h *Handle, name string, f func(context.Context) (T, error)) (result T, err error) {
	err = h.do(ctx, name, func(ctx context.Context) error {
		result, err = f(ctx)
		return err
	})
	return result, err
}

func (h *Handle) do(ctx context.Context, name string, f func(context.Context) error) (err error) {
	ctx, span := h.begin(ctx, name)
	returned := false
	defer func() { span.leave(returned, err) }()
	err = f(ctx)
	returned = true
	return err
}

// leave ends a span after a function.
func (s *Span) leave(returned bool, err error) {
	if !returned {
		s.span.SetStatus(codes.Error, "the function did not return: it panicked, or its goroutine ended")
	}
	s.Error(err).End()
}

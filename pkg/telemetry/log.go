package telemetry

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/contrib/bridges/otelslog"
)

// Logger is a logger whose records are exported with the span of their context, from
// the level of WithLogLevel on. It is off, and costs next to nothing, where no logs
// are exported.
func (h *Handle) Logger() *slog.Logger { return slog.New(h.LogHandler(scopeName)) }

// LogHandler is the handler behind Logger, for a scope of the program's own and for
// slog.NewMultiHandler beside a handler that writes to a file.
func (h *Handle) LogHandler(scope string) slog.Handler {
	least := slog.Leveler(slog.LevelInfo)
	if h != nil && h.logLevel != nil {
		least = h.logLevel
	}
	return leveled{otelslog.NewHandler(scope, otelslog.WithLoggerProvider(h.LoggerProvider())), least}
}

// WithLogLevel exports log records from a level on. The default is Info, as in the
// Python library.
func WithLogLevel(least slog.Leveler) Option { return func(o *options) { o.logLevel = least } }

// leveled is a handler that passes over records below a level.
type leveled struct {
	slog.Handler
	least slog.Leveler
}

// Enabled implements slog.Handler.
func (l leveled) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= l.least.Level() && l.Handler.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (l leveled) WithAttrs(attrs []slog.Attr) slog.Handler {
	return leveled{l.Handler.WithAttrs(attrs), l.least}
}

// WithGroup implements slog.Handler.
func (l leveled) WithGroup(name string) slog.Handler {
	return leveled{l.Handler.WithGroup(name), l.least}
}

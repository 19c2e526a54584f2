package telemetry

import (
	"context"
	"log/slog"
	"sync"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Warning is something a user should know and that stops nothing. It never holds a
// secret.
type Warning struct {
	Key   string // what it is about: a variable, an attribute, an instrument
	Text  string // one sentence that names the key, and what to do where that is known
	Level slog.Level
}

// Error makes a warning an error where one is asked for.
func (w Warning) Error() string { return w.Text }

// maxWarnings bounds what is kept and what is told, should a text vary without end.
const maxWarnings = 200

// warner tells each text once.
type warner struct {
	handle func(Warning)

	mu   sync.Mutex
	seen map[string]bool
	list []Warning
}

func newWarner(handle func(Warning)) *warner {
	if handle == nil {
		handle = func(w Warning) {
			slog.Default().LogAttrs(context.Background(), w.Level, w.Text)
		}
	}
	return &warner{handle: handle, seen: map[string]bool{}}
}

func (w *warner) warn(key, text string) { w.tell(Warning{key, text, slog.LevelWarn}) }

func (w *warner) debug(key, text string) { w.tell(Warning{key, text, slog.LevelDebug}) }

func (w *warner) all(warnings []semconv.Warning) {
	for _, one := range warnings {
		w.warn(one.Key, one.Text)
	}
}

func (w *warner) tell(one Warning) {
	w.mu.Lock()
	known := w.seen[one.Text] || len(w.list) >= maxWarnings
	if !known {
		w.seen[one.Text] = true
		w.list = append(w.list, one)
	}
	w.mu.Unlock()
	if !known {
		w.handle(one)
	}
}

func (w *warner) warnings() []Warning {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]Warning(nil), w.list...)
}

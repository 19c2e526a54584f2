package record

import (
	"context"
	"testing"
	"time"
)

// A disk that refused something is left alone for a while: every try costs a write
// that is cut back, on a file system that is in trouble.
func TestAFailingDiskIsLeftAlone(t *testing.T) {
	f := &faulty{room: 1 << 30}
	w, now := faultyWriter(t, f, Options{Dir: t.TempDir()})
	tried := func() bool {
		f.set(func(f *faulty) { f.done = nil })
		appendAll(t, w, requests(t, 1))
		_ = w.Flush(context.Background())
		touched := false
		f.set(func(f *faulty) { touched = len(f.done) > 0 })
		return touched
	}
	f.set(func(f *faulty) { f.room = 0 })
	for i, step := range []struct {
		wait time.Duration
		want bool
	}{{0, true}, {0, false}, {retryAfter / 2, false}, {retryAfter, true}, {0, false}} {
		*now = now.Add(step.wait)
		if got := tried(); got != step.want {
			t.Errorf("step %d: tried %v, want %v", i, got, step.want)
		}
	}
	f.set(func(f *faulty) { f.room = 1 << 30 })
	*now = now.Add(2 * retryAfter)
	for range 2 {
		if !tried() {
			t.Error("with room again it is not tried")
		}
	}
	closed(t, w)
	if s := w.Status(); s.Requests != 2 || s.Lost.Requests != 5 {
		t.Errorf("%+v", s)
	}
}

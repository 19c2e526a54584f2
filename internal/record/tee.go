package record

import (
	"context"
	"fmt"
	"sync"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// Store takes decoded requests, as the receivers' sink does.
type Store interface {
	Put(ctx context.Context, b *otlp.Batch, r run.Receipt) (run.Outcome, error)
}

// Tee is a sink that records what a store keeps. It may begin and stop at any
// time. Without a recording it is the store.
type Tee struct {
	store   Store
	mu      sync.RWMutex // held for reading by each Put, so that Stop misses nothing
	writer  *Writer
	last    run.Recording // of the recording that was stopped last
	version uint64        // of those that were stopped
}

// NewTee is a Tee without a recording.
func NewTee(store Store) *Tee { return &Tee{store: store} }

// Put stores a request and records it. With a recording that syncs it is recorded
// first: then what is acknowledged is on the disk, and what is not was not stored,
// so that the sender can send it again. Otherwise a request that cannot be
// recorded is stored all the same, and counted.
func (t *Tee) Put(ctx context.Context, b *otlp.Batch, r run.Receipt) (run.Outcome, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	switch {
	case t.writer == nil:
		return t.store.Put(ctx, b, r)
	case !t.writer.o.Sync:
		out, err := t.store.Put(ctx, b, r)
		if err == nil {
			_ = t.writer.Append(ctx, b.Signal, b.Items(), r) // counted by the writer
		}
		return out, err
	}
	if err := ctx.Err(); err != nil {
		return run.Outcome{}, fmt.Errorf("record %s: %w (%w)", b.Signal, run.ErrBusy, err)
	}
	if err := t.writer.Append(ctx, b.Signal, b.Items(), r); err != nil {
		return run.Outcome{}, err
	}
	return t.store.Put(context.WithoutCancel(ctx), b, r) // it is on the disk: the store must have it, too
}

// Start begins a recording. There is at most one.
func (t *Tee) Start(o Options) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.writer != nil {
		return fmt.Errorf("record to %s: already recording to %s", o.Dir, t.writer.o.Dir)
	}
	w, err := Create(o)
	if err != nil {
		return err
	}
	t.writer = w
	return nil
}

// Stop ends the recording, if there is one: what was stored before is in it. It
// waits for the disk no longer than ctx.
func (t *Tee) Stop(ctx context.Context) error {
	t.mu.Lock()
	w := t.writer
	t.writer = nil
	t.mu.Unlock()
	if w == nil {
		return nil
	}
	err := w.Close(ctx)
	t.mu.Lock()
	t.last = w.Status()
	t.version += w.Version() + 1
	t.mu.Unlock()
	return err
}

// Status is how the recording is doing, or how the last one ended; on is false
// when there is none now.
func (t *Tee) Status() (s run.Recording, on bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.writer == nil {
		return t.last, false
	}
	return t.writer.Status(), true
}

// Version rises with every change of Status.
func (t *Tee) Version() uint64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.writer == nil {
		return t.version
	}
	return t.version + 1 + t.writer.Version()
}

// Notices is what a person should know of the recording.
func (t *Tee) Notices() []run.Notice {
	s, on := t.Status()
	out := Notices(s, on)
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.writer != nil && t.writer.cut.cut > 0 {
		out = append(out, run.Notice{Code: "recording-cut-back", Level: run.Info, Count: 1, Text: fmt.Sprintf(
			"%s ended in a torn record, as after a crash: %d bytes were cut back", t.writer.cut.path, t.writer.cut.cut)})
	}
	return out
}

// aboutSize is what a recording of bounded size has to say.
func aboutSize(s run.Recording) []run.Notice {
	var out []run.Notice
	if s.Crowded != "" {
		out = append(out, run.Notice{Code: "recording-crowded", Level: run.Warning, Count: 1,
			Text: fmt.Sprintf("the recording in %s grows beyond its size: %s", s.Dir, s.Crowded)})
	}
	if s.Older.Files > 0 {
		out = append(out, run.Notice{Code: "recording-shrunk", Level: run.Info, Count: uint64(s.Older.Files),
			Text: fmt.Sprintf("the recording in %s is not whole: %s", s.Dir, olderText(s.Older))})
	}
	return out
}

// Notices says what is wrong with a recording: that nothing can be written, and
// what is missing in it.
func Notices(s run.Recording, on bool) []run.Notice {
	var out []run.Notice
	missing := ""
	if n := s.Lost.Total(); s.Lost.Requests > 0 {
		missing = fmt.Sprintf("%s items of %s requests are not in it", run.Count(n), run.Count(s.Lost.Requests))
	}
	if s.Deleted > 0 {
		missing += fmt.Sprintf(" (%d files were deleted or cut while they were written)", s.Deleted)
	}
	switch {
	case on && s.Failing != "" && s.Sync:
		out = append(out, run.Notice{Code: "recording-stopped", Level: run.Critical, Count: 1,
			Text: fmt.Sprintf("recording stopped: %s; senders are told to retry until there is room (%s)", s.Failing, s.Dir)})
	case on && s.Failing != "":
		out = append(out, run.Notice{Code: "recording-stopped", Level: run.Critical, Count: s.Lost.Requests, At: s.Lost.Last,
			Text: fmt.Sprintf("recording stopped: %s; %s so far; it goes on when there is room (%s)", s.Failing, missing, s.Dir)})
	case missing != "":
		out = append(out, run.Notice{Code: "recording-gap", Level: run.Warning, Count: s.Lost.Requests, At: s.Lost.Last,
			Text: fmt.Sprintf("the recording in %s has a gap: %s", s.Dir, missing)})
	}
	if on {
		out = append(out, aboutSize(s)...)
	}
	return out
}

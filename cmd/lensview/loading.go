package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// loading is the reading of files while the screens show what was read so far.
type loading struct {
	meter  *record.Meter
	ctx    context.Context //nolint:containedctx // ends when the user has enough
	cancel context.CancelFunc
}

// loading says that files are being read.
func (s *session) loading(m *record.Meter) {
	l := &loading{meter: m}
	l.ctx, l.cancel = context.WithCancel(s.guard.Context())
	s.load = l
	s.store.also = append(s.store.also, l)
}

// stopper is what the screens call to end the reading, nil without one.
func (l *loading) stopper() func() {
	if l == nil {
		return nil
	}
	return l.cancel
}

// Version rises as more is read.
func (l *loading) Version() uint64 { return l.meter.Version() }

// add puts the progress into a snapshot while there is some, and what is left of
// it when it was ended early.
func (l *loading) add(s *store.Snapshot) {
	state := l.meter.Loading()
	switch {
	case state.Canceled:
		s.Notices = append(s.Notices, run.Notice{Code: "loading-stopped", Level: run.Warning, Count: 1,
			Text: fmt.Sprintf("reading was stopped at %s: what is shown is not all", percent(&state))})
		return
	case state.Finished:
		return
	}
	s.Loading = &state
	if !state.Following {
		s.Notices = append(s.Notices, run.Notice{Code: "loading", Level: run.Info, Count: 1, Text: progress(&state)})
	}
}

func percent(l *run.Loading) string {
	share, ok := l.Fraction()
	if !ok {
		return byteCount(l.Done)
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}

const barCells = 20

// progress is a line for where there is no room for more: how much, a bar, the
// rate and what remains.
func progress(l *run.Loading) string {
	parts := []string{fmt.Sprintf("reading %s (file %d of %d): %s", l.Path, l.File, l.Files, percent(l))}
	if share, ok := l.Fraction(); ok {
		full := int(share * barCells)
		parts[0] += " [" + strings.Repeat("#", full) + strings.Repeat("-", barCells-full) + "]"
	}
	parts = append(parts, run.Count(int64(math.Round(l.Rate())))+" items/s")
	if left, ok := l.Remaining(); ok {
		parts = append(parts, left.Round(time.Second).String()+" left")
	}
	return strings.Join(parts, ", ")
}

// byteCount is a size for people.
func byteCount(n int64) string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if size := int64(1) << (30 - 10*i); n >= size {
			return fmt.Sprintf("%.1f %s", float64(n)/float64(size), unit)
		}
	}
	return fmt.Sprintf("%d B", n)
}

// follow reads files on as they grow, until the session ends; of recordings only the
// last so long, unless that is 0.
func (s *session) follow(paths []string, last time.Duration) {
	s.loading(record.NewMeter(nil, time.Now))
	o := record.FollowOptions{Meter: s.load.meter, Last: last, Tell: func(_, text string, bad bool) {
		n := run.Notice{Code: "import", Level: run.Info, Text: text, Count: 1}
		if bad {
			n.Level = run.Warning
		}
		s.store.note(n)
	}}
	s.guard.Go(s.tick)
	s.guard.Go(func() {
		err := record.Follow(s.load.ctx, paths, o, func(b *otlp.Batch, r run.Receipt) error {
			_, err := s.store.Put(s.load.ctx, b, r)
			return err
		})
		if err != nil && !errors.Is(err, run.ErrBusy) { // that is what the store says at the end
			s.store.note(run.Notice{Code: "import-failed", Level: run.Critical, Text: err.Error()})
		}
		s.load.meter.Finish(s.guard.Context().Err() == nil)
	})
}

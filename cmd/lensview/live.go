package main

import (
	"context"
	"errors"

	"github.com/beamline-hpc/lensview/internal/ui"
)

// live receives and shows.
func live(ctx context.Context, e env, o liveOptions) error {
	s, err := newSession(ctx, e, o.show, false)
	if err != nil {
		return err
	}
	if err := s.record(o.record); err != nil {
		return err
	}
	if err := s.listen(ctx, o); err != nil {
		return errors.Join(err, s.stop())
	}
	s.sole = true
	return s.run()
}

// endOf turns the way the screens ended into the command's result: a signal is
// a way to quit, with the exit code that shells expect of it.
func endOf(err error) error {
	var sig *ui.SignalError
	if errors.As(err, &sig) {
		return exitError(128 + int(sig.Signal))
	}
	return err
}

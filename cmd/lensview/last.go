package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"github.com/beamline-hpc/lensview/internal/record"
)

// bindLast is the flag of every command that reads recordings.
func bindLast(f *pflag.FlagSet, last *time.Duration) {
	f.DurationVar(last, "last", 0, "of recordings only what came last, such as 30m or 2h, without reading the rest")
}

// sourcesFor is what paths stand for, of which only the last is wanted; 0 is all.
func sourcesFor(e env, paths []string, last time.Duration) ([]record.Source, error) {
	if last < 0 {
		return nil, usageError{fmt.Errorf("--last %v: give a time like 30m", last)}
	}
	sources, err := record.Sources(paths, e.stdin)
	if err != nil || last == 0 {
		return sources, err
	}
	if sources, err = record.Last(sources, last); errors.Is(err, record.ErrNoTimes) {
		return nil, usageError{fmt.Errorf("--last: %w", err)}
	}
	return sources, err
}

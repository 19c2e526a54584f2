package store

import "github.com/beamline-hpc/lensview/internal/run"

// Sum is an exact sum of durations.
type Sum = run.Sum

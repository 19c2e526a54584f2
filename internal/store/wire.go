package store

import "github.com/beamline-hpc/lensview/internal/run"

func decodeValue(t run.Type, b []byte) run.Value { return run.Raw(t, 0, string(b)) }

func decodeExtra(b []byte, s *run.Span) {}

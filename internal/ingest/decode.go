package ingest

import (
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// decodeJSON reads what a client sent that can still be told of its errors.
func decodeJSON(s run.Signal, body []byte, b *otlp.Batch) error {
	return b.DecodeJSON(s, body, otlp.JSONOptions{})
}

// Package ingest receives OTLP over gRPC and HTTP and hands decoded batches to
// a Sink. It knows no store and no screen: limits, admission, answers and its
// own statistics are all it has.
package ingest

import (
	"context"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// Sink takes one decoded request. It must be done with the batch and the
// receipt's bytes when it returns. When it returns nil the items it reports as
// kept are stored: that is what is acknowledged. run.ErrBusy (wrapped or not)
// tells the sender to retry; any other error is the receiver's fault.
//
// It is called by many goroutines at once. ctx ends at Config.Wait: a sink that
// cannot store by then returns run.ErrBusy or ctx's error, having kept nothing.
// Outcome.Rejected includes what the decoder rejected before (Batch.Rejected).
type Sink interface {
	Put(ctx context.Context, b *otlp.Batch, r run.Receipt) (run.Outcome, error)
}

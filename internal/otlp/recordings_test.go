package otlp

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestRecordings holds the decoders equal on real requests, and reads them
// again after writing.
func TestRecordings(t *testing.T) {
	n := 40
	if testing.Short() {
		n = 5
	}
	for s := range run.SignalCount {
		bodies := recorded(t, s, n, MaxBody)
		if len(bodies) == 0 {
			t.Skip("no recordings here")
		}
		var b Batch
		for _, body := range bodies {
			differential(t, s, body, &b)
			if b.Items() == 0 {
				t.Errorf("%s: a request without items", s)
			}
		}
	}
}

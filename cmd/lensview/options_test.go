package main

import (
	"errors"
	"testing"

	"github.com/spf13/pflag"

	"github.com/beamline-hpc/lensview/internal/ingest"
	"github.com/beamline-hpc/lensview/internal/store"
)

func TestLimitOfRequests(t *testing.T) {
	var o liveOptions
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	o.bind(f)
	if o.maxRequest != ingest.DefaultMaxRequest {
		t.Errorf("default %s, want that of the receivers", o.maxRequest)
	}
	if err := f.Parse([]string{"--max-request", "1GiB"}); err != nil {
		t.Fatal(err)
	}
	var usage usageError
	s := &session{store: newNoted(store.Config{Files: true})}
	if err := s.listen(t.Context(), o); !errors.As(err, &usage) {
		t.Errorf("a limit beyond what can be read: %v, want it refused", err)
	}
}

package main

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/record"
)

// What was refused in the last second is told too, when a recorder ends.
func TestWhatWasRefusedLastIsTold(t *testing.T) {
	tee := record.NewTee(passing{})
	if err := tee.Start(record.Options{Dir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	h := headless{e: env{stdout: io.Discard, stderr: &told}, tee: tee, srv: receiving(t, t.TempDir(), newCounted())}
	resp, err := http.Get("http://" + h.srv.Addrs()[1].Addr + "/v1/profiles")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if err := h.stop(); err != nil || !strings.Contains(told.String(), "/v1/profiles") {
		t.Errorf("%v: %q", err, told.String())
	}
}

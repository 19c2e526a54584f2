package send_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/send"
)

// TestConsoleLines: eight goroutines at once, a line each time.
func TestConsoleLines(t *testing.T) {
	var out bytes.Buffer
	c := send.NewConsole(&out)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				if _, err := c.Send(within(t, time.Minute), request()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != 400 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Fatalf("not a JSON object: %s", line)
		}
	}
}

// TestConsoleBrokenPipe: the end of a reader is an error, not the end of the process.
func TestConsoleBrokenPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	saved := os.Stdout
	os.Stdout = w
	c, err := send.Stdout()
	os.Stdout = saved
	if err != nil {
		t.Fatal(err)
	}
	_ = r.Close()
	_ = w.Close()
	if _, err := c.Send(within(t, time.Minute), request()); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("error %v", err)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}

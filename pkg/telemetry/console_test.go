package telemetry_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// record makes all three signals from eight goroutines.
func record(t *testing.T, h *telemetry.Handle) {
	t.Helper()
	counter, _ := h.Meter().Int64Counter("n")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				ctx, s := h.Start(t.Context(), telemetry.Job, "job")
				h.Logger().InfoContext(ctx, "two\nlines")
				counter.Add(ctx, 1)
				s.Str("text", "a\nb").End()
				if err := h.ForceFlush(ctx); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// TestConsole: each line is one JSON object of one signal, whoever writes.
func TestConsole(t *testing.T) {
	var out bytes.Buffer
	cfg := enabled()
	cfg.LogsEnabled, cfg.Exporter = true, "console"
	h := newHandle(t, nil, cfg, telemetry.WithConsole(&out))
	record(t, h)
	end(t, h)
	counts := map[string]int{}
	for line := range strings.Lines(out.String()) {
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &object); err != nil || len(object) != 1 {
			t.Fatalf("%v in %s", err, line)
		}
		for key := range object {
			counts[key]++
		}
	}
	if counts["resourceSpans"] == 0 || counts["resourceMetrics"] == 0 || counts["resourceLogs"] == 0 {
		t.Errorf("lines %v", counts)
	}
	if n := strings.Count(out.String(), `"stringValue":"a\nb"`); n != 160 {
		t.Errorf("%d spans", n)
	}
}

// TestConsoleBrokenPipe: the reader of standard output goes away and the process
// lives on, by the status of a child.
func TestConsoleBrokenPipe(t *testing.T) {
	cmd := child("console")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr := &bytes.Buffer{}
	cmd.Stderr = stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	_, _ = io.WriteString(in, "go\n")
	if err := cmd.Wait(); err != nil || !strings.Contains(stderr.String(), "lived on") {
		t.Errorf("%v: %s", err, stderr)
	}
}

package simulate

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// A file gives back the requests, byte for byte, in their order.
func TestWriteJSON(t *testing.T) {
	c := rich()
	c.Faults, c.NaNEvery, c.MetricEvery = []Fault{Explosion{}}, 2, 1e9
	var file bytes.Buffer
	res, err := WriteJSON(t.Context(), &file, stream(t, c))
	if err != nil {
		t.Fatal(err)
	}
	tr := otlp.NewTranscoder(otlp.JSONOptions{File: true})
	s := stream(t, c)
	lines := 0
	var items [run.SignalCount]Count
	for line := range bytes.Lines(file.Bytes()) {
		r, ok := s.Next()
		if !ok {
			t.Fatal("more lines than requests")
		}
		lines++
		back, err := tr.Transcode(line)
		if err != nil {
			t.Fatalf("line %d: %v", lines, err)
		}
		if !bytes.Equal(back[r.Signal], r.Body) {
			t.Fatalf("line %d: the %s of rank %d changed", lines, r.Signal, r.Rank)
		}
		items[r.Signal].Sent += uint64(r.Items)
		items[r.Signal].Accepted += uint64(r.Items)
	}
	if _, ok := s.Next(); ok {
		t.Error("fewer lines than requests")
	}
	if d := cmp.Diff(items, res.Signals); d != "" || res.Requests != uint64(lines) {
		t.Errorf("%d requests in %d lines, items (-want +got):\n%s", res.Requests, lines, d)
	}
}

// fullDisk takes a number of bytes.
type fullDisk struct{ room int }

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

func TestWriteJSONFails(t *testing.T) {
	for _, room := range []int{0, 100_000} {
		_, err := WriteJSON(t.Context(), &fullDisk{room}, stream(t, small()))
		if err == nil || !strings.Contains(err.Error(), "writing the file: no space left") {
			t.Errorf("room for %d bytes: %v", room, err)
		}
	}
	bad := &list{{Signal: run.Logs, Rank: 4, Body: []byte{0x0a, 0x7f}}}
	if _, err := WriteJSON(t.Context(), io.Discard, bad); err == nil || !strings.Contains(err.Error(), "logs of rank 4") {
		t.Errorf("a damaged request: %v", err)
	}
}

func TestWriteJSONEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := WriteJSON(ctx, io.Discard, stream(t, Config{})); !errors.Is(err, context.Canceled) {
		t.Errorf("an endless run: %v", err)
	}
}

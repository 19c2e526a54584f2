package record

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// slowSync is a file whose flushes wait for a gate.
type slowSync struct {
	output
	started, gate chan struct{}
}

func (s *slowSync) Sync() error {
	select {
	case s.started <- struct{}{}:
		<-s.gate
	case <-s.gate: // for good
	}
	return s.output.Sync()
}

// storeOf is a store that read sources.
func storeOf(t *testing.T, sources ...Source) *store.Snapshot {
	t.Helper()
	st := store.New(store.Config{Files: true})
	for _, src := range sources {
		if _, err := Import(context.Background(), src, func(b *otlp.Batch, r run.Receipt) error {
			_, err := st.Put(context.Background(), b, r)
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return st.Snapshot()
}

// datedRequests is a request of each signal whose items have times.
func datedRequests(t *testing.T) []sent {
	t.Helper()
	lines := []string{
		trace("a"),
		`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"m","gauge":{"dataPoints":[{"timeUnixNano":"1700000000000000000","asInt":"1"},{"timeUnixNano":"1700000001000000000","asInt":"1"}]}}]}]}]}`,
		`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1700000000000000001","severityNumber":9}]}]}]}`,
	}
	var out []sent
	for i, line := range lines {
		out = append(out, sent{Signal: run.Signal(i), At: int64(1e18), Sender: "10.0.0.1", Raw: string(wireOf(t, run.Signal(i), line))})
	}
	return out
}

// A request whose sender did not wait for the flush is on the disk and not
// acknowledged: the sender sends it again, and it is there twice. Whoever reads the
// recording sees it once, as the receiver did.
func TestRetryAfterAFlushThatTookTooLong(t *testing.T) {
	dir := t.TempDir()
	slow := &slowSync{started: make(chan struct{}), gate: make(chan struct{})}
	o := Options{Dir: dir, Sync: true}
	o.create = func(n uint32) (output, error) {
		out, err := folder{dir, false}.create(n)
		slow.output = out
		return slow, err
	}
	st := store.New(store.Config{})
	tee := NewTee(st)
	go func() { <-slow.started; slow.gate <- struct{}{} }() // the header
	if err := tee.Start(o); err != nil {
		t.Fatal(err)
	}
	all := datedRequests(t)
	put := func(ctx context.Context, s sent) error {
		var b otlp.Batch
		if err := b.Decode(s.Signal, []byte(s.Raw)); err != nil {
			t.Fatal(err)
		}
		_, err := tee.Put(ctx, &b, s.receipt())
		return err
	}
	for _, s := range all {
		ctx, cancel := context.WithCancel(context.Background())
		go func() { <-slow.started; cancel() }()
		if err := put(ctx, s); !errors.Is(err, run.ErrBusy) {
			t.Fatalf("%s: %v", s.Signal, err)
		}
		slow.gate <- struct{}{}
	}
	close(slow.gate)
	for _, s := range all {
		s.At += int64(10 * time.Second)
		if err := put(context.Background(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := tee.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	live := st.Snapshot().Accounts
	if diff := cmp.Diff([run.SignalCount]run.Account{{Received: 1, Kept: 1}, {Received: 2, Kept: 2}, {Received: 1, Kept: 1}}, live); diff != "" {
		t.Error(diff)
	}
	again := [run.SignalCount]run.Account{{Received: 2, Kept: 1, Duplicates: 1}, {Received: 4, Kept: 2, Duplicates: 2}, {Received: 2, Kept: 1, Duplicates: 1}}
	sources, err := Sources([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(again, storeOf(t, sources...).Accounts); diff != "" {
		t.Error("opened:", diff)
	}
	var lines bytes.Buffer
	for _, src := range sources {
		if _, err := Export(context.Background(), &lines, src); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(again, storeOf(t, fromBytes(lines.Bytes())).Accounts); diff != "" {
		t.Error("exported:", diff)
	}
}

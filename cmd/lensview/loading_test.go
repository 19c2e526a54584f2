package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui"
)

func TestProgress(t *testing.T) {
	tests := []struct {
		in   run.Loading
		want string
	}{
		{run.Loading{Path: "a.rec", File: 1, Files: 2, Done: 25, Total: 100, Items: 500, Elapsed: time.Second},
			"reading a.rec (file 1 of 2): 25 % [#####---------------], 500 items/s, 3s left"},
		{run.Loading{Path: "fifo", File: 1, Files: 1, Done: 3 << 20, Items: 10, Elapsed: 2 * time.Second},
			"reading fifo (file 1 of 1): 3.0 MiB, 5 items/s"},
		{run.Loading{Path: "a", File: 1, Files: 1, Total: 9}, "reading a (file 1 of 1): 0 % [--------------------], 0 items/s"},
	}
	for _, tt := range tests {
		if got := progress(&tt.in); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// fileSession is a session over files without screens.
func fileSession(t *testing.T, files bool) *session {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	s := &session{guard: ui.NewGuard(ctx)}
	s.store = newNoted(store.Config{Files: files, Receiver: s.receiver})
	s.tee = record.NewTee(s.store.Store)
	return s
}

// The progress is in the snapshots while there is some; the end of it too.
func TestLoadingIsShown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte(tr(res(0), sp("00000000000000a1", "", "train", 0, 1))+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	sources, err := record.Sources([]string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := fileSession(t, true)
	s.loading(record.NewMeter(sources, time.Now))
	snap := s.store.Snapshot()
	if snap.Loading == nil || snap.Loading.Files != 1 || len(snap.Notices) != 1 || snap.Notices[0].Code != "loading" {
		t.Errorf("%+v, %+v", snap.Loading, snap.Notices)
	}
	s.read(sources)
	snap = s.store.Snapshot()
	if snap.Loading != nil || len(snap.Notices) != 0 || snap.Accounts[run.Traces].Kept != 1 || snap.Version != s.store.Version() {
		t.Errorf("%+v, %+v", snap.Loading, snap.Notices)
	}
}

func TestLoadingIsStopped(t *testing.T) {
	if (*loading)(nil).stopper() != nil {
		t.Error("without files there is nothing to stop")
	}
	s := fileSession(t, true)
	sources := []record.Source{{Path: "endless", Input: endless{}}}
	s.loading(record.NewMeter(sources, time.Now))
	done := make(chan struct{})
	go func() { s.read(sources); close(done) }()
	for s.store.Snapshot().Accounts[run.Traces].Received == 0 {
		time.Sleep(time.Millisecond)
	}
	s.load.stopper()()
	<-done
	n := s.store.Snapshot().Notices
	if len(n) == 0 || !strings.Contains(n[len(n)-1].Text, "what is shown is not all") {
		t.Errorf("%+v", n)
	}
}

// endless is a file without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	return copy(p, tr(res(0), sp("00000000000000a1", "", "train", 0, 1))+"\n"), nil
}

// A followed recording keeps its receive times, and silence goes on counting from
// them.
func TestFollowShowsSilence(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rec")
	tee := record.NewTee(passing{})
	if err := tee.Start(record.Options{Dir: dir, Sync: true}); err != nil {
		t.Fatal(err)
	}
	s := fileSession(t, false)
	s.follow([]string{dir}, 0)
	long := time.Now().Add(-time.Hour)
	put(t, tee, long, tr(res(0), sp("00000000000000a1", "", "train", 0, 1)))
	var snap *store.Snapshot
	for snap = s.store.Snapshot(); len(snap.Runs) == 0; snap = s.store.Snapshot() {
		time.Sleep(time.Millisecond)
	}
	if snap.Runs[0].Last != long.UnixNano() || time.Since(time.Unix(0, snap.Now)) > time.Minute || snap.Clock != store.ReceiverClock {
		t.Errorf("last %v, now %v", time.Unix(0, snap.Runs[0].Last), time.Unix(0, snap.Now))
	}
	for snap.Loading == nil || !snap.Loading.Following {
		time.Sleep(time.Millisecond)
		snap = s.store.Snapshot()
	}
	put(t, tee, time.Now(), tr(res(1), sp("00000000000000a2", "", "train", 0, 1)))
	for s.store.Snapshot().Accounts[run.Traces].Received < 2 {
		time.Sleep(time.Millisecond)
	}
	if err := tee.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	s.load.stopper()()
	if n := s.store.Snapshot().Notices; len(n) > 1 {
		t.Errorf("%+v", n)
	}
}

// put sends a request, as JSON, through a sink.
func put(t *testing.T, tee *record.Tee, at time.Time, line string) {
	t.Helper()
	b := decodedLine(t, line)
	if _, err := tee.Put(context.Background(), b, run.Receipt{At: at.UnixNano(), Sender: "10.0.0.1:5", Raw: []byte(line), JSON: true}); err != nil {
		t.Fatal(err)
	}
}

func decodedLine(t *testing.T, line string) *otlp.Batch {
	t.Helper()
	b := new(otlp.Batch)
	if err := b.DecodeJSON(run.Traces, []byte(line), otlp.JSONOptions{}); err != nil {
		t.Fatal(err)
	}
	return b
}

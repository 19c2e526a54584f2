package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// recorderProcess is 'lensview record' in a process of its own.
type recorderProcess struct {
	t     *testing.T
	cmd   *exec.Cmd
	out   *bufio.Reader
	http  string
	grpc  string // "" when off
	state string
}

func startRecorder(t *testing.T, args ...string) *recorderProcess {
	t.Helper()
	p := &recorderProcess{t: t, state: t.TempDir()}
	p.cmd = exec.Command(os.Args[0], append([]string{"record", "--listen", "off", "--http-listen", "127.0.0.1:0"}, args...)...)
	p.cmd.Env = append(os.Environ(), asCommand+"=1", "XDG_STATE_HOME="+p.state)
	p.cmd.Stderr = new(bytes.Buffer)
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	p.out = bufio.NewReader(out)
	for p.http == "" {
		line, err := p.out.ReadString('\n')
		if err != nil {
			t.Fatalf("it says nothing of where it listens: %v", err)
		}
		if addr, ok := strings.CutPrefix(line, "HTTP on "); ok {
			p.http = strings.TrimSpace(addr)
		}
		if addr, ok := strings.CutPrefix(line, "gRPC on "); ok {
			p.grpc = strings.TrimSpace(addr)
		}
	}
	return p
}

func (p *recorderProcess) post(body string) int {
	p.t.Helper()
	resp, err := http.Post("http://"+p.http+"/v1/traces", "application/json", strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	return resp.StatusCode
}

// end sends a signal and gives the rest of what it says.
func (p *recorderProcess) end(sig os.Signal) string {
	p.t.Helper()
	if err := p.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.t.Fatal(err)
	}
	rest, _ := io.ReadAll(p.out)
	if err := p.cmd.Wait(); err != nil {
		p.t.Errorf("after %v: %v", sig, err)
	}
	return string(rest)
}

// Headless recording ends in order at SIGTERM and SIGINT, and not when the
// connection drops; a later one goes on in the same directory. No token is in it.
func TestRecordCommand(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rec")
	body := tr(res(0), sp("00000000000000a1", "", "train", 0, 1))
	for i, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		p := startRecorder(t, "--sync", []string{"", "ack"}[i], dir)
		if code := p.post(body); code != http.StatusOK {
			t.Errorf("answer %d", code)
		}
		if err := p.cmd.Process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		if code := p.post(body); code != http.StatusOK {
			t.Errorf("answer %d after a hangup", code)
		}
		if said := p.end(sig); !strings.Contains(said, "recorded 2 spans, 0 points, 0 logs in 2 requests") {
			t.Errorf("it says %q", said)
		}
		noToken(t, p.state, dir)
	}
	snap, sources, err := readAll(context.Background(), env{}, store.Config{Files: true}, []string{dir})
	if err != nil || len(sources) != 2 || sources[0].Format != record.Recording {
		t.Fatalf("%+v, %v", sources, err)
	}
	a := snap.Accounts[run.Traces]
	if a.Received != 4 || a.Kept != 1 || snap.Clock != store.ReceiverClock || time.Since(time.Unix(0, snap.Now)) > time.Hour {
		t.Errorf("%+v, clock %v, now %v", a, snap.Clock, time.Unix(0, snap.Now))
	}
}

// timeout(1) signals its command and then the whole group: the second signal does not
// cut short what the first has begun.
func TestRecordEndsInOrderAtTwoSignals(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rec")
	p := startRecorder(t, dir)
	if code := p.post(tr(res(0), sp("00000000000000a1", "", "train", 0, 1))); code != http.StatusOK {
		t.Errorf("answer %d", code)
	}
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if said := p.end(syscall.SIGTERM); !strings.Contains(said, "recorded 1 spans") {
		t.Errorf("it says %q", said)
	}
}

// noToken looks for the token of the receiver in a recording.
func noToken(t *testing.T, state, dir string) {
	t.Helper()
	var token []byte
	_ = filepath.WalkDir(state, func(path string, d os.DirEntry, _ error) error {
		if b, err := os.ReadFile(path); err == nil && strings.Contains(d.Name(), "token") {
			token = bytes.TrimSpace(b)
		}
		return nil
	})
	if len(token) < 32 {
		t.Fatalf("no token was made below %s", state)
	}
	all, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, path := range all {
		if b, err := os.ReadFile(path); err != nil || bytes.Contains(b, token) {
			t.Errorf("%s holds the token (%v)", path, err)
		}
	}
}

func TestRecordErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		args []string
		code int
		word string
	}{
		"no directory":  {nil, exitUsage, "needs one DIR"},
		"a file":        {[]string{file}, exitFailed, "not a directory"},
		"unknown sync":  {[]string{"--sync", "always", t.TempDir()}, exitUsage, "there is ack"},
		"too little":    {[]string{"--keep", "1GB", "--keep", "512", t.TempDir()}, exitUsage, "--keep 512: at least 64MiB"},
		"a bad address": {[]string{"--listen", "bad host", filepath.Join(t.TempDir(), "r")}, exitFailed, "bad host"},
	}
	for name, tt := range tests {
		var stderr bytes.Buffer
		e := env{stdin: strings.NewReader(""), stdout: io.Discard, stderr: &stderr, getenv: func(string) string { return t.TempDir() }}
		code := execute(append([]string{"record"}, tt.args...), e)
		if code != tt.code || !strings.Contains(stderr.String(), tt.word) {
			t.Errorf("%s: exit %d, %q", name, code, stderr.String())
		}
	}
}

// A session can be recorded from the start or for a while, and says what of it is
// recorded nowhere.
func TestSessionRecording(t *testing.T) {
	s := &session{sole: true, store: newNoted(store.Config{Receiver: func() run.Receiver { return run.Receiver{} }})}
	s.tee = record.NewTee(s.store.Store)
	s.store.also = append(s.store.also, recording{s.tee})
	s.server.Store(&receivers{})
	toggle := s.recorder()
	dir := filepath.Join(t.TempDir(), "rec")
	var b otlp.Batch
	if err := b.DecodeJSON(run.Traces, []byte(tr(res(0), sp("00000000000000a1", "", "train", 0, 1))), otlp.JSONOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.tee.Put(context.Background(), &b, run.Receipt{Sender: "s"}); err != nil {
		t.Fatal(err)
	}
	before := s.store.Version()
	said, err := toggle(dir)
	if err != nil || said != "recording to "+dir+" from now on: what was received before is not in it, 1 item ('lensview --record DIR' has all)" {
		t.Fatalf("%q, %v", said, err)
	}
	snap := s.store.Snapshot()
	if snap.Recording == nil || snap.Recording.Dir != dir || s.store.Version() == before || snap.Version != s.store.Version() {
		t.Errorf("%+v, version %d after %d", snap.Recording, snap.Version, before)
	}
	if s.recorded(snap) {
		t.Error("what came before the recording is not in it")
	}
	one := &store.Snapshot{}
	one.Accounts[run.Traces].Kept = 1
	if got := s.loss(one, "R"); !strings.Contains(got, "Not all") {
		t.Errorf("with a recording that began late: %q", got)
	}
	said, err = toggle("")
	if err != nil || said != "recording stopped: "+dir+": recorded 0 spans, 0 points, 0 logs in 0 requests, "+byteCount(sizeOf(t, dir)) {
		t.Errorf("%q, %v", said, err)
	}
	if s.store.Snapshot().Recording != nil {
		t.Error("the recording does not end")
	}
	if err := s.record(recordOptions{dir: dir}); err != nil || !s.recorded(one) {
		t.Errorf("from the start: %v", err)
	}
	if got := s.loss(one, "R"); got != "" {
		t.Errorf("of what is all recorded: %q", got)
	}
	if _, err := toggle(""); err != nil {
		t.Errorf("stop: %v", err)
	}
	if got := s.loss(s.store.Snapshot(), "R"); got != "" {
		t.Errorf("all that came was recorded, and the recording was stopped: %q", got)
	}
	if _, err := s.tee.Put(context.Background(), &b, run.Receipt{Sender: "s"}); err != nil {
		t.Fatal(err)
	}
	if got := s.loss(s.store.Snapshot(), "R"); !strings.Contains(got, "was stopped") || !strings.Contains(got, "R records") {
		t.Errorf("more came after the recording was stopped: %q", got)
	}
	if _, err := toggle(dir); err != nil || s.recorded(s.store.Snapshot()) {
		t.Errorf("what came while nothing was recorded counts as recorded: %v", err)
	}
	if err := stopRecording(s.tee); err != nil {
		t.Error(err)
	}
}

// A recording that begins when the first request has yet to come has all, and
// goes by the flags.
func TestSessionRecordingOfAll(t *testing.T) {
	s := &session{sole: true, store: newNoted(store.Config{Receiver: func() run.Receiver { return run.Receiver{} }})}
	s.tee = record.NewTee(s.store.Store)
	s.server.Store(&receivers{})
	if err := s.record(recordOptions{sync: "ack", keep: leastKept}); err != nil || s.recorded(s.store.Snapshot()) {
		t.Fatalf("nothing is recorded yet: %v", err)
	}
	dir := filepath.Join(t.TempDir(), "rec")
	if said, err := s.recorder()(dir); err != nil || said != "recording to "+dir+" from now on" || !s.recorded(s.store.Snapshot()) {
		t.Errorf("%q, %v", said, err)
	}
	if state, on := s.tee.Status(); !on || !state.Sync {
		t.Errorf("%+v", state)
	}
	if err := stopRecording(s.tee); err != nil {
		t.Error(err)
	}
}

func sizeOf(t *testing.T, dir string) (n int64) {
	t.Helper()
	all, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, path := range all {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		n += info.Size()
	}
	return n
}

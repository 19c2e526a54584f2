package ingest

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"go.uber.org/goleak"
)

// Both protocols go over one socket, which its user alone reaches.
func TestUnixSocket(t *testing.T) {
	path := filepath.Join(filepath.Dir(socketPath(t)), "new", "s")
	m := new(memory)
	s := start(t, Config{GRPC: Off, HTTP: Off, Unix: path}, m)
	for p, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Lstat(p); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", p, info.Mode(), err)
		}
	}
	w := ways(t)[2]
	cc := w.dial(t, s)
	for range 3 {
		if _, err := call(t, cc, exportTraces, marshal(t, traces(span(0)))); err != nil {
			t.Fatal(err)
		}
		if got := w.post(t, s, "/v1/logs", marshal(t, logs("a")), "Content-Type", typeProto); got.status != 200 {
			t.Fatal(got.status)
		}
	}
	if m.count(run.Traces) != 3 || m.count(run.Logs) != 3 || m.last(t).Sender != "local" {
		t.Errorf("stored %v from %q", m.items, m.last(t).Sender)
	}
	if got := w.request(t, s, "GET", "/", nil); got.status != 200 {
		t.Errorf("hello: %d", got.status)
	}
}

// Something else in the socket's place is not touched.
func TestUnixSocketPlaces(t *testing.T) {
	base := filepath.Dir(socketPath(t))
	at := func(name string) string { return filepath.Join(base, name) }
	open := at("open")
	used, err := net.Listen("unix", at("used"))
	if err != nil {
		t.Fatal(err)
	}
	defer used.Close()
	if err := errors.Join(os.WriteFile(at("file"), []byte("kept"), 0o600), os.Symlink(at("file"), at("link")),
		os.Mkdir(open, 0o700), os.Chmod(open, 0o755), os.Symlink(base, at("dirlink"))); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		at("file"): "no socket", at("link"): "no socket", at("used"): "another receiver", filepath.Join(open, "s"): "others can reach",
		"relative/s": "absolute", "@abstract": "absolute", at(strings.Repeat("x", 200)): "shorter", at("dirlink/s"): "symbolic link", at("file/s"): "not a directory",
	} {
		s, err := Start(context.Background(), Config{GRPC: Off, HTTP: Off, Unix: path}, new(memory))
		if s != nil || err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--unix") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if b, _ := os.ReadFile(at("file")); string(b) != "kept" {
		t.Error("a file was overwritten")
	}
	if info, _ := os.Stat(open); info.Mode().Perm() != 0o755 {
		t.Error("a directory of other use was changed")
	}
}

// A socket that a receiver left behind when it was killed is no obstacle.
func TestUnixSocketLeftBehind(t *testing.T) {
	path := socketPath(t)
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	s := start(t, Config{GRPC: Off, HTTP: Off, Unix: path}, new(memory))
	if got := ways(t)[2].post(t, s, "/v1/traces", nil, "Content-Type", typeProto); got.status != 200 {
		t.Error(got.status)
	}
}

// The end of the receiver waits for nobody who never says anything.
func TestUnixSocketStops(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	path := socketPath(t)
	s, err := Start(context.Background(), Config{GRPC: "127.0.0.1:0", HTTP: Off, Unix: path}, new(memory))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
	}
	until(func() bool { return s.Stats().Conns == 3 })
	stop(t, s)
	if _, err := os.Lstat(path); err == nil {
		t.Error("the socket is left behind")
	}
	if n := s.Stats().Notices; len(n) > 0 {
		t.Errorf("notices %+v", n)
	}
}

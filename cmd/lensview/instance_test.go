package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/ingest/private"
)

func hostname(t *testing.T) string {
	t.Helper()
	h, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// ended is the id of a process that is no more.
func ended(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("true")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

func TestInstances(t *testing.T) {
	state, host, self := t.TempDir(), hostname(t), os.Getpid()
	for _, i := range []instance{
		{Host: host, PID: self, Started: 100, GRPC: "127.0.0.1:1"},
		{Host: host, PID: os.Getppid(), Started: 200},
		{Host: host, PID: ended(t), Started: 300},
		{Host: "elsewhere.invalid", PID: 1, Started: 400, GRPC: "127.0.0.1:1", Names: []string{"elsewhere.invalid"}},
	} {
		if _, err := i.write(state); err != nil {
			t.Fatal(err)
		}
	}
	all, err := instances(state, host)
	if err != nil {
		t.Fatal(err)
	}
	var started []int64
	for _, i := range all {
		started = append(started, i.Started)
	}
	if d := cmp.Diff([]int64{200, 100}, started); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	left, _ := filepath.Glob(filepath.Join(instancesDir(state), "*.json"))
	if len(left) != 3 { // that of another host is not ours to remove
		t.Errorf("files %v", left)
	}
	for want, id := range map[string]int{"": os.Getppid(), host: os.Getppid(), all[1].id(): self} {
		if i, err := pick(all, want); err != nil || i.PID != id {
			t.Errorf("%q: %v, %v", want, i.PID, err)
		}
	}
	if _, err := pick(all, "none"); err == nil || !strings.Contains(err.Error(), all[0].id()) {
		t.Errorf("%v", err)
	}
}

// The file is there while the receiver runs, private, without the token.
func TestReceiverIsKnownWhileItRuns(t *testing.T) {
	state := t.TempDir()
	var o liveOptions
	o.grpc, o.http, o.decoder, o.known, o.unix = "127.0.0.1:0", "off", "fast", true, "auto"
	e := env{getenv: func(name string) string { return map[string]string{"XDG_STATE_HOME": state}[name] }}
	r, err := receive(t.Context(), e, o, newCounted())
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob(filepath.Join(state, "lensview", "instances", "*.json"))
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	b, err := private.Read(files[0]) // which checks mode and owner
	token, terr := private.Token(filepath.Join(state, "lensview"))
	if err != nil || terr != nil || strings.Contains(string(b), token) {
		t.Errorf("%s, %v, %v", b, err, terr)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := r.Stop(ctx); err != nil {
		t.Error(err)
	}
	for _, gone := range []string{files[0], r.socket} {
		if _, err := os.Lstat(gone); err == nil {
			t.Errorf("%s is left behind", gone)
		}
	}
}

// A home that cannot be written is no reason not to receive over loopback, and
// one not to receive from other hosts.
func TestWithoutAState(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e := env{getenv: func(name string) string { return map[string]string{"XDG_STATE_HOME": file}[name] }}
	o := liveOptions{grpc: "127.0.0.1:0", http: "off", decoder: "fast", known: true}
	r, err := receive(t.Context(), e, o, newCounted())
	if err != nil {
		t.Fatal(err)
	}
	defer r.Stop(t.Context())
	if len(r.notices) != 1 || r.notices[0].Code != "no-state" {
		t.Errorf("notices %+v", r.notices)
	}
	o.grpc = "0.0.0.0:0"
	if _, err := receive(t.Context(), e, o, newCounted()); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("beyond loopback: %v", err)
	}
	o.noAuth, o.plaintext = true, true
	open, err := receive(t.Context(), e, o, newCounted())
	if err != nil {
		t.Fatal(err)
	}
	open.Stop(t.Context())
}

func TestHostNames(t *testing.T) {
	names, err := hostNames(t.Context(), []string{"login1-ib", "[2001:db8::1]"}, "login1", "10.9.8.7", "0.0.0.0", "", "localhost")
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"login1-ib", "2001:db8::1", "10.9.8.7", "login1"}, names[:4]); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	for _, n := range []string{"127.0.0.1", "::1"} {
		if !slices.Contains(names, n) {
			t.Errorf("no %s in %v", n, names)
		}
	}
	if d := cmp.Diff(distinct(names), names); d != "" {
		t.Errorf("repeated: %s", d)
	}
	for _, bad := range []string{"", "a b", "x\x1b[2J", "http://x", "lo"} {
		if _, err := hostNames(t.Context(), []string{bad}, "h"); err == nil || strings.ContainsAny(err.Error(), "\x1b") {
			t.Errorf("--advertise %q: %v", bad, err)
		}
	}
}

// One that was killed on another host left its file, and another has its address now.
func TestReplacedInstances(t *testing.T) {
	all := []instance{
		{Host: "here", PID: 1, GRPC: "127.0.0.1:4317"}, {Host: "here", PID: 2, GRPC: "127.0.0.1:4317"}, // who lives here is known otherwise
		{Host: "login1", PID: 3, GRPC: "0.0.0.0:4317"}, {Host: "login2", PID: 4, GRPC: "0.0.0.0:4317"},
		{Host: "login1", PID: 5, GRPC: "0.0.0.0:5317"}, {Host: "login1", PID: 6, GRPC: "0.0.0.0:4317", HTTP: "0.0.0.0:4318"},
	}
	got := withoutReplaced(all, "here")
	if d := cmp.Diff(all[:5], got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

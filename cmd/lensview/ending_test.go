package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui"
)

func TestEnding(t *testing.T) {
	stopped, cancel := context.WithCancelCause(context.Background())
	cancel(&ui.SignalError{Signal: syscall.SIGTERM})
	crash := &ui.CrashError{Value: "index \x1b[2J out of range", Stack: []byte("goroutine 7:\n\tfile.go:3\n")}
	tests := []struct {
		name string
		ctx  context.Context
		err  error
		code int
		want string
	}{
		{"well", context.Background(), nil, 0, ""},
		{"with a code", context.Background(), exitError(143), 143, ""},
		{"failed", context.Background(), errors.New("a\nb\x1b[31m\u202e\u2028"), 1, "lensview: a b^[[31m<202E><2028>\n"},
		{"used wrongly", context.Background(), fmt.Errorf("x: %w", usageError{errors.New("y")}), 2, "lensview: x: y\n"},
		{"stopped", stopped, fmt.Errorf("import f: %w", context.Canceled), 143, "lensview: ended by signal: terminated\n"},
		{"failed although stopped", stopped, errors.New("disk full"), 1, "lensview: disk full\n"},
		{"crashed", context.Background(), fmt.Errorf("show: %w", crash), 1, "lensview: a fault in lensview itself ended it; please report this:\n" +
			"panic: index ^[[2J out of range\n\ngoroutine 7:\n    file.go:3\n"},
	}
	for _, tt := range tests {
		var errs bytes.Buffer
		if code := ending(tt.ctx, env{stderr: &errs}, tt.err); code != tt.code || errs.String() != tt.want {
			t.Errorf("%s: exit %d, %q; want %d, %q", tt.name, code, errs.String(), tt.code, tt.want)
		}
	}
}

// A signal ends commands that would wait for ever, with the exit code that shells
// expect and one line.
func TestSignalsEndPlainCommands(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip(err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		for _, args := range [][]string{
			{"report", "-"}, {"report", "-", "/dev/zero"}, {"export", "-", "/dev/zero"}, {"report", "-", pipe},
		} {
			cmd := exec.Command(os.Args[0], args...)
			cmd.Env = append(os.Environ(), asCommand+"=1")
			signalled(t, cmd, sig, len(args) > 2)
		}
	}
}

// signalled starts a command that reads its standard input first, signals it and
// looks at its end. A command that has read more than fits in a pipe listens to
// signals.
func signalled(t *testing.T, cmd *exec.Cmd, sig syscall.Signal, more bool) {
	t.Helper()
	var errs bytes.Buffer
	cmd.Stderr = &errs
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdin.Write(bytes.Repeat([]byte("\n"), 4<<20)); err != nil {
		t.Fatal(err)
	}
	if more { // go on to the next source
		stdin.Close()
	}
	if err := cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the exit code says it
	if code := cmd.ProcessState.ExitCode(); code != 128+int(sig) || errs.String() != "lensview: ended by signal: "+sig.String()+"\n" {
		t.Errorf("%q after %v: exit %d, %q", cmd.Args[1:], sig, code, errs.String())
	}
}

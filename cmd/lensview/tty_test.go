//go:build linux || darwin

package main

import (
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// tty is lensview in a pseudo terminal, with all it ever wrote.
type tty struct {
	*uitest.Terminal
	t     *testing.T
	cmd   *exec.Cmd
	pty   *os.File
	line  *os.File // the side of lensview, to look at its modes
	modes *term.State
}

func inTerminal(t *testing.T, vars []string, args ...string) *tty {
	t.Helper()
	p, line, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo terminal here: %v", err)
	}
	_ = pty.Setsize(p, &pty.Winsize{Rows: 24, Cols: 80})
	modes, err := term.GetState(line.Fd())
	if err != nil {
		t.Fatal(err)
	}
	w := &tty{t: t, pty: p, line: line, modes: modes}
	w.cmd = exec.Command(os.Args[0], args...)
	w.cmd.Env = append(append(os.Environ(), asCommand+"=1", "TERM=xterm-256color", "LANG=C.UTF-8", "HOME="+t.TempDir(), "XDG_STATE_HOME=", "XDG_CONFIG_HOME="), vars...)
	w.cmd.Dir = t.TempDir()
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = line, line, line
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Terminal = uitest.Watch(t, p)
	t.Cleanup(func() { _ = w.cmd.Process.Kill(); p.Close(); line.Close() })
	return w
}

// end waits for the process, and checks that the terminal is as it was.
func (w *tty) end() int {
	w.t.Helper()
	kill := time.AfterFunc(30*time.Second, func() { _ = w.cmd.Process.Kill() })
	defer kill.Stop()
	_ = w.cmd.Wait() // the exit code says it
	modes, err := term.GetState(w.line.Fd())
	if err != nil {
		w.t.Fatal(err)
	}
	if d := cmp.Diff(w.modes, modes, cmp.Exporter(func(reflect.Type) bool { return true })); d != "" {
		w.t.Errorf("terminal modes (-before +after):\n%s", d)
	}
	return w.cmd.ProcessState.ExitCode()
}

var free = []string{"--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0"}

// Whatever libraries have to say, nothing but the renderer writes to the terminal;
// it is read on Ingest.
func TestNothingButTheRendererWrites(t *testing.T) {
	w := inTerminal(t, []string{withStray + "=1"}, free...)
	at := w.Await(0, "Nothing has arrived yet")
	start := strings.Index(w.Output(), "\x1b[?1049h")
	w.Press("i\t\t")
	at = w.Await(at, "a library says: ")
	w.Press("q")
	w.Await(at, "\x1b[?1049l")
	if code := w.end(); code != 0 {
		t.Errorf("exit %d", code)
	}
	out := w.Output()[start:]
	out = out[:strings.LastIndex(out, "\x1b[?1049l")]
	for _, raw := range regexp.MustCompile(`.{0,40}stray.{0,10}`).FindAllString(out, -1) {
		if !strings.Contains(raw, "says: ") && !strings.Contains(raw, "grpc") {
			t.Errorf("written past the renderer: %q", raw)
		}
	}
	if strings.Contains(out, "ERROR: ") || regexp.MustCompile(`(^|[^ ])\d{4}/\d\d/\d\d \d\d:\d\d:\d\d `).MatchString(out) {
		t.Errorf("lines of a logger are on the terminal: %q", out)
	}
}

// Signals end lensview with the terminal as it was, whatever it is doing.
func TestSignalsRestoreTheTerminal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		w := inTerminal(t, nil, append([]string{"demo"}, "--no-mouse")...)
		w.Await(0, "demo")
		_ = w.cmd.Process.Signal(sig)
		if code := w.end(); code != 128+int(sig) {
			t.Errorf("%v: exit %d", sig, code)
		}
		w.Await(strings.LastIndex(w.Output(), "\x1b[?1049h"), "\x1b[?1049l")
	}
}

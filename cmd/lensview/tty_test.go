//go:build linux || darwin

package main

import (
	"bytes"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
)

// tty is lensview in a pseudo terminal, with all it ever wrote.
type tty struct {
	t     *testing.T
	cmd   *exec.Cmd
	pty   *os.File
	line  *os.File // the side of lensview, to look at its modes
	modes *term.State
	mu    sync.Mutex
	out   bytes.Buffer
	news  chan struct{}
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
	w := &tty{t: t, pty: p, line: line, modes: modes, news: make(chan struct{}, 1)}
	w.cmd = exec.Command(os.Args[0], args...)
	w.cmd.Env = append(append(os.Environ(), asCommand+"=1", "TERM=xterm-256color", "LANG=C.UTF-8", "HOME="+t.TempDir(), "XDG_STATE_HOME=", "XDG_CONFIG_HOME="), vars...)
	w.cmd.Dir = t.TempDir()
	w.cmd.Stdin, w.cmd.Stdout, w.cmd.Stderr = line, line, line
	w.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go w.read()
	t.Cleanup(func() { _ = w.cmd.Process.Kill(); p.Close(); line.Close() })
	return w
}

func (w *tty) read() {
	buf := make([]byte, 4096)
	for {
		n, err := w.pty.Read(buf)
		w.mu.Lock()
		w.out.Write(buf[:n])
		w.mu.Unlock()
		select {
		case w.news <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

func (w *tty) output() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.String()
}

// await waits until what was written since a place holds text, and returns the
// place behind it.
func (w *tty) await(from int, text string) int {
	w.t.Helper()
	limit := time.After(30 * time.Second)
	for {
		out := w.output()
		if i := strings.Index(out[from:], text); i >= 0 {
			return from + i + len(text)
		}
		select {
		case <-w.news:
		case <-limit:
			w.t.Fatalf("%q never came; got %q", text, out[from:])
		}
	}
}

func (w *tty) press(keys string) {
	w.t.Helper()
	if _, err := w.pty.WriteString(keys); err != nil {
		w.t.Fatal(err)
	}
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
	at := w.await(0, "Nothing has arrived yet")
	start := strings.Index(w.output(), "\x1b[?1049h")
	w.press("i\t\t")
	at = w.await(at, "a library says: ")
	w.press("q")
	w.await(at, "\x1b[?1049l")
	if code := w.end(); code != 0 {
		t.Errorf("exit %d", code)
	}
	out := w.output()[start:]
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
		w.await(0, "demo")
		_ = w.cmd.Process.Signal(sig)
		if code := w.end(); code != 128+int(sig) {
			t.Errorf("%v: exit %d", sig, code)
		}
		w.await(strings.LastIndex(w.output(), "\x1b[?1049h"), "\x1b[?1049l")
	}
}

//go:build linux || darwin

package ui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/earlyterm"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// The test binary is the program as well: with the switch set it runs one screen
// that panics in different places at different keys.
const asProgram = "LENSVIEW_UI_TEST"

func TestMain(m *testing.M) {
	earlyterm.Restore()
	if os.Getenv(asProgram) != "" {
		os.Exit(bombs())
	}
	os.Exit(m.Run())
}

func bombs() int {
	g := NewGuard(context.Background())
	out := NewScreen(os.Stdout, NoMultiplexer)
	app, err := New(Options{Theme: theme.New(theme.Options{}), Source: &source{snap: &store.Snapshot{}}, Copy: out.Copy,
		Screens: []Entry{{screen.Runs, &bomb{guard: g}}}})
	if err == nil {
		err = Run(app, g, Terminal{In: os.Stdin, Out: out, Mouse: true})
	}
	var sig *SignalError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &sig):
		fmt.Fprintln(os.Stderr, err)
		return 128 + int(sig.Signal)
	}
	fmt.Fprintln(os.Stderr, err)
	return 2
}

// bomb is a screen that panics where its key says.
type bomb struct {
	guard  *Guard
	inView bool
	width  int
	height int
}

func (b *bomb) ShortHelp() []key.Binding    { return nil }
func (b *bomb) FullHelp() [][]key.Binding   { return nil }
func (b *bomb) Title() string               { return "ready" }
func (b *bomb) SetSize(width, height int)   { b.width, b.height = width, height }
func (b *bomb) SetData(screen.Data) tea.Cmd { return nil }
func (b *bomb) Capturing() bool             { return false }
func (b *bomb) CopyText() string            { return "copied text" }

func (b *bomb) Update(msg tea.Msg) tea.Cmd {
	k, _ := msg.(tea.KeyMsg)
	switch k.String() {
	case "v":
		b.inView = true
	case "u":
		panic("boom in update")
	case "c":
		return func() tea.Msg { panic("boom in command") }
	case "b":
		return tea.Batch(func() tea.Msg { return nil }, func() tea.Msg { panic("boom in batch") })
	case "g":
		b.guard.Go(func() { panic("boom in goroutine") })
	}
	return nil
}

func (b *bomb) View() string {
	if b.inView {
		panic("boom in view")
	}
	return strings.Repeat(strings.Repeat(" ", b.width)+"\n", max(0, b.height-1))
}

// session is the program in a pseudo terminal.
type session struct {
	*uitest.Terminal
	t   *testing.T
	cmd *exec.Cmd
	tty *os.File // its side, kept open to look at its modes
	was string   // its modes before the program
	pty *os.File
}

func begin(t *testing.T, name string, args ...string) *session {
	t.Helper()
	p, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no pseudo terminal here: %v", err)
	}
	_ = pty.Setsize(p, &pty.Winsize{Rows: 24, Cols: 80})
	s := &session{t: t, pty: p, tty: tty, was: modes(t, tty)}
	s.cmd = exec.Command(name, args...)
	s.cmd.Env = append(os.Environ(), asProgram+"=1", "TERM=xterm-256color")
	s.cmd.Stdin, s.cmd.Stdout, s.cmd.Stderr = tty, tty, tty
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.Terminal = uitest.Watch(t, p)
	t.Cleanup(func() { _ = s.cmd.Process.Kill(); p.Close(); tty.Close() })
	return s
}

func modes(t *testing.T, tty *os.File) string {
	t.Helper()
	state, err := term.GetState(tty.Fd())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(state)
}

// end waits for the process and returns its exit status and all output.
func (s *session) end() (int, string) {
	s.t.Helper()
	kill := time.AfterFunc(20*time.Second, func() { _ = s.cmd.Process.Kill() })
	defer kill.Stop()
	err := s.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return s.cmd.ProcessState.ExitCode(), s.Output()
}

// restored checks that the terminal is left as it was found, and returns what is
// written below the program's last frame.
func restored(t *testing.T, out string) string {
	t.Helper()
	i := strings.LastIndex(out, "\x1b[?1049l")
	if i < 0 {
		t.Fatalf("the alternate screen was not left: %q", out)
	}
	for _, seq := range []string{"\x1b[?25h", "\x1b[?1002l", "\x1b[?1006l", "\x1b[?2004l"} {
		if strings.LastIndex(out, seq) < strings.LastIndex(out, strings.NewReplacer("h", "l", "l", "h").Replace(seq)) {
			t.Errorf("%q was not switched back: %q", seq, out)
		}
	}
	return regexp.MustCompile("\x1b\\[[?0-9;]*[a-zA-Z]").ReplaceAllString(out[i:], "")
}

func TestTerminalIsRestored(t *testing.T) {
	for _, test := range []struct {
		name, keys string
		signal     syscall.Signal
		status     int
		below      string
	}{
		{"quit", "q", 0, 0, ""},
		{"panic in View", "v", 0, 2, "boom in view"},
		{"panic in Update", "u", 0, 2, "boom in update"},
		{"panic in a command", "c", 0, 2, "boom in command"},
		{"panic in one of several commands", "b", 0, 2, "boom in batch"},
		{"panic in another goroutine", "g", 0, 2, "boom in goroutine"},
		{"^C", "\x03", 0, 0, ""},
		{"SIGTERM", "", syscall.SIGTERM, 128 + 15, "terminated"},
		{"SIGHUP", "", syscall.SIGHUP, 128 + 1, "hangup"},
		{"SIGINT", "", syscall.SIGINT, 128 + 2, "interrupt"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := begin(t, os.Args[0])
			s.Await(0, "ready")
			if test.signal != 0 {
				_ = s.cmd.Process.Signal(test.signal)
			} else {
				s.Press(test.keys)
			}
			status, _ := s.end()
			if diff := cmp.Diff(s.was, modes(t, s.tty)); diff != "" {
				t.Errorf("terminal modes (-before +after):\n%s", diff)
			}
			s.Await(0, "\x1b[?1049l")
			if test.below != "" {
				s.Await(strings.LastIndex(s.Output(), "\x1b[?1049l"), test.below)
			}
			if strings.HasPrefix(test.name, "panic") { // where it happened
				s.Await(strings.LastIndex(s.Output(), "\x1b[?1049l"), "run_test.go")
			}
			below := restored(t, s.Output())
			if status != test.status || !strings.Contains(below, test.below) {
				t.Errorf("status %d, want %d; below the screen:\n%s", status, test.status, below)
			}
		})
	}
}

func TestSuspendAndBack(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	s := begin(t, bash, "-c", "set -m; "+os.Args[0]+"; echo STOPPED; fg; echo DONE")
	at := s.Await(0, "ready")
	s.Press("\x1a")
	at = s.Await(at, "\x1b[?1049l")
	at = s.Await(at, "STOPPED")
	at = s.Await(at, "\x1b[?1049h")
	s.Await(at, "ready")
	s.Await(at, "\x1b[?1002h") // the mouse is on again
	s.Press("q")
	s.Await(at, "DONE")
	if status, out := s.end(); status != 0 {
		t.Errorf("status %d: %q", status, out)
	}
}

func TestSuspendWithoutAShellIsRefused(t *testing.T) {
	s := begin(t, os.Args[0])
	at := s.Await(0, "ready")
	s.Press("\x1a")
	at = s.Await(at, "no shell here")
	s.Press("q")
	s.Await(at, "\x1b[?1049l")
	if status, _ := s.end(); status != 0 {
		t.Errorf("status %d", status)
	}
}

func TestClipboardSequence(t *testing.T) {
	s := begin(t, os.Args[0])
	at := s.Await(0, "ready")
	s.Press("y")
	s.Await(at, "\x1b]52;c;Y29waWVkIHRleHQ=\a")
	s.Press("q")
	s.end()
}

//go:build linux || darwin

package earlyterm_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	_ "github.com/charmbracelet/bubbletea" // what asks in its init
	"github.com/creack/pty"

	"github.com/beamline-hpc/lensview/internal/earlyterm"
)

// The test binary itself is the program: with the switch set it says what it
// sees of CI after Restore and ends.
const asProgram = "LENSVIEW_EARLYTERM_TEST"

func TestMain(m *testing.M) {
	inInit := os.Getenv("CI")
	earlyterm.Restore()
	if os.Getenv(asProgram) != "" {
		value, there := os.LookupEnv("CI")
		fmt.Printf("init=%q after=%q there=%v\n", inInit, value, there)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// mute runs the program in a terminal that answers nothing and returns all that
// it wrote.
func mute(t *testing.T, env ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "CI=") && !strings.HasPrefix(e, "TERM=") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.Env = append(cmd.Env, asProgram+"=1", "TERM=xterm-256color")
	cmd.Env = append(cmd.Env, env...)
	f, err := pty.Start(cmd)
	if err != nil {
		t.Skipf("no pseudo terminal here: %v", err)
	}
	defer f.Close()
	var out bytes.Buffer
	done := make(chan struct{})
	go func() { _, _ = io.Copy(&out, f); close(done) }()
	kill := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	defer kill.Stop()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the program ended with %v, having written %q", err, out.String())
	}
	<-done
	return strings.TrimRight(out.String(), "\r\n")
}

func TestNoQuestionAtAMuteTerminal(t *testing.T) {
	for _, test := range []struct {
		name string
		env  []string
		want string
	}{
		{"absent", nil, `init="1" after="" there=false`},
		{"empty", []string{"CI="}, `init="1" after="" there=true`},
		{"set", []string{"CI=true"}, `init="true" after="true" there=true`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := mute(t, test.env...); got != test.want {
				t.Errorf("the terminal got %q, want %q and nothing else", got, test.want)
			}
		})
	}
}

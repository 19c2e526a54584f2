package main

import (
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// In a terminal that answers nothing, commands that show no screen neither ask
// it anything nor wait for it: all they write is their output.
func TestPlainCommandsAskTheTerminalNothing(t *testing.T) {
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"version", []string{"version"}, "semantic conventions 1.29.0"},
		{"help", []string{"--help"}, "lensview demo"},
		{"report", []string{"report", "testdata/hostile.jsonl"}, "1 trace"},
		{"error", []string{"report", "no/such/file"}, "no such file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], tt.args...)
			cmd.Env = append(os.Environ(), asCommand+"=1", "TERM=xterm-256color", "CI=")
			f, err := pty.Start(cmd)
			if err != nil {
				t.Skipf("no pseudo-terminal: %v", err)
			}
			defer f.Close()
			out, _ := io.ReadAll(f) // ends with an error when the other side closes
			_ = cmd.Wait()
			if strings.ContainsAny(string(out), "\x1b\x07\u009b") {
				t.Errorf("escape bytes in %q", out)
			}
			if !strings.Contains(string(out), tt.want) {
				t.Errorf("%q lacks %q", out, tt.want)
			}
		})
	}
}

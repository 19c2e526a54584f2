package main

import (
	"bytes"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// fullDisk takes the first bytes and no more.
type fullDisk struct{ room int }

func (f *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), f.room)
	if f.room -= n; n < len(p) {
		return n, syscall.ENOSPC
	}
	return n, nil
}

// Whatever is to be written, and however much of it fits: that it was not all
// written is an error with its cause, never a success.
func TestOutputOnAFullDisk(t *testing.T) {
	commands := [][]string{
		{"version"}, {"--version"}, {"--help"}, {"report", "--help"}, {"man"}, {"completion", "bash"}, {"completion", "fish"}, {"simulate", "--faults", "list"}, {"doctor"},
		{"export", "testdata/hostile.jsonl"}, {"report", "testdata/hostile.jsonl"}, {"report", "--format", "json", "testdata/hostile.jsonl"},
		{"report", "--format", "markdown", "testdata/hostile.jsonl"},
		{"simulate", "--tp", "1", "--pp", "1", "--dp", "1", "--iterations", "1", "-o"},
	}
	for _, args := range commands {
		for _, room := range []int{0, 10} {
			args := args
			if args[len(args)-1] == "-o" {
				args = slices.Concat(args, []string{t.TempDir() + "/f.jsonl"})
			}
			var errs bytes.Buffer
			code := execute(args, env{stdin: strings.NewReader(""), stdout: &fullDisk{room}, stderr: &errs, getenv: func(string) string { return "" }})
			if code != exitFailed || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "no space left on device") {
				t.Errorf("%q with room for %d bytes: exit %d, %q", args, room, code, errs.String())
			}
		}
	}
}

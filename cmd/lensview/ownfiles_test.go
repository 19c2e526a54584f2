//go:build unix

package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Whatever lensview writes, others cannot read it, however careless the umask of
// the user is: recordings, exports, the token, the key, what says where it runs.
func TestOthersReadNothingOfOurs(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	run := at("run.jsonl")
	for _, args := range [][]string{
		{"simulate", "--tp", "1", "--pp", "1", "--dp", "1", "--iterations", "1", "-o", run},
		{"simulate", "--tp", "1", "--pp", "1", "--dp", "1", "--iterations", "1", "-o", at("run.jsonl.gz"), "--truth", at("truth.json")},
		{"export", "-o", at("again.jsonl"), run},
	} {
		if code, _, errs := cli(t, "", args...); code != exitOK {
			t.Fatalf("%q: exit %d, %s", args, code, errs)
		}
	}
	p := startRecorder(t, "--listen", "0.0.0.0:0", "--unix", at("s/otlp.sock"), at("new/rec"))
	all := openToOthers(t, dir, "while it runs")
	all = append(all, openToOthers(t, p.state, "while it runs")...)
	p.end(os.Interrupt)
	all = append(all, openToOthers(t, dir, "afterwards")...)
	all = append(all, openToOthers(t, p.state, "afterwards")...)
	text := strings.Join(all, "\n")
	for _, want := range []string{"run.jsonl", "run.jsonl.gz", "truth.json", "again.jsonl", "otlp.sock", ".rec", "token", "authority.pem", "instances"} {
		if !strings.Contains(text, want) {
			t.Errorf("nothing named %s was looked at:\n%s", want, text)
		}
	}
}

// openToOthers reports what below a directory others may read or write, and gives
// the names of all that it saw. The directory itself is not ours.
func openToOthers(t *testing.T, dir, when string) (seen []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		seen = append(seen, path)
		if m := info.Mode(); m.Perm()&0o077 != 0 {
			t.Errorf("%s: %s has mode %v", when, path, m)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return seen
}

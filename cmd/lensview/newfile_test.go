package main

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNewFileIsWhatItsNameSays(t *testing.T) {
	const text = "one\ntwo\n"
	for _, name := range []string{"a.jsonl", "a.jsonl.gz"} {
		path := filepath.Join(t.TempDir(), name)
		f, err := createNew(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(f, text); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if got := contents(t, path); got != text {
			t.Errorf("%s holds %q, want %q", name, got, text)
		}
	}
}

// contents reads a file as its name says that it is written.
func contents(t *testing.T, path string) string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestNewFileLeavesAnOldOneAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := createNew(path); !errors.Is(err, os.ErrExist) {
		t.Errorf("error %v, want that the file exists", err)
	}
	if got := contents(t, path); got != "old" {
		t.Errorf("the old file now holds %q", got)
	}
}

func TestNewFileTellsWhatWasNotWritten(t *testing.T) {
	for _, name := range []string{"a", "a.gz"} {
		f, err := createNew(filepath.Join(t.TempDir(), name))
		if err != nil {
			t.Fatal(err)
		}
		f.file.Close() // as a full disk: the rest cannot be written
		if _, err := io.WriteString(f, "text"); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSimulatedFileIsReadAgain(t *testing.T) {
	for _, name := range []string{"run.jsonl", "run.jsonl.gz"} {
		path := filepath.Join(t.TempDir(), name)
		code, out, errs := cli(t, "", "simulate", "--tp", "1", "--pp", "1", "--dp", "2", "--iterations", "2", "-o", path)
		if code != exitOK || !strings.HasPrefix(out, "wrote ") || !strings.Contains(out, path) || strings.Contains(out, "spans/s") {
			t.Errorf("%s: exit %d, said %q %q", name, code, out, errs)
		}
		if !strings.HasPrefix(contents(t, path), `{"resource`) {
			t.Errorf("%s is not OTLP JSON", name)
		}
		if code, out, errs := cli(t, "", "report", path); code != exitOK || !strings.Contains(out, "ranks seen 2 of 2") {
			t.Errorf("%s: report exit %d: %q %q", name, code, out, errs)
		}
	}
}

package private

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestDirIsOurs(t *testing.T) {
	base := t.TempDir()
	open := filepath.Join(base, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, d := range []string{filepath.Join(base, "a", "b"), open} {
		if err := Dir(d); err != nil || mode(t, d) != 0o700 {
			t.Errorf("%s: %v, mode %v", d, err, mode(t, d))
		}
	}
}

// What somebody else may have put in our place is refused, with what to do.
func TestForeignThingsAreRefused(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(at("good"), []byte("x"), 0o600))
	must(os.WriteFile(at("readable"), []byte("x"), 0o600))
	must(os.Chmod(at("readable"), 0o644))
	must(os.WriteFile(at("large"), make([]byte, maxFile+1), 0o600))
	must(os.Symlink(at("good"), at("link")))
	must(os.Symlink(base, at("dirlink")))
	must(syscall.Mkfifo(at("pipe"), 0o600))
	for name, want := range map[string]string{
		"link": "symbolic link", "readable": "by others", "pipe": "special file", ".": "a directory", "large": "larger",
	} {
		if _, err := Read(at(name)); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), at(name)) {
			t.Errorf("read %s: %v", name, err)
		}
	}
	for name, want := range map[string]string{"good": "not a directory", "dirlink": "symbolic link", "good/below": "not a directory"} {
		if err := Dir(at(name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("directory %s: %v", name, err)
		}
	}
	if _, err := Read(at("none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if b, err := Read(at("good")); err != nil || string(b) != "x" {
		t.Errorf("our own: %q, %v", b, err)
	}
}

func TestFilesOfAnotherUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be two users")
	}
	base := t.TempDir()
	file, dir := filepath.Join(base, "f"), filepath.Join(base, "d")
	if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chown(file, 65534, 65534), os.Mkdir(dir, 0o700), os.Chown(dir, 65534, 65534)); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(file); err == nil || !strings.Contains(err.Error(), "user 65534") {
		t.Errorf("file: %v", err)
	}
	if err := Dir(dir); err == nil || !strings.Contains(err.Error(), "user 65534") {
		t.Errorf("directory: %v", err)
	}
}

func TestCreateAndReplace(t *testing.T) {
	base := t.TempDir()
	path, victim := filepath.Join(base, "f"), filepath.Join(base, "victim")
	if err := Create(path, []byte("one")); err != nil || mode(t, path) != 0o600 {
		t.Fatal(err, mode(t, path))
	}
	if err := Create(path, []byte("two")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("create again: %v", err)
	}
	if b, _ := Read(path); string(b) != "one" {
		t.Errorf("%q", b)
	}
	// A link in the file's place is replaced, not followed.
	if err := errors.Join(os.WriteFile(victim, []byte("kept"), 0o600), os.Remove(path), os.Symlink(victim, path)); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte("three")); err != nil {
		t.Fatal(err)
	}
	got, _ := Read(path)
	kept, _ := Read(victim)
	if string(got) != "three" || string(kept) != "kept" {
		t.Errorf("%q, %q", got, kept)
	}
	left, _ := filepath.Glob(filepath.Join(base, ".new-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := Create(filepath.Join(base, "no", "f"), nil); err == nil || strings.Count(err.Error(), base) != 1 {
		t.Errorf("%v", err)
	}
}

func TestTokenIsMadeOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "lensview")
	tokens := make([]string, 8)
	var wg sync.WaitGroup
	for i := range tokens {
		wg.Go(func() {
			var err error
			if tokens[i], err = Token(dir); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, k := range tokens {
		if k != tokens[0] || len(k) != 64 {
			t.Fatalf("tokens %q", tokens)
		}
	}
	if mode(t, dir) != 0o700 || mode(t, filepath.Join(dir, TokenFile)) != 0o600 {
		t.Error("others can read it")
	}
	if one, two := NewToken(), NewToken(); one == two {
		t.Error("two tokens are equal")
	}
}

func TestTokenThatIsNone(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, TokenFile), []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Token(dir); err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("%v", err)
	}
}

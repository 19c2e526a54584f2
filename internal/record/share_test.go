package record

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Who lets the group read a recording that was private lets it read all of it; a link
// in the place of a segment is not followed.
func TestGroupReadsWhatWasWrittenBefore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rec")
	perms := func() (all []fs.FileMode) {
		t.Helper()
		names, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range append(names, dir) {
			info, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, info.Mode().Perm())
		}
		return all
	}
	for i, step := range []struct {
		group bool
		want  []fs.FileMode // of the segments, then of the directory
	}{
		{false, []fs.FileMode{0o600, 0o700}},
		{true, []fs.FileMode{0o640, 0o640, 0o750}},
		{false, []fs.FileMode{0o640, 0o640, 0o600, 0o750}}, // what was let in stays, what is new is not
	} {
		w := create(t, Options{Dir: dir, Group: step.group})
		if err := w.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		got := perms()
		for j, want := range step.want {
			if len(got) != len(step.want) || got[j] != want {
				t.Fatalf("step %d: %v, want %v", i, got, step.want)
			}
		}
	}
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(dir, segmentName(9))); err != nil {
		t.Fatal(err)
	}
	if err := (folder{dir, true}).share(); err == nil {
		t.Error("a link in the place of a segment was followed")
	}
	if info, err := os.Stat(other); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("what the link leads to has %v, %v", info.Mode(), err)
	}
}

// Without any time there is nothing to pass over, and no time of it to name.
func TestLastOfAnEmptyRecording(t *testing.T) {
	seconds(t, Options{}, 0)
	sources, err := Last(sourcesOf(t, "."), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, messages := readTimes(t, sources); strings.Contains(strings.Join(messages, "\n"), "passed over") {
		t.Errorf("%q", messages)
	}
}

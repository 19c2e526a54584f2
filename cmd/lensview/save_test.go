package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui"
)

func TestSaveViewOverwritesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for i, want := range []string{"view.txt", "view-2.txt", "view-3.txt"} {
		path, err := saveView("view.txt", false, want)
		if err != nil || path != filepath.Join(dir, want) {
			t.Fatalf("%d: %q, %v", i, path, err)
		}
	}
	for _, name := range []string{"view.txt", "view-2.txt", "view-3.txt"} {
		text, err := os.ReadFile(name)
		info, _ := os.Stat(name)
		if err != nil || string(text) != name || info.Mode().Perm() != 0o600 {
			t.Errorf("%s holds %q with mode %v, %v", name, text, info.Mode(), err)
		}
	}
	if path, err := saveView("view.txt", true, "x"); err == nil {
		t.Errorf("a file that exists was written: %q", path)
	}
	if err := os.Symlink("elsewhere", "link.txt"); err != nil {
		t.Fatal(err)
	}
	if _, err := saveView("link.txt", true, "x"); err == nil {
		t.Error("a link was followed")
	}
	if path, err := saveView(filepath.Join(dir, "no", "such", "dir.txt"), true, "x"); err == nil {
		t.Errorf("written to %q", path)
	}
}

func TestLoss(t *testing.T) {
	full := &store.Snapshot{}
	full.Accounts[run.Metrics].Kept = 1
	for _, test := range []struct {
		name string
		sole bool
		snap *store.Snapshot
		ask  bool
	}{
		{"received and kept nowhere else", true, full, true},
		{"nothing received", true, &store.Snapshot{}, false},
		{"files, a demo, a recording", false, full, false},
	} {
		if got := (&session{sole: test.sole}).loss(test.snap, "F9"); (got != "") != test.ask || got != "" && !strings.Contains(got, "(F9 records") {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}

func TestCopyNote(t *testing.T) {
	if copyNote(ui.Tmux) == "" || copyNote(ui.NoMultiplexer) != "" {
		t.Error("what tmux needs is not said, or said without tmux")
	}
}

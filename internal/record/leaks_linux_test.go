package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"

	"go.uber.org/goleak"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// openFiles is how many files this process has open.
func openFiles(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system does not say what is open:", err)
	}
	return len(all)
}

// leavesNothing runs something several times and looks for files and goroutines
// that were not there before. Files that only the garbage collector would close
// count as left: it is kept from running.
func leavesNothing(t *testing.T, what string, f func()) {
	t.Helper()
	f() // what is made once
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	before, running := openFiles(t), goleak.IgnoreCurrent()
	for range 5 {
		f()
	}
	if err := goleak.Find(running); err != nil {
		t.Errorf("%s: %v", what, err)
	}
	if now := openFiles(t); now > before {
		t.Errorf("%s: %d files open, %d before", what, now, before)
	}
}

// damagedFiles are files of every form, whole, cut and followed by rubbish, in a
// directory.
func damagedFiles(t *testing.T) string {
	t.Helper()
	forms := messageFiles(t)
	_, forms["recording"] = segmentOf(t, 3)
	all := map[string][]byte{}
	for name, b := range forms {
		all["whole/"+name], all["cut/"+name], all["more/"+name] = b, b[:2*len(b)/3], append(append([]byte(nil), b...), "rubbish"...)
	}
	return tree(t, all)
}

// Whatever is read, however damaged it is and however reading ends, nothing stays
// open: people look at directories of thousands of files.
func TestReadingLeavesNothing(t *testing.T) {
	dir := damagedFiles(t)
	sources, err := Sources([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	stop := errors.New("no more")
	leavesNothing(t, "import", func() {
		for _, src := range sources {
			_, _ = Import(context.Background(), src, (&collected{}).put)
		}
	})
	leavesNothing(t, "import that the store stops", func() {
		for _, src := range sources {
			_, _ = Import(context.Background(), src, func(*otlp.Batch, run.Receipt) error { return stop })
		}
	})
	leavesNothing(t, "import that is stopped before it begins", func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		for _, src := range sources {
			_, _ = Import(ctx, src, (&collected{}).put)
		}
	})
	leavesNothing(t, "following", func() {
		f := follow(t, dir)
		f.next()
		f.cancel()
		f.done <- <-f.done
	})
}

// Recordings that begin and end, whole or on a disk that fails, leave nothing open
// either.
func TestRecordingLeavesNothing(t *testing.T) {
	base := t.TempDir()
	place := func(n *int) string { *n++; return filepath.Join(base, fmt.Sprint(*n)) }
	n := 0
	leavesNothing(t, "writer", func() {
		w := create(t, Options{Dir: place(&n), Rotate: 500})
		appendAll(t, w, requests(t, 9))
		closed(t, w)
	})
	leavesNothing(t, "tee", func() {
		tee := NewTee(&counting{})
		if err := tee.Start(Options{Dir: place(&n)}); err != nil {
			t.Fatal(err)
		}
		if err := tee.Start(Options{Dir: place(&n)}); err == nil {
			t.Error("two recordings at once")
		}
		_ = putOne(t, tee, requests(t, 1)[0])
		_ = tee.Stop(context.Background())
	})
	leavesNothing(t, "a place that is refused", func() {
		if _, err := Create(Options{Dir: filepath.Join(base, "1", segmentName(1))}); err == nil {
			t.Error("a file is no directory")
		}
	})
	leavesNothing(t, "a full disk", func() {
		w := limitedWriter(t, place(&n), 600)
		for _, s := range requests(t, 9) {
			_ = w.Append(context.Background(), s.Signal, s.items(), s.receipt())
		}
		_ = w.Close(context.Background())
	})
}

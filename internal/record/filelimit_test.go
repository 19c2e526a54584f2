package record

import (
	"context"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// limited is a file that may not grow beyond a size, as RLIMIT_FSIZE, a quota of
// files or an old file system have it: there is room, only not in this file.
type limited struct {
	output
	size int64
}

func (l *limited) WriteAt(p []byte, at int64) (int, error) {
	room := max(0, min(int64(len(p)), l.size-at))
	n, err := l.output.WriteAt(p[:room], at)
	if err == nil && room < int64(len(p)) {
		err = syscall.EFBIG
	}
	return n, err
}

// limitedWriter is a writer whose files hold size bytes each.
func limitedWriter(t *testing.T, dir string, size int64) *Writer {
	o := Options{Dir: dir, Sync: true}
	o.create = func(n uint32) (output, error) {
		out, err := folder{dir, false}.create(n)
		return &limited{out, size}, err
	}
	return create(t, o)
}

// Where one file may not grow further, recording goes on in the next.
func TestFilesOfLimitedSize(t *testing.T) {
	dir := t.TempDir()
	w := limitedWriter(t, dir, 600)
	all := requests(t, 12)
	appendAll(t, w, all)
	closed(t, w)
	if s := w.Status(); s.Lost.Requests != 0 || s.Requests != 12 || s.Failing != "" {
		t.Errorf("%+v", s)
	}
	got, messages := readDir(t, dir)
	if d := cmp.Diff(asRead(t, all), got); d != "" || len(messages) > 0 || len(files(t, dir)) < 2 {
		t.Errorf("%d files, %q\n%s", len(files(t, dir)), messages, d)
	}
}

// What fits into no file at all is not acknowledged and is said, and does not leave a file for
// every time it was tried.
func TestRequestLargerThanAFileMayBe(t *testing.T) {
	dir := t.TempDir()
	w := limitedWriter(t, dir, int64(headerSize)+20)
	var wg sync.WaitGroup
	for _, s := range requests(t, 5) {
		wg.Go(func() {
			if err := w.Append(context.Background(), s.Signal, s.items(), s.receipt()); err == nil {
				t.Error("acknowledged what is not on the disk")
			}
		})
	}
	wg.Wait()
	_ = w.Close(context.Background()) // there is no room for an index either
	if s := w.Status(); s.Requests != 0 || s.Failing != "file too large" {
		t.Errorf("%+v", s)
	}
	if got, _ := readDir(t, dir); len(got) != 0 || len(files(t, dir)) != 1 {
		t.Errorf("%d requests in %q", len(got), files(t, dir))
	}
}

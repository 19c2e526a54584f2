package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Somebody deletes what is being recorded, as a clean-up of scratch does: what was
// in the file is counted as lost and said, and recording goes on in another, with
// its directory when that is gone too.
func TestDeletedWhileRecording(t *testing.T) {
	for name, remove := range map[string]func(dir string) error{
		"the file":      func(dir string) error { return os.Remove(filepath.Join(dir, segmentName(1))) },
		"the directory": os.RemoveAll,
		"all of it":     func(dir string) error { return os.RemoveAll(filepath.Dir(dir)) },
	} {
		for _, sync := range []bool{false, true} {
			dir := filepath.Join(t.TempDir(), "scratch", "rec")
			w := create(t, Options{Dir: dir, Sync: sync})
			tee := &Tee{store: &counting{}, writer: w}
			all := requests(t, 9)
			appendAll(t, w, all[:4])
			_ = w.Flush(context.Background())
			if err := remove(dir); err != nil {
				t.Fatal(err)
			}
			appendAll(t, w, all[4:])
			_ = w.Flush(context.Background())
			lost := uint64(0)
			for _, s := range all[:4] {
				lost += uint64(s.items())
			}
			if s := w.Status(); s.Requests != 5 || s.Lost.Requests != 4 || s.Lost.Total() != lost || s.Deleted != 1 || s.Failing != "" {
				t.Errorf("%s, sync %v: %+v", name, sync, s)
			}
			n := tee.Notices()
			if len(n) != 1 || n[0].Level != run.Warning || !strings.Contains(n[0].Text, "deleted or cut while they were written") {
				t.Errorf("%s, sync %v: %+v", name, sync, n)
			}
			closed(t, w)
			got, messages := readDir(t, dir)
			if d := cmp.Diff(asRead(t, all[4:]), got); d != "" {
				t.Errorf("%s, sync %v (-want +got)\n%s", name, sync, d)
			}
			if text := strings.Join(messages, "\n"); !strings.Contains(text, "of 4 requests") {
				t.Errorf("%s, sync %v: the recording does not tell of its gap: %q", name, sync, messages)
			}
		}
	}
}

// When nothing more comes, the end says it.
func TestDeletedBeforeTheEnd(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rec")
	w := create(t, Options{Dir: dir})
	appendAll(t, w, requests(t, 3))
	_ = w.Flush(context.Background())
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(context.Background()); !errors.Is(err, errRemoved) || !strings.Contains(err.Error(), dir) {
		t.Errorf("the end says %v", err)
	}
	if s := w.Status(); s.Requests != 0 || s.Lost.Requests != 3 {
		t.Errorf("%+v", s)
	}
}

// Somebody cuts what is being recorded, as a rotation of logs does: what was cut off is
// counted as lost, what stood before it is still read, and recording goes on in
// another file.
func TestCutWhileRecording(t *testing.T) {
	for _, sync := range []bool{false, true} {
		for kept := range 4 {
			dir := filepath.Join(t.TempDir(), "rec")
			w := create(t, Options{Dir: dir, Sync: sync})
			all := requests(t, 9)
			size := int64(0)
			for i, r := range all[:4] {
				appendAll(t, w, []sent{r})
				_ = w.Flush(context.Background())
				if i+1 == kept {
					size = int64(w.Status().Bytes) + 7 // in the middle of the next group
				}
			}
			if err := os.Truncate(filepath.Join(dir, segmentName(1)), size); err != nil {
				t.Fatal(err)
			}
			appendAll(t, w, all[4:])
			_ = w.Flush(context.Background())
			lost := uint64(0)
			for _, s := range all[kept:4] {
				lost += uint64(s.items())
			}
			if s := w.Status(); s.Lost.Requests != uint64(4-kept) || s.Lost.Total() != lost || s.Requests != uint64(5+kept) || s.Deleted != 1 {
				t.Errorf("%d kept, sync %v: %+v", kept, sync, s)
			}
			closed(t, w)
			got, messages := readDir(t, dir)
			if d := cmp.Diff(asRead(t, append(all[:kept:kept], all[4:]...)), got); d != "" {
				t.Errorf("%d kept, sync %v (-want +got)\n%s", kept, sync, d)
			}
			if text := strings.Join(messages, "\n"); !strings.Contains(text, fmt.Sprintf("of %d requests", 4-kept)) {
				t.Errorf("%d kept, sync %v: the recording does not tell of its gap: %q", kept, sync, messages)
			}
		}
	}
}

package record

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// sent is one request for a recording.
type sent struct {
	Signal run.Signal
	At     int64
	Sender string
	Raw    string
	JSON   bool
}

// wireOf is the protobuf of a line of OTLP JSON.
func wireOf(t testing.TB, sig run.Signal, line string) []byte {
	t.Helper()
	wires, err := otlp.NewTranscoder(otlp.JSONOptions{File: true}).Transcode([]byte(line))
	if err != nil {
		t.Fatal(err)
	}
	return wires[sig]
}

// requests is n requests of the three signals, by several senders, some in JSON.
func requests(t testing.TB, n int) []sent {
	t.Helper()
	lines := []string{trace("a"), metricLine, logLine}
	var out []sent
	for i := range n {
		s := sent{Signal: run.Signal(i % 3), At: int64(1000 + i), Sender: fmt.Sprintf("10.0.0.%d:4000", i%5), JSON: i%4 == 3}
		s.Raw = lines[s.Signal]
		if !s.JSON {
			s.Raw = string(wireOf(t, s.Signal, s.Raw))
		}
		out = append(out, s)
	}
	return out
}

// items is how many items a request of requests has.
func (s sent) items() int { return []int{1, 2, 1}[s.Signal] }

func (s sent) receipt() run.Receipt {
	return run.Receipt{At: s.At, Sender: s.Sender, Raw: []byte(s.Raw), JSON: s.JSON}
}

func create(t testing.TB, o Options) *Writer {
	t.Helper()
	w, err := Create(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close(context.Background()) })
	return w
}

func appendAll(t testing.TB, w *Writer, all []sent) {
	t.Helper()
	for _, s := range all {
		if err := w.Append(context.Background(), s.Signal, s.items(), s.receipt()); err != nil {
			t.Fatal(err)
		}
	}
}

func closed(t testing.TB, w *Writer) {
	t.Helper()
	if err := w.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// readDir imports all that is in a directory.
func readDir(t testing.TB, dir string) (got []sent, messages []string) {
	t.Helper()
	sources, err := Sources([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range sources {
		s, err := Import(context.Background(), src, func(b *otlp.Batch, r run.Receipt) error {
			got = append(got, sent{b.Signal, r.At, r.Sender, string(r.Raw), r.JSON})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, s.Messages...)
	}
	return got, messages
}

// asRead is requests as an import gives them: protobuf all.
func asRead(t testing.TB, all []sent) []sent {
	t.Helper()
	out := append([]sent(nil), all...)
	for i, s := range out {
		if s.JSON {
			out[i].Raw, out[i].JSON = string(wireOf(t, s.Signal, s.Raw)), false
		}
	}
	return out
}

func files(t testing.TB, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		all[i] = filepath.Base(all[i])
	}
	return all
}

func TestRecordingRoundTrip(t *testing.T) {
	tests := map[string]struct {
		o        Options
		segments int
	}{
		"plain":   {Options{}, 1},
		"sync":    {Options{Sync: true}, 1},
		"rotated": {Options{Sync: true, Rotate: 1000}, 0},
	}
	all := requests(t, 50)
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tt.o.Dir = filepath.Join(t.TempDir(), "new", "dir")
			w := create(t, tt.o)
			appendAll(t, w, all)
			closed(t, w)
			got, messages := readDir(t, tt.o.Dir)
			if diff := cmp.Diff(asRead(t, all), got); diff != "" || len(messages) > 0 {
				t.Errorf("%s %q", diff, messages)
			}
			if n := len(files(t, tt.o.Dir)); tt.segments > 0 && n != tt.segments || tt.segments == 0 && n < 3 {
				t.Errorf("%d segments", n)
			}
			s := w.Status()
			if s.Requests != 50 || s.Items != [run.SignalCount]uint64{17, 34, 16} || s.Lost.Requests != 0 || s.Failing != "" || s.Bytes == 0 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// A second writer goes on in the same directory; what the first wrote stays.
func TestRecordingGoesOn(t *testing.T) {
	dir := t.TempDir()
	all := requests(t, 30)
	for i := range 3 {
		w := create(t, Options{Dir: dir})
		appendAll(t, w, all[10*i:10*i+10])
		closed(t, w)
	}
	got, messages := readDir(t, dir)
	if diff := cmp.Diff(asRead(t, all), got); diff != "" || len(messages) > 0 {
		t.Errorf("%s %q", diff, messages)
	}
	if diff := cmp.Diff([]string{"lensview-000001.rec", "lensview-000002.rec", "lensview-000003.rec"}, files(t, dir)); diff != "" {
		t.Error(diff)
	}
}

func TestConcurrentAppend(t *testing.T) {
	for _, sync := range []bool{false, true} {
		t.Run(fmt.Sprint("sync ", sync), func(t *testing.T) { concurrentAppend(t, sync) })
	}
}

func concurrentAppend(t *testing.T, syncs bool) {
	dir := t.TempDir()
	w := create(t, Options{Dir: dir, Sync: syncs, Rotate: 20_000})
	all := requests(t, 240)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for _, s := range all[30*i : 30*i+30] {
				if err := w.Append(context.Background(), s.Signal, s.items(), s.receipt()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	closed(t, w)
	got, messages := readDir(t, dir)
	seen := map[int64]string{}
	for _, s := range got {
		seen[s.At] = s.Raw
	}
	for _, s := range asRead(t, all) {
		if seen[s.At] != s.Raw {
			t.Errorf("request %d is not as it was", s.At)
		}
	}
	if len(got) != len(all) || len(messages) > 0 {
		t.Errorf("%d requests, %q", len(got), messages)
	}
}

func TestModes(t *testing.T) {
	old := syscall.Umask(0o077)
	defer syscall.Umask(old)
	for _, group := range []bool{false, true} {
		dir := filepath.Join(t.TempDir(), "rec")
		closed(t, create(t, Options{Dir: dir, Group: group}))
		wantDir, wantFile := folder{group: group}.modes()
		for path, want := range map[string]os.FileMode{dir: wantDir, filepath.Join(dir, segmentName(1)): wantFile} {
			info, err := os.Stat(path)
			if err != nil || info.Mode().Perm() != want {
				t.Errorf("group %v: %s has mode %#o, want %#o (%v)", group, filepath.Base(path), info.Mode().Perm(), want, err)
			}
		}
	}
}

// Whatever somebody has put in our place is refused and left as it is.
func TestRefused(t *testing.T) {
	tests := map[string]struct {
		put  func(dir string) error
		word string
	}{
		"a link as the directory": {func(dir string) error { return os.Symlink(t.TempDir(), dir) }, "symbolic link"},
		"a file as the directory": {func(dir string) error { return os.WriteFile(dir, nil, 0o600) }, "not a directory"},
		"others may write":        {func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o777)) }, "chmod go-w"},
		"a link as a segment": {func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.Symlink("/etc/hostname", filepath.Join(dir, segmentName(1))))
		}, "not a regular file"},
		"another file as a segment": {func(dir string) error {
			return errors.Join(os.Mkdir(dir, 0o700), os.WriteFile(filepath.Join(dir, segmentName(1)), []byte("hello, world, this is mine"), 0o600))
		}, "not a recording"},
		"no place": {func(dir string) error { return os.WriteFile(filepath.Dir(dir), nil, 0o600) }, "not a directory"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "x", "rec")
			if name != "no place" {
				if err := os.Mkdir(filepath.Dir(dir), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := tt.put(dir); err != nil {
				t.Fatal(err)
			}
			_, err := Create(Options{Dir: dir})
			if err == nil || !strings.Contains(err.Error(), tt.word) || !strings.Contains(err.Error(), "record to "+dir) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestTwoWriters(t *testing.T) {
	dir := t.TempDir()
	w := create(t, Options{Dir: dir})
	if _, err := Create(Options{Dir: dir}); !errors.Is(err, errLocked) {
		t.Errorf("a second writer gives %v", err)
	}
	closed(t, w)
	closed(t, create(t, Options{Dir: dir}))
}

func TestAppendAfterClose(t *testing.T) {
	w := create(t, Options{Dir: t.TempDir()})
	closed(t, w)
	closed(t, w)
	s := requests(t, 1)[0]
	if err := w.Append(context.Background(), s.Signal, 1, s.receipt()); !errors.Is(err, ErrClosed) {
		t.Errorf("error %v", err)
	}
	if s := w.Status(); s.Lost.Requests != 1 || s.Lost.Total() != 1 {
		t.Errorf("%+v", s.Lost)
	}
}

// A recording is a sequence of zstd frames: any zstd tool unpacks it.
func TestRecordingIsZstd(t *testing.T) {
	dir := t.TempDir()
	w := create(t, Options{Dir: dir})
	all := requests(t, 9)
	appendAll(t, w, all)
	closed(t, w)
	b, err := os.ReadFile(filepath.Join(dir, segmentName(1)))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := newUnpacker().DecodeAll(b, nil)
	if err != nil || !bytes.Contains(plain, []byte(all[0].Raw)) || !bytes.Contains(plain, []byte(all[8].Raw)) {
		t.Errorf("%d bytes, %v", len(plain), err)
	}
}

func TestStoredBlocks(t *testing.T) {
	all := bytes.Repeat([]byte("0123456789abcdef"), 4*maxBlock/16)
	var g blocks
	for _, sizes := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {20, 3000}, {30, maxBlock - 30}, {30, maxBlock}, {maxBlock + 7, 5}, {40, 3*maxBlock + 7}} {
		g.reset(g.buf)
		var want []byte
		for i := range 3 {
			a, b := all[i:i+sizes[0]], all[2*i:2*i+sizes[1]]
			g.add(a, b)
			want = append(append(want, a...), b...)
		}
		if got := g.gather(nil); !bytes.Equal(got, want) || g.plain != len(want) {
			t.Errorf("%v: %d bytes, want %d", sizes, len(got), len(want))
		}
		got, err := newUnpacker().DecodeAll(g.frame()[groupSize:], nil)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%v: unpacked %d bytes of %d: %v", sizes, len(got), len(want), err)
		}
	}
}

// What there is no time to compress reads as well.
func TestStoredGroups(t *testing.T) {
	dir := t.TempDir()
	w := create(t, Options{Dir: dir, Sync: true})
	all := requests(t, 20)
	appendAll(t, w, all[:1])
	w.disk.budget.left = -time.Hour // the writing goroutine rests
	appendAll(t, w, all[1:])
	closed(t, w)
	got, messages := readDir(t, dir)
	if diff := cmp.Diff(asRead(t, all), got); diff != "" || len(messages) > 0 {
		t.Errorf("%s %q", diff, messages)
	}
	b, err := os.ReadFile(filepath.Join(dir, segmentName(1)))
	if err != nil || !bytes.Contains(b, []byte(all[19].Raw)) {
		t.Errorf("the last one is not stored as it is: %v", err)
	}
}

func TestFlush(t *testing.T) {
	dir := t.TempDir()
	w := create(t, Options{Dir: dir, Delay: time.Hour})
	appendAll(t, w, requests(t, 4))
	if got, _ := readDir(t, dir); len(got) != 0 {
		t.Errorf("%d requests are written before their time", len(got))
	}
	if err := w.Flush(context.Background()); err != nil {
		t.Fatal(err)
	}
	if got, messages := readDir(t, dir); len(got) != 4 || len(messages) > 0 {
		t.Errorf("%d requests, %q", len(got), messages)
	}
}

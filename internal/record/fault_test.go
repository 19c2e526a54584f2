package record

import (
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

// faulty is a file that fails as it is told to, and notes what was done to it.
type faulty struct {
	output
	mu        sync.Mutex
	done      []string
	room      int64 // bytes that still fit; what does not is written in part
	syncs     error // what Sync gives
	truncates error
}

func (f *faulty) note(what string) {
	if n := len(f.done); n == 0 || f.done[n-1] != what {
		f.done = append(f.done, what)
	}
}

func (f *faulty) WriteAt(p []byte, at int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.note("write")
	n := min(int64(len(p)), f.room)
	if _, err := f.output.WriteAt(p[:n], at); err != nil {
		return 0, err
	}
	f.room -= n
	if n < int64(len(p)) {
		return int(n), syscall.ENOSPC
	}
	return int(n), nil
}

func (f *faulty) Truncate(n int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.note("truncate")
	if f.truncates != nil {
		return f.truncates
	}
	return f.output.Truncate(n)
}

func (f *faulty) Sync() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.note("sync")
	if f.syncs != nil {
		return f.syncs
	}
	return f.output.Sync()
}

// set changes how the file fails.
func (f *faulty) set(change func(*faulty)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// faultyWriter is a writer whose segments fail as f is told to. Its clock stands
// until it is moved on.
func faultyWriter(t *testing.T, f *faulty, o Options) (*Writer, *time.Time) {
	t.Helper()
	now := time.Unix(1000, 0)
	o.Now = func() time.Time { return now }
	o.create = func(number uint32) (output, error) {
		out, err := folder{o.Dir, o.Group}.create(number)
		f.set(func(f *faulty) { f.output = out })
		return f, err
	}
	return create(t, o), &now
}

// With Sync the answer comes after the flush, and the flush after the write.
func TestSyncBeforeAnswer(t *testing.T) {
	f := &faulty{room: 1 << 30}
	w, _ := faultyWriter(t, f, Options{Dir: t.TempDir(), Sync: true})
	for _, s := range requests(t, 5) {
		f.set(func(f *faulty) { f.done = nil })
		if err := w.Append(context.Background(), s.Signal, s.items(), s.receipt()); err != nil {
			t.Fatal(err)
		}
		f.set(func(f *faulty) { f.done = append(f.done, "answer") })
		if diff := cmp.Diff([]string{"write", "sync", "answer"}, f.done); diff != "" {
			t.Fatal(diff)
		}
	}
}

// The same through the sink of a receiver: what is not on the disk is neither
// acknowledged nor stored.
func TestTeeSync(t *testing.T) {
	f := &faulty{room: 1 << 30}
	st := &counting{}
	tee := NewTee(st)
	now := time.Unix(1000, 0)
	o := Options{Dir: t.TempDir(), Sync: true, Now: func() time.Time { return now }}
	o.create = func(n uint32) (output, error) {
		out, err := folder{o.Dir, false}.create(n)
		f.set(func(f *faulty) { f.output = out })
		return f, err
	}
	if err := tee.Start(o); err != nil {
		t.Fatal(err)
	}
	put := func() error { return putOne(t, tee, requests(t, 1)[0]) }
	if err := put(); err != nil || st.puts != 1 {
		t.Errorf("%v, %d stored", err, st.puts)
	}
	f.set(func(f *faulty) { f.room = 10 })
	if err := put(); !errors.Is(err, run.ErrBusy) || !errors.Is(err, syscall.ENOSPC) || st.puts != 1 {
		t.Errorf("on a full disk: %v, %d stored", err, st.puts)
	}
	if n := tee.Notices(); len(n) != 1 || n[0].Level != run.Critical || !strings.Contains(n[0].Text, "no space left on device; senders are told to retry") {
		t.Errorf("%+v", n)
	}
	f.set(func(f *faulty) { f.room = 1 << 30 })
	now = now.Add(2 * retryAfter)
	if err := put(); err != nil || st.puts != 2 || len(tee.Notices()) != 0 {
		t.Errorf("with room again: %v, %d stored, %+v", err, st.puts, tee.Notices())
	}
	f.set(func(f *faulty) { f.syncs = syscall.EIO })
	if err := put(); !errors.Is(err, run.ErrBusy) || !errors.Is(err, syscall.EIO) || st.puts != 2 {
		t.Errorf("when the flush fails: %v, %d stored", err, st.puts)
	}
	f.set(func(f *faulty) { f.syncs = nil })
	now = now.Add(2 * retryAfter)
	if err := put(); err != nil || st.puts != 3 {
		t.Errorf("after that: %v, %d stored", err, st.puts)
	}
	if err := tee.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	got, messages := readDir(t, o.Dir)
	if len(got) != 3 || len(messages) > 0 || len(files(t, o.Dir)) != 2 {
		t.Errorf("%d requests in %q, %q", len(got), files(t, o.Dir), messages)
	}
}

// counting is a store that counts.
type counting struct{ puts int }

func (c *counting) Put(ctx context.Context, b *otlp.Batch, _ run.Receipt) (run.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return run.Outcome{}, err
	}
	c.puts++
	return run.Outcome{Kept: uint64(b.Items())}, nil
}

func putOne(t testing.TB, tee *Tee, s sent) error {
	t.Helper()
	var b otlp.Batch
	if err := b.Decode(s.Signal, []byte(s.Raw)); err != nil {
		t.Fatal(err)
	}
	_, err := tee.Put(context.Background(), &b, s.receipt())
	return err
}

// CASES row 78: on a full disk receiving goes on, what is not recorded is counted
// and said, the file ends on a whole record, and recording goes on when there is
// room. The recording itself tells of the gap.
func TestDiskFull(t *testing.T) {
	f := &faulty{room: 1 << 30}
	dir := t.TempDir()
	w, now := faultyWriter(t, f, Options{Dir: dir})
	tee := &Tee{store: &counting{}, writer: w}
	all := requests(t, 9)
	step := func(part []sent) {
		t.Helper()
		for _, s := range part {
			if err := tee.writer.Append(context.Background(), s.Signal, s.items(), s.receipt()); err != nil {
				t.Fatal(err)
			}
		}
		_ = w.Flush(context.Background())
	}
	step(all[:3])
	f.set(func(f *faulty) { f.room = groupSize + 20 })
	step(all[3:5])
	n := tee.Notices()
	if len(n) != 1 || n[0].Level != run.Critical || !strings.Contains(n[0].Text, "stopped: no space left on device; 3 items of 2 requests are not in it so far") {
		t.Fatalf("%+v", n)
	}
	if got, messages := readDir(t, dir); len(got) != 3 || len(messages) > 0 {
		t.Errorf("while the disk is full: %d requests, %q", len(got), messages)
	}
	step(all[5:6]) // not even tried: the disk was full a moment ago
	f.set(func(f *faulty) { f.room = 1 << 30 })
	*now = now.Add(2 * retryAfter)
	step(all[6:])
	n = tee.Notices()
	if len(n) != 1 || n[0].Level != run.Warning || n[0].Count != 3 || !strings.Contains(n[0].Text, "has a gap: 4 items of 3 requests") {
		t.Errorf("%+v", n)
	}
	closed(t, w)
	got, messages := readDir(t, dir)
	want := append(append([]sent(nil), all[:3]...), all[6:]...)
	if diff := cmp.Diff(asRead(t, want), got); diff != "" {
		t.Error(diff)
	}
	if len(messages) != 1 || !strings.Contains(messages[0], "4 items of 3 requests that came between 1970-01-01T00:00:00Z and 1970-01-01T00:00:00Z were not recorded") {
		t.Errorf("%q", messages)
	}
}

// Where not even cutting back works, the next group begins another segment.
func TestDiskThatCannotBeCutBack(t *testing.T) {
	f := &faulty{room: 1 << 30}
	dir := t.TempDir()
	w, now := faultyWriter(t, f, Options{Dir: dir})
	all := requests(t, 6)
	appendAll(t, w, all[:2])
	_ = w.Flush(context.Background())
	f.set(func(f *faulty) { f.room, f.truncates = groupSize+20, syscall.EIO })
	appendAll(t, w, all[2:4])
	if err := w.Flush(context.Background()); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("error %v", err)
	}
	f.set(func(f *faulty) { f.room, f.truncates = 1<<30, nil })
	*now = now.Add(2 * retryAfter)
	appendAll(t, w, all[4:])
	closed(t, w)
	got, messages := readDir(t, dir)
	if len(got) != 4 || len(files(t, dir)) != 2 {
		t.Errorf("%d requests in %q", len(got), files(t, dir))
	}
	if len(messages) != 2 || !strings.Contains(messages[0], "incomplete last record") || !strings.Contains(messages[1], "were not recorded") {
		t.Errorf("%q", messages)
	}
}

// A disk that is full from the start holds no half header back, and leaves one
// file only.
func TestDiskFullAtTheStart(t *testing.T) {
	dir := t.TempDir()
	f := &faulty{room: 1 << 30}
	w, now := faultyWriter(t, f, Options{Dir: dir, Rotate: 1})
	all := requests(t, 6)
	appendAll(t, w, all[:1])
	_ = w.Flush(context.Background()) // finishes the first segment
	f.set(func(f *faulty) { f.room = 3 })
	for i := range 3 {
		appendAll(t, w, all[1+i:2+i])
		_ = w.Flush(context.Background())
		*now = now.Add(2 * retryAfter)
	}
	f.set(func(f *faulty) { f.room = 1 << 30 })
	appendAll(t, w, all[4:5])
	closed(t, w)
	got, messages := readDir(t, dir)
	if len(got) != 2 || len(files(t, dir)) != 2 || len(messages) != 1 {
		t.Errorf("%d requests in %q, %q", len(got), files(t, dir), messages)
	}
}

// A disk that does not move stops nobody for longer than once.
func TestDiskThatHangs(t *testing.T) {
	dir := t.TempDir()
	gate := make(chan struct{})
	o := Options{Dir: dir}
	o.create = func(n uint32) (output, error) {
		out, err := folder{dir, false}.create(n)
		return &hanging{output: out, gate: gate}, err
	}
	w := create(t, o)
	big := run.Receipt{At: 5, Sender: "s", Raw: make([]byte, 12<<20)}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	lost := 0
	for range 8 {
		if err := w.Append(ctx, run.Traces, 7, big); err != nil {
			lost++
		}
	}
	if s := w.Status(); lost != 3 || s.Lost.Requests != 3 || s.Lost.Items[run.Traces] != 21 {
		t.Errorf("%d lost, %+v", lost, s.Lost)
	}
	close(gate)
	closed(t, w)
	if s := w.Status(); s.Requests != 5 || s.Lost.Requests != 3 {
		t.Errorf("%+v", s)
	}
}

type hanging struct {
	output
	gate chan struct{}
	once bool
}

func (h *hanging) WriteAt(p []byte, at int64) (int, error) {
	if h.once {
		<-h.gate
	}
	h.once = true // the header
	return h.output.WriteAt(p, at)
}

// RLIMIT_FSIZE and a full tmpfs are the same seen from here; this one is real.
func TestRealFullDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mnt")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := mountTmpfs(dir, 1<<20); err != nil {
		t.Skip("no tmpfs can be mounted here:", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, 0) })
	now := time.Unix(1000, 0)
	rec := filepath.Join(dir, "rec")
	w := create(t, Options{Dir: rec, Now: func() time.Time { return now }})
	fill := filepath.Join(dir, "fill")
	if err := os.WriteFile(fill, make([]byte, 900<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	send := func(n int) {
		for i := range n {
			raw := []byte(fmt.Sprintf("\x0a\x00%d", i))
			raw = append(raw[:2], incompressible(i, 20_000)...)
			_ = w.Append(context.Background(), run.Traces, 1, run.Receipt{At: int64(i), Sender: "s", Raw: raw})
			_ = w.Flush(context.Background())
		}
	}
	send(10)
	s := w.Status()
	if s.Failing != "no space left on device" || s.Requests == 0 || s.Lost.Requests == 0 || s.Requests+s.Lost.Requests != 10 {
		t.Fatalf("%+v", s)
	}
	if err := os.Remove(fill); err != nil {
		t.Fatal(err)
	}
	now = now.Add(2 * retryAfter)
	send(3)
	closed(t, w)
	if now := w.Status(); now.Requests != s.Requests+3 || now.Failing != "" {
		t.Errorf("%+v", now)
	}
	x, _, finished, err := walkFile(filepath.Join(rec, segmentName(1)))
	if err != nil || !finished || x.Frames != s.Requests+4 { // and the gap
		t.Errorf("%d frames, finished %v, %v", x.Frames, finished, err)
	}
}

// incompressible is n bytes without a pattern.
func incompressible(seed, n int) []byte {
	out := make([]byte, n)
	x := uint64(seed)*2654435761 + 1
	for i := range out {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		out[i] = byte(x)
	}
	return out
}

func walkFile(path string) (Index, int64, bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return Index{}, 0, false, err
	}
	defer f.Close()
	return walk(f)
}

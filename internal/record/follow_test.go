package record

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// following is a Follow under test: what it gives can be waited for.
type following struct {
	t      *testing.T
	cancel context.CancelFunc
	got    chan sent
	told   chan string
	meter  *Meter
	done   chan error
}

func follow(t *testing.T, paths ...string) *following {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	f := &following{t: t, cancel: cancel, got: make(chan sent, 1000), told: make(chan string, 100), done: make(chan error, 1), meter: NewMeter(nil, time.Now)}
	o := FollowOptions{Poll: time.Millisecond, Meter: f.meter, Now: func() time.Time { return time.Unix(77, 0) },
		Tell: func(_, text string, _ bool) { f.told <- text }}
	go func() {
		f.done <- Follow(ctx, paths, o, func(b *otlp.Batch, r run.Receipt) error {
			f.got <- sent{b.Signal, r.At, r.Sender, string(r.Raw), false}
			return nil
		})
	}()
	t.Cleanup(func() { cancel(); <-f.done })
	return f
}

// next waits for the next request.
func (f *following) next() sent {
	f.t.Helper()
	select {
	case s := <-f.got:
		return s
	case <-time.After(20 * time.Second): // a test that fails
		f.t.Fatalf("nothing comes; loading %+v, told %d", f.meter.Loading(), len(f.told))
		return sent{}
	}
}

// expect waits for requests with these receive times.
func (f *following) expect(at ...int64) {
	f.t.Helper()
	for _, want := range at {
		if got := f.next(); got.At != want {
			f.t.Fatalf("request of %d, want %d", got.At, want)
		}
	}
}

// stop ends it; nothing may be left.
func (f *following) stop() {
	f.t.Helper()
	f.cancel()
	if err := <-f.done; err != nil {
		f.t.Errorf("error %v", err)
	}
	f.done <- nil
	if len(f.got) > 0 {
		f.t.Errorf("%d requests more", len(f.got))
	}
	for len(f.told) > 0 {
		f.t.Errorf("told %q", <-f.told)
	}
}

// A recording is followed through its segments while it is written.
func TestFollowRecording(t *testing.T) {
	dir := t.TempDir()
	w := create(t, Options{Dir: dir, Sync: true, Rotate: 1500})
	all := requests(t, 30)
	appendAll(t, w, all[:7])
	f := follow(t, dir)
	f.expect(1000, 1001, 1002, 1003, 1004, 1005, 1006)
	for i := 7; i < 30; i++ {
		appendAll(t, w, all[i:i+1])
		f.expect(int64(1000 + i))
	}
	closed(t, w)
	w = create(t, Options{Dir: dir, Sync: true}) // recording goes on
	appendAll(t, w, all[:1])
	f.expect(1000)
	f.stop()
	if n := len(files(t, dir)); n < 4 {
		t.Errorf("only %d segments", n)
	}
}

// A group that is there in part, is cut back, and is then written anew, is read
// once and right. Zeros, as a network file system shows them, are waited for.
func TestFollowTornTail(t *testing.T) {
	all, b := segmentOf(t, 3)
	x, _, _ := ReadIndex(strings.NewReader(string(b)), int64(len(b)))
	path := filepath.Join(t.TempDir(), segmentName(1))
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	write := func(b []byte) { // cut first, as the writer does
		t.Helper()
		_, err := file.WriteAt(b, 0)
		if err := errors.Join(err, file.Truncate(int64(len(b)))); err != nil {
			t.Fatal(err)
		}
	}
	second, third := x.Groups[1].Offset, x.Groups[2].Offset
	write(b[:second+30])
	f := follow(t, path)
	f.expect(all[0].At)
	write(append(append([]byte(nil), b[:second]...), make([]byte, 300)...))
	waitLooks(f)
	write(b[:second])
	waitLooks(f)
	write(b[:third])
	f.expect(all[1].At)
	write(b)
	f.expect(all[2].At)
	f.stop()
}

// waitLooks lets a few looks at the files pass: the meter's clock shows that the
// test goes on, not that it waits long enough; a look too few makes it no weaker
// than not to wait.
func waitLooks(f *following) {
	for range 3 {
		_ = f.meter.Loading()
		time.Sleep(5 * time.Millisecond)
	}
}

// A torn tail that stays is told of once, when the next segment has come.
func TestFollowPastTornTail(t *testing.T) {
	dir := t.TempDir()
	all, b := segmentOf(t, 3)
	x, _, _ := ReadIndex(strings.NewReader(string(b)), int64(len(b)))
	if err := os.WriteFile(filepath.Join(dir, segmentName(1)), b[:x.Groups[2].Offset+20], 0o600); err != nil {
		t.Fatal(err)
	}
	f := follow(t, dir)
	f.expect(all[0].At, all[1].At)
	if err := os.WriteFile(filepath.Join(dir, segmentName(2)), b, 0o600); err != nil {
		t.Fatal(err)
	}
	f.expect(all[0].At, all[1].At, all[2].At)
	if text := <-f.told; !strings.Contains(text, segmentName(1)+":+") || !strings.Contains(text, "incomplete last record of 20 bytes") {
		t.Errorf("%q", text)
	}
	f.stop()
}

// Lines are read as they come, also in parts; a file that is replaced or cut is
// begun anew; new files in a directory are taken up.
func TestFollowLines(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "data.json")
	line := trace("a") + "\n"
	put := func(path, text string, flag int) {
		t.Helper()
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flag, 0o600)
		if err == nil {
			_, err = out.WriteString(text)
			err = errors.Join(err, out.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put(path, line, 0)
	old := time.Unix(55, 0)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	f := follow(t, dir)
	f.expect(old.UnixNano()) // what was there has the time of the last change
	now := time.Unix(77, 0).UnixNano()
	put(path, line[:20], os.O_APPEND)
	waitLooks(f)
	put(path, line[20:], os.O_APPEND)
	f.expect(now)

	// Rotated, as the Collector does it: renamed, and begun anew.
	put(path, line, os.O_APPEND)
	if err := os.Rename(path, filepath.Join(dir, "data-2026.json")); err != nil {
		t.Fatal(err)
	}
	put(path, line, 0)
	f.next()
	f.next()
	put(path, line, os.O_APPEND)
	f.next()

	// Cut in place, as copytruncate does.
	waitEnd(t, f)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	waitLooks(f)
	put(path, trace("longer")+"\n", os.O_APPEND)
	f.next()

	put(filepath.Join(dir, "rank-7.log"), "starting up\nINFO "+line+pyLine("4"), 0)
	f.next()
	f.next()
	f.stop()
}

func waitEnd(t *testing.T, f *following) {
	t.Helper()
	for !f.meter.Loading().Following {
		time.Sleep(time.Millisecond)
	}
}

func TestFollowDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.json")
	if err := os.WriteFile(path, []byte(trace("a")+"\nbad\n"+trace("b")+"\n"+`{"resourceSpans": 5}`+"\n"+trace("c")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := follow(t, path)
	for range 3 {
		f.next()
	}
	if text := <-f.told; !strings.HasPrefix(text, path+":4: ") {
		t.Errorf("%q", text)
	}
	f.stop()
}

func TestFollowErrors(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	err := Follow(context.Background(), []string{path}, FollowOptions{}, nil)
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
	if err := os.WriteFile(path, []byte(trace("a")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	err = Follow(context.Background(), []string{path}, FollowOptions{Poll: time.Millisecond}, func(*otlp.Batch, run.Receipt) error { return boom })
	if !errors.Is(err, boom) {
		t.Errorf("the sink's error is lost: %v", err)
	}
}

// The past is read file by file: the files of many ranks do not come mixed.
func TestFollowManyFiles(t *testing.T) {
	dir := t.TempDir()
	const n = 20
	for i := range n {
		text := strings.Repeat(trace(fmt.Sprint("rank", i))+"\n", 10)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("rank%02d.json", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := follow(t, dir)
	seen := map[string]int{}
	last := ""
	for range 10 * n {
		s := f.next()
		if seen[s.Sender]++; seen[s.Sender] > 1 && s.Sender != last {
			t.Fatalf("%s comes after %s", s.Sender, last)
		}
		last = s.Sender
	}
	waitEnd(t, f)
	if l := f.meter.Loading(); l.Files != n || l.Items != 10*n || l.Done != l.Total || l.Done == 0 {
		t.Errorf("%+v", l)
	}
	f.stop()
}

func TestMeter(t *testing.T) {
	dir := tree(t, map[string][]byte{"a": []byte(trace("a") + "\n"), "b": []byte(trace("b") + "\n" + trace("c") + "\n")})
	sources, err := Sources([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(5, 0)
	m := NewMeter(sources, func() time.Time { return now })
	total := m.Loading().Total
	for i, src := range sources {
		before := m.Version()
		if _, err := Import(context.Background(), src, (&collected{}).put); err != nil {
			t.Fatal(err)
		}
		if l := m.Loading(); l.File != i+1 || l.Path != src.Path || m.Version() == before {
			t.Errorf("%+v", l)
		}
	}
	now = now.Add(2 * time.Second)
	m.Finish(false)
	now = now.Add(time.Hour)
	if l := m.Loading(); l.Done != total || l.Total != total || l.Items != 3 || !l.Finished || l.Elapsed != 2*time.Second {
		t.Errorf("%+v", l)
	}
}

// What is followed and goes away is told of once, each time it goes; not when it is
// away for a moment, as in a rotation.
func TestFollowedAndGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	var told []string
	f := &follower{absent: map[string]int{}, o: FollowOptions{Tell: func(_, text string, _ bool) { told = append(told, text) }}}
	for _, step := range []struct{ looks, told int }{{longAbsent - 1, 0}, {longAbsent, 1}, {5 * longAbsent, 2}} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		f.find(dir)
		if err := os.Remove(dir); err != nil {
			t.Fatal(err)
		}
		for range step.looks {
			f.find(dir)
		}
		if len(told) != step.told {
			t.Errorf("after %d looks: told %q", step.looks, told)
		}
	}
	if want := dir + " is not there any more: what was read of it stays"; told[0] != want {
		t.Errorf("told %q, want %q", told[0], want)
	}
}

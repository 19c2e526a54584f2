package record

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// written records n requests of one span, each a group of its own, from second
// `from` on.
func written(t testing.TB, o Options, from, n int) run.Recording {
	t.Helper()
	w := create(t, o)
	for i := from; i < from+n; i++ {
		raw := append([]byte("\x0a\x00"), incompressible(i, 900)...)
		if err := w.Append(context.Background(), run.Traces, 1, run.Receipt{At: int64(i) * 1e9, Sender: "s", Raw: raw}); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	closed(t, w)
	return w.Status()
}

// sizeOf is the size of all files of a recording.
func sizeOf(t testing.TB, dir string) (n int64) {
	t.Helper()
	for _, name := range files(t, dir) {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		n += info.Size()
	}
	return n
}

// summaries imports a directory and gives the summary of each file.
func summaries(t testing.TB, dir string) (out []Summary) {
	t.Helper()
	sources, err := Sources([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, src := range sources {
		s, err := Import(context.Background(), src, func(*otlp.Batch, run.Receipt) error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

// A recording of bounded size keeps the newest, also over several writers, and
// what of it is gone is counted where it is read.
func TestKeep(t *testing.T) {
	dir := t.TempDir()
	const keep = 40_000
	for i := range 3 {
		s := written(t, Options{Dir: dir, Keep: keep}, 1+100*i, 100)
		if size := sizeOf(t, dir); size > keep+2000 || size < keep/2 {
			t.Errorf("writer %d: %d bytes", i, size)
		}
		first, _ := segmentNumber(files(t, dir)[0])
		if s.Older.Files != first-1 || first == 1 || s.Crowded != "" {
			t.Errorf("writer %d: %+v, the first file is %d", i, s, first)
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	s := written(t, Options{Dir: dir}, 301, 30) // without bound nothing more goes, and what went is still told
	all := summaries(t, dir)
	spans := uint64(0)
	for i, one := range all {
		spans += one.Records + one.BadRecords
		if i > 0 && (one.Older > 0 || len(one.Messages) > int(one.BadRecords)) {
			t.Errorf("file %d tells it again: %q", i, one.Messages)
		}
	}
	if s.Older.Total() == 0 || all[0].Older != s.Older.Total() || spans+all[0].Older != 330 || all[0].MissingFiles != 0 {
		t.Errorf("%d are there, %d are not, the writer says %+v", spans, all[0].Older, s.Older)
	}
	if want := "items that came between 1970-01-01T00:00:01Z and "; !strings.Contains(strings.Join(all[0].Messages, "\n"), want) {
		t.Errorf("%q lacks %q", all[0].Messages, want)
	}
}

// While it records a person is told.
func TestKeepIsTold(t *testing.T) {
	s := run.Recording{Dir: "d", Older: run.Older{Files: 3, Items: [run.SignalCount]uint64{5, 1, 1}, First: 1e9, Last: 2e9}, Crowded: "f: denied"}
	want := []run.Notice{
		{Code: "recording-crowded", Level: run.Warning, Count: 1, Text: "the recording in d grows beyond its size: f: denied"},
		{Code: "recording-shrunk", Level: run.Info, Count: 3,
			Text: "the recording in d is not whole: 7 items that came between 1970-01-01T00:00:01Z and 1970-01-01T00:00:02Z were in the oldest 3 files of the recording, deleted to keep to its size"},
	}
	if diff := cmp.Diff(want, Notices(s, true)); diff != "" {
		t.Error(diff)
	}
	if n := Notices(s, false); len(n) != 0 {
		t.Errorf("after its end: %+v", n)
	}
}

// What is not ours is not deleted: recording goes on and says so.
func TestKeepTouchesNothingElse(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"another file": func(p string) error { return os.WriteFile(p, make([]byte, 50_000), 0o600) },
		"a link":       func(p string) error { return os.Symlink("/etc/hosts", p) },
		"a directory":  func(p string) error { return os.Mkdir(p, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			written(t, Options{Dir: dir, Rotate: 5000}, 1, 30)
			first := filepath.Join(dir, segmentName(1))
			if err := os.Rename(first, first+".bak"); err != nil {
				t.Fatal(err)
			}
			if err := put(first); err != nil {
				t.Fatal(err)
			}
			s := written(t, Options{Dir: dir, Keep: 10_000}, 31, 30)
			if _, err := os.Lstat(first); err != nil || s.Requests != 30 || s.Older.Files != 0 || !strings.Contains(s.Crowded, segmentName(1)) {
				t.Errorf("%v, %+v", err, s)
			}
		})
	}
}

// Where the whole directory is deleted recording goes on, and nothing stands about
// its size.
func TestKeepInADirectoryThatIsGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "rec")
	w := create(t, Options{Dir: dir, Keep: 20_000})
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := w.Append(context.Background(), run.Logs, 1, run.Receipt{At: 1, Raw: []byte("\x0a\x00")}); err != nil {
		t.Fatal(err)
	}
	_ = w.Flush(context.Background())
	if s := w.Status(); s.Crowded != "" || s.Requests != 1 {
		t.Errorf("%+v", s)
	}
}

// Files that somebody deleted are missed, wherever they stood.
func TestMissingFiles(t *testing.T) {
	dir := t.TempDir()
	written(t, Options{Dir: dir, Rotate: 5000}, 1, 60)
	n := uint32(len(files(t, dir)))
	for _, gone := range []uint32{1, 2, 5, n - 1} {
		if err := os.Remove(filepath.Join(dir, segmentName(gone))); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	missing := uint64(0)
	for _, s := range summaries(t, dir) {
		missing += s.MissingFiles
		for _, m := range s.Messages {
			if strings.Contains(m, "not there") {
				got = append(got, strings.TrimPrefix(m, dir+"/"))
			}
		}
	}
	want := []string{
		"lensview-000003.rec: of the recording before it lensview-000001.rec to lensview-000002.rec are not there (somebody deleted them?)",
		"lensview-000006.rec: of the recording before it lensview-000005.rec is not there (somebody deleted them?)",
		segmentName(n) + ": of the recording before it " + segmentName(n-1) + " is not there (somebody deleted them?)",
	}
	if diff := cmp.Diff(want, got); diff != "" || missing != 4 {
		t.Errorf("%d files, %s", missing, diff)
	}
	one := Source{Path: filepath.Join(dir, segmentName(3))} // named itself, it is all that was asked for
	if s, err := Import(context.Background(), one, func(*otlp.Batch, run.Receipt) error { return nil }); err != nil || s.MissingFiles > 0 {
		t.Errorf("%+v, %v", s, err)
	}
}

// A follower that was there all the time misses nothing, one that comes late is
// told what it does not see.
func TestFollowABoundedRecording(t *testing.T) {
	dir := t.TempDir()
	s := written(t, Options{Dir: dir, Keep: 20_000}, 1, 60)
	var messages []string
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	o := FollowOptions{Poll: time.Millisecond, Tell: func(_, text string, _ bool) {
		if strings.Contains(text, "oldest") || strings.Contains(text, "not there") {
			messages = append(messages, text)
		}
	}}
	o.Meter = NewMeter(nil, time.Now)
	go func() {
		for l := o.Meter.Loading(); !l.Following && ctx.Err() == nil; l = o.Meter.Loading() {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	if err := Follow(ctx, []string{dir}, o, func(*otlp.Batch, run.Receipt) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if len(messages) != 1 || !strings.Contains(messages[0], olderText(s.Older)) {
		t.Errorf("%q", messages)
	}
}

// A follower from which files are deleted before it comes to them is told of that.
func TestKeepIsFasterThanAFollower(t *testing.T) {
	dir := t.TempDir()
	written(t, Options{Dir: dir, Keep: 20_000}, 1, 60)
	oldest := files(t, dir)[0]
	number, _ := segmentNumber(oldest)
	s, err := Import(context.Background(), Source{Path: filepath.Join(dir, oldest), gone: 2}, func(*otlp.Batch, run.Receipt) error { return nil })
	want := ": of the recording before it " + span(number-2, number-1) + " not there (deleted to keep to its size before they were read here)"
	if err != nil || s.MissingFiles != 2 || s.Older != 0 || !strings.Contains(strings.Join(s.Messages, "\n"), want) {
		t.Errorf("%+v, %v", s, err)
	}
}

// The note reads as it was written, and is found where the newest segment lost it.
func TestOlder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	want := older{Files: r.Uint32(), Items: [run.SignalCount]uint64{r.Uint64(), r.Uint64(), r.Uint64()}, First: r.Int64(), Last: r.Int64()}
	b := want.append(nil)
	if got, ok := parseOlder(b); !ok || got != want || len(b) != olderSize {
		t.Errorf("%+v, want %+v in %d bytes", got, want, len(b))
	}
	for i := range b {
		b[i] ^= 1
		if _, ok := parseOlder(b); ok {
			t.Errorf("byte %d is damaged and nobody sees it", i)
		}
		b[i] ^= 1
	}
	dir := t.TempDir()
	write := func(n uint32, content []byte) {
		if err := os.WriteFile(filepath.Join(dir, segmentName(n)), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(7, append(header{7, 1}.append(nil), b...))
	write(8, append(header{8, 1}.append(nil), b[:20]...))
	write(9, nil)
	if got := (folder{path: dir}).older(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	x, end, _, err := walkFile(filepath.Join(dir, segmentName(7)))
	if err != nil || end != int64(headerSize+olderSize) || x.Frames != 0 {
		t.Errorf("%+v up to %d, %v", x, end, err)
	}
}

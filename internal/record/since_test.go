package record

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// seconds records n requests, one a second from second 1 on, in segments of a few,
// and leaves the last as a writer that is killed does.
func seconds(t *testing.T, o Options, n int) {
	t.Helper()
	o.Dir = t.TempDir()
	w := create(t, o)
	for i := range n {
		s := requests(t, 1)[0]
		s.At = int64(i+1) * 1e9
		appendAll(t, w, []sent{s})
		if err := w.Flush(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(o.Dir)
}

// readTimes imports sources and gives the receive times in seconds.
func readTimes(t *testing.T, sources []Source) (got []int64, messages []string) {
	t.Helper()
	for _, src := range sources {
		s, err := Import(context.Background(), src, func(_ *otlp.Batch, r run.Receipt) error {
			got = append(got, r.At/1e9)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		messages = append(messages, s.Messages...)
	}
	return got, messages
}

func sourcesOf(t *testing.T, paths ...string) []Source {
	t.Helper()
	sources, err := Sources(paths, strings.NewReader(""))
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

// The end of a recording is what a reading of all of it has there, whatever state
// its files are in, and the rest is not read.
func TestLast(t *testing.T) {
	last := func(name string) func() error {
		return func() error {
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
			if err != nil {
				return err
			}
			_, err = f.Write(group{packed: 900, plain: 1000, last: 1e12}.bytes())
			return errors.Join(err, f.Close())
		}
	}
	none := func() error { return nil }
	for name, tt := range map[string]struct {
		o       Options
		n       int
		d       time.Duration
		then    func() error
		message int
	}{
		"in one segment":    {Options{}, 40, 10 * time.Second, none, 1},
		"over some":         {Options{Rotate: 700}, 40, 25 * time.Second, none, 1},
		"all":               {Options{Rotate: 700}, 20, time.Hour, none, 1},
		"the very last":     {Options{Rotate: 700}, 20, 0, none, 1},
		"of bounded size":   {Options{Keep: 2000}, 60, 5 * time.Second, none, 1},
		"with a torn group": {Options{}, 20, 5 * time.Second, last(segmentName(1)), 2},
		"damaged":           {Options{}, 20, 5 * time.Second, func() error { return flip(segmentName(1), 500) }, 1},
		"without its index": {Options{Rotate: 700}, 20, 30 * time.Second, func() error { return os.Truncate(segmentName(2), 400) }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			seconds(t, tt.o, tt.n)
			if err := tt.then(); err != nil {
				t.Fatal(err)
			}
			all, _ := readTimes(t, sourcesOf(t, "."))
			from := slices.Max(all) - int64(tt.d.Seconds())
			want := slices.DeleteFunc(all, func(at int64) bool { return at < from })
			sources, err := Last(sourcesOf(t, "."), tt.d)
			if err != nil {
				t.Fatal(err)
			}
			got, messages := readTimes(t, sources)
			if diff := cmp.Diff(want, got); diff != "" || len(messages) != tt.message || !strings.Contains(messages[0], "is passed over") {
				t.Errorf("%s %q", diff, messages)
			}
		})
	}
}

func (g group) bytes() []byte { return g.append(nil) }

// flip damages a byte of a file.
func flip(name string, at int) error {
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	b[at] ^= 0x55
	return os.WriteFile(name, b, 0o600)
}

// An index that cannot be right is not sought by.
func TestLastByAnIndexThatLies(t *testing.T) {
	for _, places := range [][]IndexGroup{{{-5, 9e18}}, {{1 << 40, 9e18}}, {{500, 1}, {400, 9e18}}} {
		seconds(t, Options{Delay: 1}, 20)
		f, err := os.OpenFile(segmentName(1), os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		x := Index{Groups: places}
		if _, err := f.Write(x.append(nil)); err != nil {
			t.Fatal(err)
		}
		f.Close()
		sources, err := Last(sourcesOf(t, "."), 5*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := readTimes(t, sources); !slices.Equal(got, []int64{15, 16, 17, 18, 19, 20}) {
			t.Errorf("%v: %v", places, got)
		}
	}
}

func TestLastReadsNoMore(t *testing.T) {
	seconds(t, Options{Rotate: 5000}, 200)
	sources, err := Last(sourcesOf(t, "."), 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	m := NewMeter(sources, time.Now)
	got, _ := readTimes(t, sources)
	if l := m.Loading(); len(got) != 11 || l.Done != l.Total || l.Done > sizeOf(t, ".")/8 {
		t.Errorf("%d requests, %d of %d bytes, the files have %d", len(got), l.Done, l.Total, sizeOf(t, "."))
	}
}

func TestLastOfNoRecording(t *testing.T) {
	dir := t.TempDir()
	lines, odd := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, segmentName(3))
	for path, text := range map[string]string{lines: trace("a"), odd: "no recording at all, and not a short one either"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{lines, odd, Stdin} {
		if _, err := Last(sourcesOf(t, path), time.Hour); !errors.Is(err, ErrNoTimes) {
			t.Errorf("%s: %v", path, err)
		}
		if err := Follow(context.Background(), []string{path}, FollowOptions{Last: time.Hour}, nil); err == nil {
			t.Errorf("%s is followed", path)
		}
	}
}

// A follower begins near the end, too, and goes on.
func TestFollowLast(t *testing.T) {
	dir := t.TempDir()
	w := create(t, Options{Dir: dir, Rotate: 700})
	second := func(at ...int64) {
		for _, one := range at {
			s := requests(t, 1)[0]
			s.At = one * 1e9
			appendAll(t, w, []sent{s})
			if err := w.Flush(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range int64(50) {
		second(i)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	got := make(chan int64, 100)
	ended := make(chan error)
	o := FollowOptions{Poll: time.Millisecond, Last: 3 * time.Second, Tell: func(_, text string, _ bool) {
		if !strings.Contains(text, "is passed over") {
			t.Error(text)
		}
	}}
	o.Meter = NewMeter(nil, time.Now)
	go func() {
		ended <- Follow(ctx, []string{dir}, o, func(_ *otlp.Batch, r run.Receipt) error {
			got <- r.At / 1e9
			return nil
		})
	}()
	expect := func(want ...int64) {
		t.Helper()
		for _, at := range want {
			select {
			case one := <-got:
				if one != at {
					t.Fatalf("second %d, want %d", one, at)
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("second %d does not come", at)
			}
		}
	}
	expect(46, 47, 48, 49)
	second(50, 51, 52, 53, 54, 55, 56, 57, 58)
	expect(50, 51, 52, 53, 54, 55, 56, 57, 58)
	cancel()
	if err := <-ended; err != nil || len(got) > 0 {
		t.Errorf("%v, %d more", err, len(got))
	}
	if l := o.Meter.Loading(); l.Done > l.Total && l.Total > 0 && l.Done > sizeOf(t, dir) {
		t.Errorf("%+v", l)
	}
}

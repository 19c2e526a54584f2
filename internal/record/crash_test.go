package record

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// crashDir makes the test binary a recorder that never ends, for the tests that
// kill it.
var crashDir = flag.String("record.child", "", "record to this directory until killed")

func TestMain(m *testing.M) {
	flag.Parse()
	if *crashDir != "" {
		fmt.Println(recordForEver(*crashDir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// recordForEver appends requests and prints the number of each one that was
// acknowledged.
func recordForEver(dir string) error {
	w, err := Create(Options{Dir: dir, Sync: true, Rotate: 64 << 10})
	if err != nil {
		return err
	}
	for i := int64(1); ; i++ {
		raw := append([]byte{0x0a, 0x00}, incompressible(int(i), 3000)...)
		if err := w.Append(context.Background(), run.Logs, 1, run.Receipt{At: i, Sender: "s", Raw: raw}); err != nil {
			return err
		}
		fmt.Println(i)
	}
}

// kill -9 loses nothing that was acknowledged; a reader and the next writer each
// tell of the torn record at most once.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-record.child="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var last int64
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, err := fmt.Sscan(lines.Text(), &last); err != nil {
			t.Fatalf("the child says %q", lines.Text())
		}
		if last == 60 {
			if err := cmd.Process.Kill(); err != nil { // SIGKILL
				t.Fatal(err)
			}
		}
	}
	_ = cmd.Wait()
	tearLast(t, dir)
	for i, want := range []int{1, 0} { // before and after a writer came by
		frames, messages := framesOf(t, dir)
		for k := int64(1); k <= last; k++ {
			if frames[k] != 1 {
				t.Fatalf("request %d of %d is there %d times", k, last, frames[k])
			}
		}
		if len(messages) != want {
			t.Errorf("look %d: %q", i, messages)
		}
		if i == 0 {
			w := create(t, Options{Dir: dir})
			if w.cut.cut != 100 {
				t.Errorf("%d bytes were cut back, 100 were torn", w.cut.cut)
			}
			closed(t, w)
		}
	}
}

// tearLast puts the first part of a group at the end of the last segment, as a
// kill in the middle of a write leaves it: that moment cannot be hit for sure.
func tearLast(t *testing.T, dir string) {
	t.Helper()
	all := files(t, dir)
	path := filepath.Join(dir, all[len(all)-1])
	g := group{packed: 5000, plain: 6000, frames: 1, first: 1, last: 1}
	x, end, finished, err := walkFile(path)
	if err != nil || finished {
		t.Fatalf("%+v %v %v", x, finished, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(end); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt(append(g.append(nil), make([]byte, 100-groupSize)...), end); err != nil {
		t.Fatal(err)
	}
}

// framesOf is how often each receive time is in a recording. It reads below the
// decoder: the requests of the child are no telemetry.
func framesOf(t *testing.T, dir string) (seen map[int64]int, messages []string) {
	t.Helper()
	seen = map[int64]int{}
	unpack := newUnpacker()
	defer unpack.Close()
	for _, name := range files(t, dir) {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		in := sections{newWindow(f, 0)}
		for {
			s, err := in.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if s.kind == aTorn || s.kind == aDamage {
				messages = append(messages, name)
			}
			if s.kind != aGroup {
				continue
			}
			b, err := unpack.DecodeAll(s.packed, nil)
			if err != nil {
				t.Fatal(err)
			}
			for len(b) > 0 {
				var one frame
				if one, b, err = nextFrame(b); err != nil {
					t.Fatal(err)
				}
				seen[one.at]++
			}
		}
	}
	return seen, messages
}

// segmentOf is the bytes of a recording of n requests, each in a group of its own.
func segmentOf(t testing.TB, n int) (all []sent, segment []byte) {
	t.Helper()
	dir := t.TempDir()
	w := create(t, Options{Dir: dir, Sync: true})
	all = requests(t, n)
	appendAll(t, w, all)
	closed(t, w)
	b, err := os.ReadFile(filepath.Join(dir, segmentName(1)))
	if err != nil {
		t.Fatal(err)
	}
	return all, b
}

func importBytes(t testing.TB, b []byte) (Summary, []sent) {
	t.Helper()
	c := &collected{}
	var got []sent
	s, err := Import(context.Background(), fromBytes(b), c.into(&got))
	if err != nil {
		t.Fatal(err)
	}
	return s, got
}

// Whatever byte of a recording is damaged, at most one group is lost, and the
// place is named.
func TestDamagedRecording(t *testing.T) {
	all, b := segmentOf(t, 6)
	want := asRead(t, all)
	indexAt := len(b) - len(indexOf(t, b))
	for i := 0; i < len(b); i += 3 { // every field has several bytes
		s, got := importBytes(t, flipped(b, i))
		if i < skipSize+len(signature) || i < 12 { // no recording any more
			continue
		}
		if len(got) < len(want)-1 || len(s.Messages) != 1 || len(got) == len(want) && i > headerSize && i < indexAt {
			t.Fatalf("byte %d: %d requests, %q", i, len(got), s.Messages)
		}
		if !strings.Contains(s.Messages[0], "f:+") {
			t.Errorf("byte %d: %q", i, s.Messages)
		}
	}
}

// indexOf is the index frame at the end of a segment.
func indexOf(t testing.TB, b []byte) []byte {
	t.Helper()
	x, ok, err := ReadIndex(strings.NewReader(string(b)), int64(len(b)))
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	return x.append(nil)
}

// Wherever a recording is cut, all whole groups are read and the tail is told of
// once.
func TestCutRecording(t *testing.T) {
	all, b := segmentOf(t, 6)
	want := asRead(t, all)
	last := 0
	for n := skipSize + len(signature); n < len(b); n += 3 {
		s, got := importBytes(t, b[:n])
		if len(got) < last || len(s.Messages) > 1 || s.BadRecords > 0 || s.IncompleteTail != (len(s.Messages) == 1) {
			t.Fatalf("cut at %d: %d requests, %+v", n, len(got), s)
		}
		last = len(got)
	}
	if last != len(want) {
		t.Errorf("%d requests of %d before the index", last, len(want))
	}
}

func TestRecordingOfSeveralSegments(t *testing.T) {
	all, b := segmentOf(t, 4)
	s, got := importBytes(t, append(append([]byte(nil), b...), b...))
	if len(got) != 2*len(all) || len(s.Messages) > 0 || s.Format != Recording {
		t.Errorf("%d requests, %+v", len(got), s)
	}
	s, got = importBytes(t, gzipped(t, b))
	if len(got) != len(all) || s.Format != Recording {
		t.Errorf("gzipped: %d requests, %+v", len(got), s)
	}
}

func TestNewerRecording(t *testing.T) {
	_, b := segmentOf(t, 2)
	b[skipSize+len(signature)] = 9
	binary.LittleEndian.PutUint32(b[headerSize-4:], checksum(b[:headerSize-4]))
	s, got := importBytes(t, b)
	if len(got) != 0 || s.BadRecords != 1 || !strings.Contains(s.Messages[0], "recording format 9; this lensview reads 1: use a newer one") {
		t.Errorf("%d requests, %+v", len(got), s)
	}
}

func TestIndex(t *testing.T) {
	all, b := segmentOf(t, 5)
	x, ok, err := ReadIndex(strings.NewReader(string(b)), int64(len(b)))
	if err != nil || !ok || len(x.Groups) != 5 || x.Frames != 5 || x.First != all[0].At || x.Last != all[4].At {
		t.Fatalf("%+v %v %v", x, ok, err)
	}
	if x.Items != [run.SignalCount]uint64{2, 4, 1} {
		t.Errorf("items %v", x.Items)
	}
	for i, g := range x.Groups {
		head, err := parseGroup(b[g.Offset : g.Offset+groupSize])
		if err != nil || head.last != g.Last || g.Last != all[i].At {
			t.Errorf("group %d: %+v, %v", i, head, err)
		}
	}
	if _, ok, err := ReadIndex(strings.NewReader(string(b[:len(b)-1])), int64(len(b)-1)); ok || err != nil {
		t.Errorf("a segment that is cut gives %v, %v", ok, err)
	}
}

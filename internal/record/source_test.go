package record

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func gzipped(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// tree writes files and returns their directory.
func tree(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestSources(t *testing.T) {
	line := []byte(trace("a") + "\n")
	dir := tree(t, map[string][]byte{"b.json": line, "a/z": line, "a/c.gz": gzipped(t, line), "README.md": []byte("# hello\n\nworld\n"), "empty": nil})
	if err := os.Symlink(filepath.Join(dir, "b.json"), filepath.Join(dir, "link")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "loop")); err != nil {
		t.Skip(err)
	}
	sources, err := Sources([]string{dir, "-", filepath.Join(dir, "b.json")}, bytes.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, src := range sources {
		s, err := Import(context.Background(), src, (&collected{}).put)
		if err != nil {
			t.Fatal(err)
		}
		path := strings.TrimPrefix(s.Path, dir+string(filepath.Separator))
		got = append(got, strings.Join(append([]string{path, strings.Repeat("*", int(s.Spans))}, s.Messages...), " "))
		if s.BadRecords != 0 {
			t.Errorf("%s: %d bad records", path, s.BadRecords)
		}
	}
	want := []string{
		"README.md  " + filepath.Join(dir, "README.md") + ": passed over: no telemetry in it",
		"a/c.gz *", "a/z *", "b.json *", "empty ", "link *", "stdin *", "b.json *",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSourcesThatAreNot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nothing")
	if _, err := Sources([]string{path}, nil); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
	s, err := Import(context.Background(), Source{Path: path}, (&collected{}).put)
	if !errors.Is(err, fs.ErrNotExist) || s.Path != path {
		t.Errorf("error %v, summary %+v", err, s)
	}
}

// A file or directory below the one that was named that may not be read costs
// the others nothing and is told of.
func TestSourcesThatMayNotBeRead(t *testing.T) {
	line := []byte(trace("a") + "\n")
	dir := tree(t, map[string][]byte{"a": line, "b": line, "c/d": line, "e": line})
	for _, closed := range []string{"b", "c"} {
		if err := os.Chmod(filepath.Join(dir, closed), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "c"), 0o700) }) // so that it can be removed
	if _, err := os.Open(filepath.Join(dir, "b")); err == nil {
		t.Skip("this user may read everything")
	}
	sources, err := Sources([]string{dir}, nil)
	if err != nil {
		t.Fatal(err)
	}
	spans := uint64(0)
	for i, src := range sources {
		s, err := Import(context.Background(), src, (&collected{}).put)
		if err != nil {
			t.Fatal(err)
		}
		if refused := i == 1 || i == 2; refused && (s.BadRecords != 1 || !strings.HasSuffix(s.Messages[0], "cannot be read: permission denied")) {
			t.Errorf("%s: %q", src.Path, s.Messages)
		}
		spans += s.Spans
	}
	if spans != 2 || len(sources) != 4 {
		t.Errorf("%d spans from %d sources, want 2 from 4", spans, len(sources))
	}
	if _, err := Import(context.Background(), Source{Path: filepath.Join(dir, "b")}, (&collected{}).put); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("named itself it gives %v", err)
	}
}

// What the system refuses is met without the help of file permissions, too,
// which do not bind every user.
func TestFoundSourceThatCannotBeRead(t *testing.T) {
	gone := Source{Path: filepath.Join(t.TempDir(), "gone"), found: true}
	closed := Source{Path: "d", found: true, closed: &fs.PathError{Op: "open", Path: "d", Err: fs.ErrPermission}}
	broken := Source{Path: "f", found: true, Input: io.MultiReader(strings.NewReader(trace("a")+"\n"), &failingReader{})}
	for _, src := range []Source{gone, closed, broken} {
		s, err := Import(context.Background(), src, (&collected{}).put)
		if err != nil || s.BadRecords != 1 || !strings.Contains(s.Messages[0], "cannot be read: ") {
			t.Errorf("%s: %v, %q", src.Path, err, s.Messages)
		}
		src.found = false
		if _, err := Import(context.Background(), src, (&collected{}).put); err == nil {
			t.Errorf("%s named itself gives no error", src.Path)
		}
	}
}

func TestSourcesBelowALink(t *testing.T) {
	dir := tree(t, map[string][]byte{"real/a": []byte(trace("a") + "\n")})
	link := filepath.Join(dir, "link")
	if err := os.Symlink("real", link); err != nil {
		t.Skip(err)
	}
	sources, err := Sources([]string{link}, nil)
	if err != nil || len(sources) != 1 || sources[0].Path != filepath.Join(link, "a") {
		t.Errorf("%v, %v", sources, err)
	}
}

// What a file holds is told from its bytes, whatever it is called.
func TestPacking(t *testing.T) {
	lines := []byte(trace("a") + "\n" + trace("b") + "\n")
	whole := gzipped(t, lines)
	for name, c := range map[string]struct {
		data []byte
		want counts
		word string
	}{
		"gzip":               {data: whole, want: counts{Spans: 2}},
		"gzip in gzip":       {data: gzipped(t, whole), want: counts{Spans: 2}},
		"two members":        {data: append(gzipped(t, lines), whole...), want: counts{Spans: 4}},
		"cut gzip":           {data: whole[:len(whole)-12], want: counts{IncompleteTail: true}, word: "still being written"},
		"cut in the trailer": {data: whole[:len(whole)-4], want: counts{Spans: 2, IncompleteTail: true}, word: "compressed stream ends early"},
		"cut in the header":  {data: whole[:5], want: counts{IncompleteTail: true}, word: "compressed stream ends early"},
		"wrong checksum":     {data: flipped(whole, len(whole)-6), want: counts{Spans: 2, BadRecords: 1}, word: "damaged gzip"},
		"trailing bytes":     {data: append(bytes.Clone(whole), "garbage and more"...), want: counts{Spans: 2, BadRecords: 1}, word: "damaged gzip"},
		"false gzip":         {data: []byte("\x1f\x8bnot gzip at all"), want: counts{BadRecords: 1}, word: "damaged gzip"},
	} {
		s, err := Import(context.Background(), Source{Path: "x.json", Input: bytes.NewReader(c.data)}, (&collected{}).put)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c.want.Format = OTLPJSON
		if name == "cut gzip" { // how much a cut stream still gives is up to the compressor
			c.want.Spans = s.Spans
		}
		if diff := cmp.Diff(c.want, countsOf(s)); diff != "" {
			t.Errorf("%s: %s %q", name, diff, s.Messages)
		}
		if !strings.Contains(strings.Join(s.Messages, "\n"), c.word) {
			t.Errorf("%s: %q", name, s.Messages)
		}
	}
}

func flipped(b []byte, i int) []byte {
	b = bytes.Clone(b)
	b[i] ^= 0xff
	return b
}

// Forms that are not read are named; in a directory they stop nothing.
func TestPackingNotRead(t *testing.T) {
	for magic, word := range map[string]string{
		"\xff\xfe{\x00": "UTF-16 ", "\xfe\xff\x00{": "UTF-16 ",
		"{\x00\"\x00": "-f UTF-16LE", "\x00{\x00\"": "-f UTF-16BE", "{\x00\x00\x00\"": "-f UTF-32LE",
		"\xff\xfe\x00\x00{\x00\x00\x00": "UTF-32 ", "\x00\x00\xfe\xff\x00\x00\x00{": "UTF-32 ",
	} {
		src := Source{Path: "f", Input: strings.NewReader(magic)}
		if _, err := Import(context.Background(), src, (&collected{}).put); err == nil || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), "import f") {
			t.Errorf("%q gives %v", magic, err)
		}
		src = Source{Path: "f", Input: strings.NewReader(magic), found: true}
		s, err := Import(context.Background(), src, (&collected{}).put)
		if err != nil || len(s.Messages) != 1 || !strings.Contains(s.Messages[0], word) {
			t.Errorf("%q in a directory gives %v, %q", magic, err, s.Messages)
		}
	}
}

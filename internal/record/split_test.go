package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// split is the pieces of a stream in words.
func split(t testing.TB, in io.Reader, size, longest int) []string {
	t.Helper()
	s := newSplitter(in, longest)
	s.buf = make([]byte, size)
	var out []string
	for {
		p, err := s.next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		kind := map[pieceKind]string{aRecord: "record", aText: "text", aBroken: "broken", aTail: "tail"}[p.kind]
		out = append(out, fmt.Sprintf("%d %s %s%s", p.line, kind, p.data, p.reason))
	}
}

func TestSplit(t *testing.T) {
	for text, want := range map[string][]string{
		"":                          nil,
		`{}`:                        {"1 record {}"},
		"{}{}\n{}":                  {"1 record {}", "1 record {}", "2 record {}"},
		`{"a":"}\"{\\"}` + "\n":     {`1 record {"a":"}\"{\\"}`},
		"\n\n{\n}\n x\n{}":          {"3 record {\n}", "5 text ", "6 record {}"},
		`{"a":[{}` + "\n{}\n":       {"1 broken the record is cut; the next one begins at line 2", "2 record {}"},
		"{\"a\":[\n{}\n]}\n{}":      {"1 record {\"a\":[\n{}\n]}", "4 record {}"},
		"}\n]\n,\n{}":               {"1 text ", "4 record {}"},
		`[INFO] {"a":1} b` + "\n{}": {`1 record {"a":1}`, "1 text ", "2 record {}"},
		`log {"a":` + "\n{}":        {"1 text ", "2 record {}"},
		`{"a":`:                     {"1 tail "},
		"{\n \"a\":\n":              {"1 tail "},
		"{\"a\":\"\n\n\n  {}\n{}":   {"1 broken the line ends inside a string", "5 record {}"},
		"  {\"a\":\"\n    {}\n  {}": {"1 broken the line ends inside a string", "3 record {}"},
		"a\x00b\n\x00\x00{}":        {"1 text ", "2 record {}"},
	} {
		got := split(t, strings.NewReader(text), readSize, 1<<20)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
		if diff := cmp.Diff(got, split(t, iotest.OneByteReader(strings.NewReader(text)), 1, 1<<20)); diff != "" {
			t.Errorf("%q in single bytes: %s", text, diff)
		}
	}
}

// However the bytes come, the pieces are the same.
func TestSplitOfDamageInParts(t *testing.T) {
	for _, c := range damageCases() {
		whole := split(t, strings.NewReader(c.text), readSize, 1<<20)
		for _, size := range []int{1, 3, 64} {
			if diff := cmp.Diff(whole, split(t, iotest.HalfReader(strings.NewReader(c.text)), size, 1<<20)); diff != "" {
				t.Errorf("%s with a buffer of %d: %s", c.name, size, diff)
			}
		}
		if diff := cmp.Diff(whole, split(t, iotest.DataErrReader(strings.NewReader(c.text)), 16, 1<<20)); diff != "" {
			t.Errorf("%s with the end beside the data: %s", c.name, diff)
		}
	}
}

func TestSplitTooLong(t *testing.T) {
	text := `{"a":"` + strings.Repeat("x", 4000) + `"}` + "\n{}\n" + strings.Repeat("y", 4000) + "\n{}"
	want := []string{"1 broken the record is longer than 0 MiB", "2 record {}", "3 text ", "4 record {}"}
	if diff := cmp.Diff(want, split(t, strings.NewReader(text), 16, 1000)); diff != "" {
		t.Error(diff)
	}
}

func TestSplitWithoutProgress(t *testing.T) {
	s := newSplitter(stuckReader{}, 1000)
	if _, err := s.next(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("error %v", err)
	}
}

type stuckReader struct{}

func (stuckReader) Read([]byte) (int, error) { return 0, nil }

// endless gives a line again and again, up to a number of bytes.
type endless struct {
	line []byte
	left int
	off  int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), e.left)], e.line[e.off:])
	e.off = (e.off + n) % len(e.line)
	e.left -= n
	return n, nil
}

// A stream needs no more memory than its largest record, whatever is in it.
func TestSplitMemory(t *testing.T) {
	for name, line := range map[string]string{
		"records": trace("a") + "\n", "text": "hello world\n", "one line": "hello world ", "NULs": "\x00", "fused": trace("a"),
		"cut": `{"resourceSpans":[` + "\n", "array": trace("a") + ",", "open brackets": `{"a":[`, "strings": "{\"a\":\"b\n",
		"label": `x {"a": `, "pretty text": "{\n", "braces": "{ ",
	} {
		s := newSplitter(&endless{line: []byte(line), left: 4 * readSize}, 1<<20)
		for {
			if _, err := s.next(); err != nil {
				break
			}
		}
		if len(s.buf) > readSize {
			t.Errorf("%s: the buffer grew to %d bytes", name, len(s.buf))
		}
	}
}

// largeRecord gives one request of spans of 1 kB, as one line or over many.
func largeRecord(spans int, separator string) io.Reader {
	const tail = `]}]}]}`
	span := `{"traceId":"` + hexA + `","spanId":"` + hex1 + `","name":"` + strings.Repeat("n", 900) + `"}`
	return io.MultiReader(
		strings.NewReader(`{"resourceSpans":[{"scopeSpans":[{"spans":[`),
		&endless{line: []byte(span + separator), left: (spans - 1) * len(span+separator)},
		strings.NewReader(span+tail),
	)
}

// CASES row 17: one line of 80 MB, and the same over many lines. The memory that
// the process has from the system grows by no more than doc.go says.
func TestLargeRecord(t *testing.T) {
	if testing.Short() {
		t.Skip("80 MB")
	}
	for separator, spans := range map[string]int{",": 80_000, ",\n    ": 10_000} {
		name := fmt.Sprintf("%d spans separated by %q", spans, separator)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := Import(context.Background(), Source{Path: "f", Input: largeRecord(spans, separator)}, func(*otlp.Batch, run.Receipt) error { return nil })
		if err != nil || s.Spans != uint64(spans) || s.BadRecords != 0 {
			t.Errorf("%s: %d spans, %d bad, %v", name, s.Spans, s.BadRecords, err)
		}
		runtime.ReadMemStats(&after)
		record := int64(spans) << 10
		grown := max(0, int64(after.HeapSys)-int64(before.HeapSys)) // what was free may have gone back meanwhile
		t.Logf("%s: the heap grew by %.1f times the record", name, float64(grown)/float64(record))
		if grown > 6*record {
			t.Errorf("%s: the heap grew by %d MB for a record of %d MB", name, grown>>20, record>>20)
		}
	}
}

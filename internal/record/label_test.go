package record

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

func joined(t testing.TB, text string, size int) string {
	t.Helper()
	out, err := io.ReadAll(newLabels(bufio.NewReaderSize(strings.NewReader(text), size)))
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestLabels(t *testing.T) {
	long := strings.Repeat("x", 100)
	for name, tt := range map[string]struct{ text, want string }{
		"one":                   {"0: {\n0:     \"a\": 1,\n0:     \"b\": {\n0:         \"c\": 2\n0:     }\n0: }\nend\n", "\n\n\n\n\n0: {\"a\": 1,\"b\": {\"c\": 2}}\nend\n"},
		"two in each other":     {"0: {\n1: {\n0:  \"a\": 1\n1:  \"b\": 2\n1: }\n0: }\n", "\n\n\n\n1: {\"b\": 2}\n0: {\"a\": 1}\n"},
		"torchrun":              {"[rank1]:{\n[rank1]:  \"a\": 1\n[rank1]:}\n", "\n\n[rank1]:{\"a\": 1}\n"},
		"a container":           {"web  | {\r\nweb  |   \"a\": 1\r\nweb  | }\r\n", "\n\nweb  | {\"a\": 1}\n"},
		"no label":              {"{\n  \"a\": 1\n}\n", "{\n  \"a\": 1\n}\n"},
		"a line of its own":     {"0: {\"a\": 1}\n", "0: {\"a\": 1}\n"},
		"text between":          {"0: {\nhello\n0:  \"a\": 1\n0: }\n", "\nhello\n\n0: {\"a\": 1}\n"},
		"cut by another":        {"0: {\n0:  \"a\": 1,\n0: {\n0:  \"b\": 2\n0: }\n", "\n\n0: {\"a\": 1,\n\n0: {\"b\": 2}\n"},
		"no end":                {"0: {\n0:  \"a\": 1\n1: {\n", "\n\n0: {\"a\": 1\n1: {"},
		"no end of the line":    {"0: {\n0:  \"a\"", "\n0: {\"a\""},
		"text at the end":       {"0: {\n0:  \"a\": 1\nx", "\n\nx\n0: {\"a\": 1"},
		"longer than reads":     {"0: {\n0:  \"a\": \"" + long + "\",\n0:  \"b\": 1\n0: }\n" + long + "\nz\n", "\n\n\n0: {\"a\": \"" + long + "\",\"b\": 1}\n" + long + "\nz\n"},
		"braces that are text":  {"{ {\nconfig {\n\": {\n: }\n", "{ {\nconfig {\n\": {\n: }\n"},
		"nothing":               {"", ""},
		"only a label":          {"0: {\n", "0: {"},
		"indented by its label": {"0:   {\n0:     \"a\": 1\n0:   }\n", "\n\n0:   {\"a\": 1}\n"},
	} {
		for _, size := range []int{16, 4096} {
			if diff := cmp.Diff(tt.want, strings.ReplaceAll(joined(t, tt.text, size), "\r", "")); diff != "" {
				t.Errorf("%s in reads of %d: %s", name, size, diff)
			}
		}
	}
}

// What eight ranks print one into the other is what each of them prints.
func TestLabelledConsole(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "python-console.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, want := importText(t, string(text))
	const ranks = 8
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	var mixed strings.Builder
	for i := range len(lines) + ranks - 1 {
		for rank := range ranks {
			if k := i - rank; k >= 0 && k < len(lines) {
				fmt.Fprintf(&mixed, "%*d: %s\n", 2, rank, lines[k])
			}
		}
	}
	s, got := importText(t, mixed.String())
	if s.Format != PythonConsole || s.BadRecords > 0 || int(s.Spans) != ranks*len(want.spans) || len(want.spans) != 4 || s.OtherLines != 3*ranks {
		t.Errorf("%+v", s)
	}
	names := func(spans []run.Span) map[string]int {
		out := map[string]int{}
		for i := range spans {
			out[fmt.Sprintf("%+v", spans[i])]++
		}
		return out
	}
	one := names(want.spans)
	for span := range one {
		one[span] *= ranks
	}
	if diff := cmp.Diff(one, names(got.spans)); diff != "" {
		t.Error(diff)
	}
}

// Bad records keep the numbers of their lines.
func TestLabelledLines(t *testing.T) {
	s, _ := importText(t, "hello\n0: {\n0:   \"resourceSpans\": [\n0: }\n"+trace("a")+"\nnonsense\n")
	if diff := cmp.Diff([]string{"f:1: not JSON", "f:4: not JSON", "f:6: not JSON"}, s.Messages); diff != "" || s.Records != 1 {
		t.Errorf("%d records, %s", s.Records, diff)
	}
}

// However it is read, and whatever comes, it ends, and nothing but white space and
// the order of lines changes.
func FuzzLabels(f *testing.F) {
	f.Add([]byte("0: {\n1: {\n0:  \"a\": 1\n1:  \"b\": 2\n1: }\n0: }\n"), 16)
	f.Add([]byte("0: {\n0: {\n0: }\n0:}"), 20)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		l := newLabels(bufio.NewReaderSize(iotest.HalfReader(bytes.NewReader(data)), 16+max(0, size%200)))
		out, err := io.ReadAll(l)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Count(out, []byte("{")) != bytes.Count(data, []byte("{")) || bytes.Count(out, []byte("}")) != bytes.Count(data, []byte("}")) {
			t.Errorf("%q became %q", data, out)
		}
		if n, m := bytes.Count(data, []byte("\n")), bytes.Count(out, []byte("\n")); m < n-len(l.open)-1 || len(out) > len(data)+n+2 {
			t.Errorf("%d lines became %d: %q", n, m, out)
		}
		if len(l.open) > 0 {
			t.Errorf("kept %q", l.open)
		}
	})
}

// What never ends is given back before it fills the memory.
func TestLabelledWithoutEnd(t *testing.T) {
	text := "0: {\n" + strings.Repeat("0: \"abcdefgh\"\n", 1000) + "1: {\n1: }\n"
	l := newLabels(bufio.NewReader(strings.NewReader(text)))
	l.most = 3000
	out, err := io.ReadAll(l)
	if err != nil || len(out) > len(text) || strings.Count(string(out), "abcdefgh") != 1000 || l.held > l.most || !strings.HasSuffix(string(out), "1: {}\n") {
		t.Errorf("%d bytes of %d, %d held, %v", len(out), len(text), l.held, err)
	}
}

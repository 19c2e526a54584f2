package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"strconv"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
)

var place = regexp.MustCompile(`^f:(\d+): `)

// FuzzImport imports any bytes: nothing panics, lines are those of the file, the
// parts in which it comes do not matter, and what is exported imports again
// without a complaint.
func FuzzImport(f *testing.F) {
	for _, c := range damageCases() {
		if len(c.text) < 10_000 {
			f.Add([]byte(c.text))
		}
	}
	f.Add([]byte(pyLine("1") + "text\n" + pyLine("2")))
	f.Add(gzipped(f, []byte(trace("a")+"\n"+metricLine)))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &collected{}
		s, err := Import(context.Background(), fromBytes(data), c.put)
		if err != nil {
			return // a form that is not read
		}
		if !gzipMagic(data) {
			checkPlaces(t, s, bytes.Count(data, []byte("\n"))+1)
		}
		checkParts(t, data, s, c)
		checkExport(t, data, s)
		checkBuffer(t, data)
	})
}

func gzipMagic(data []byte) bool { return bytes.HasPrefix(data, []byte("\x1f\x8b")) }

func checkPlaces(t *testing.T, s Summary, lines int) {
	for _, m := range s.Messages {
		if found := place.FindStringSubmatch(m); found != nil {
			if n, err := strconv.Atoi(found[1]); err != nil || n < 1 || n > lines {
				t.Errorf("message %q about a file of %d lines", m, lines)
			}
		}
	}
	if len(s.Messages) > 8*maxMessages {
		t.Errorf("%d messages", len(s.Messages))
	}
}

func checkParts(t *testing.T, data []byte, want Summary, whole *collected) {
	c := &collected{}
	src := Source{Path: "f", Input: iotest.HalfReader(bytes.NewReader(data))}
	s, err := Import(context.Background(), src, c.put)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("in parts: %s", diff)
	}
	if diff := cmp.Diff(whole.wires, c.wires); diff != "" {
		t.Errorf("in parts: %s", diff)
	}
}

func checkExport(t *testing.T, data []byte, s Summary) {
	first, line := exported(t, fromBytes(data))
	second, again := exported(t, fromBytes(line))
	if !bytes.Equal(line, again) || second.BadRecords != 0 || second.IncompleteTail || second.Items() != first.Items() || first.Items() != s.Items() {
		t.Errorf("export imports as %+v, not as %+v:\n%s", second, first, line)
	}
}

func checkBuffer(t *testing.T, data []byte) {
	sp := newSplitter(bytes.NewReader(data), otlp.MaxBody)
	sp.buf = make([]byte, 16)
	for {
		_, err := sp.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(sp.buf) > 2*len(data)+16 {
		t.Errorf("a buffer of %d bytes for %d", len(sp.buf), len(data))
	}
}

package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// into also keeps what came as requests.
func (c *collected) into(to *[]sent) Sink {
	return func(b *otlp.Batch, r run.Receipt) error {
		*to = append(*to, sent{b.Signal, r.At, r.Sender, string(r.Raw), r.JSON})
		return c.put(b, r)
	}
}

// FuzzFrames reads frames from anything. What is read is written the same again.
func FuzzFrames(f *testing.F) {
	one := appendFrame(nil, 5, kindOf(run.Logs, true), "host:1", []byte("{}"))
	f.Add(one)
	f.Add(append(bytes.Clone(one), gapFrame(run.Lost{Requests: 3, Items: [run.SignalCount]uint64{1, 2, 3}, First: -4, Last: 9})...))
	f.Add(one[:len(one)-1])
	f.Fuzz(func(t *testing.T, b []byte) {
		for len(b) > 0 {
			one, rest, err := nextFrame(b)
			if err != nil && !errors.Is(err, errChecksum) && !errors.Is(err, errFrame) {
				t.Fatal(err)
			}
			if err != nil && rest == nil {
				return
			}
			if len(rest) >= len(b) {
				t.Fatal("it does not go on")
			}
			if err == nil && len(one.sender) <= maxSender {
				again := appendFrame(nil, one.at, one.kind, string(one.sender), one.raw)
				if !bytes.Equal(again, b[:len(b)-len(rest)]) {
					t.Fatalf("%x is written as %x", b[:len(b)-len(rest)], again)
				}
			}
			one.gap()
			b = rest
		}
	})
}

// FuzzIndex reads an index from anything.
func FuzzIndex(f *testing.F) {
	x := Index{Frames: 3, First: -1, Last: 1 << 60, Groups: []IndexGroup{{34, 5}, {900, 4}}}
	f.Add(x.append(nil)[skipSize:])
	f.Add([]byte(trailerWord))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := parseIndex(b)
		if err != nil {
			return
		}
		again, err := parseIndex(x.append(nil)[skipSize:])
		if diff := cmp.Diff(x, again); diff != "" || err != nil {
			t.Fatal(diff, err)
		}
	})
}

// FuzzRecording imports anything that begins like a segment. It ends, finds no
// more than is there, and what a writer would keep of it is read without damage.
func FuzzRecording(f *testing.F) {
	_, b := segmentOf(f, 3)
	f.Add(b)
	f.Add(b[:len(b)-40])
	f.Add(append(append([]byte(nil), b[:200]...), b...))
	f.Add((&older{Files: 3, First: 5, Last: 9}).append(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = append(b[:headerSize:headerSize], data...)
		if e, ok := skim(bytes.NewReader(data), int64(len(data))); ok && e.end > int64(len(data)) {
			t.Fatalf("it ends at %d of %d", e.end, len(data))
		}
		s, got := importBytes(t, data)
		if uint64(len(got)) != s.Records {
			t.Fatalf("%d requests, %+v", len(got), s)
		}
		x, end, _, err := walk(bytes.NewReader(data))
		if err != nil || end > int64(len(data)) {
			t.Fatal(end, err)
		}
		in := sections{newWindow(bytes.NewReader(data[:end]), 0)}
		groups := 0
		for {
			one, err := in.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil || one.kind == aTorn {
				t.Fatal(one, err)
			}
			if one.kind == aGroup {
				groups++
			}
		}
		if groups != len(x.Groups) {
			t.Fatalf("%d groups, %d in the index", groups, len(x.Groups))
		}
	})
}

// FuzzMessages imports anything as messages with their lengths before them.
func FuzzMessages(f *testing.F) {
	for _, b := range messageFiles(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		im := importer{sink: func(*otlp.Batch, run.Receipt) error { return nil }, python: &python{}, stamp: func() int64 { return 0 }}
		im.json = otlp.NewTranscoder(otlp.JSONOptions{File: true})
		if err := im.messages(context.Background(), newWindow(bytes.NewReader(data), 0)); err != nil {
			t.Fatal(err)
		}
	})
}

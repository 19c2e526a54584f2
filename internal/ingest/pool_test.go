package ingest

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestPoolClasses(t *testing.T) {
	p := new(pool)
	for _, n := range []int{0, 1, 255, 256, 257, 16 << 10, 1<<20 + 1, 1 << maxClass, 1<<maxClass + 1} {
		b := p.Get(n)
		if len(*b) != n {
			t.Errorf("Get(%d) has %d bytes", n, len(*b))
		}
		if c := cap(*b); n <= 1<<maxClass && (c&(c-1) != 0 || c < n || n > 256 && c >= 2*n) {
			t.Errorf("Get(%d) has room for %d", n, c)
		}
		p.Put(b)
	}
	odd := make([]byte, 300)
	p.Put(&odd) // not ours: must not come back as one of a class
	if b := p.Get(400); cap(*b) != 512 {
		t.Errorf("a buffer of %d came back", cap(*b))
	}
}

func TestPoolDoesNotClear(t *testing.T) {
	p := new(pool)
	for range 100 { // the collector may empty a pool now and then
		b := p.Get(1 << 16)
		(*b)[7] = 9
		p.Put(b)
		if (*p.Get(1<<16 - 1))[7] == 9 {
			return
		}
	}
	t.Error("buffers come back cleared, or never")
}

func TestReadAll(t *testing.T) {
	p := new(pool)
	text := strings.Repeat("0123456789", 5000)
	for _, hint := range []int{0, 1, len(text) - 1, len(text), len(text) + 1} {
		for _, limit := range []int{len(text) - 1, len(text), len(text) + 1} {
			b, err := p.readAll(iotest.OneByteReader(strings.NewReader(text)), hint, limit, newSpace(1<<30).hold())
			switch {
			case limit < len(text) && !errors.Is(err, errLimit):
				t.Errorf("hint %d, limit %d: %v", hint, limit, err)
			case limit >= len(text) && (err != nil || string(*b) != text):
				t.Errorf("hint %d, limit %d: %v, or other bytes", hint, limit, err)
			}
		}
	}
	if _, err := p.readAll(iotest.ErrReader(io.ErrClosedPipe), 1, 1, newSpace(1).hold()); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("error %v", err)
	}
}

func TestGunzip(t *testing.T) {
	g := gunzip{buffers: new(pool)}
	h := newSpace(1 << 30).hold()
	text := []byte(strings.Repeat("telemetry ", 3000))
	packed := gz(text[:9], text[9:20_000], text[20_000:])
	for range 3 { // readers are reused, also after an error
		b, err := g.all(bytes.NewReader(packed), len(packed), len(text), h)
		if err != nil || !bytes.Equal(*b, text) {
			t.Fatalf("three members: %v", err)
		}
		if _, err := g.all(bytes.NewReader(packed), len(packed), len(text)-1, h); !errors.Is(err, errLimit) {
			t.Errorf("above the limit: %v", err)
		}
		for _, n := range []int{0, 5, len(packed) - 1} {
			if _, err := g.all(bytes.NewReader(packed[:n]), n, 1<<20, h); err == nil || errors.Is(err, io.EOF) {
				t.Errorf("cut at %d: %v", n, err)
			}
		}
	}
}

// A false length must not make us reserve memory.
func TestFirstBufferIsModest(t *testing.T) {
	if got := unpackedGuess(1 << 40); got > 1<<20 {
		t.Errorf("%d bytes for a claim of a terabyte", got)
	}
}

func BenchmarkPool(b *testing.B) {
	p := new(pool)
	for b.Loop() {
		p.Put(p.Get(64 << 10))
	}
}

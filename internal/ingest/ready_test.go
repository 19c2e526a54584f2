package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"testing"
	"testing/iotest"

	"google.golang.org/grpc/mem"
)

// scripted is a connection from which prepared bytes are read.
type scripted struct {
	net.Conn
	from io.Reader
}

func (s scripted) Read(p []byte) (int, error) { return s.from.Read(p) }

// counted is a pool that knows how many of its buffers are out.
type counted struct{ out int }

func (p *counted) Get(n int) *[]byte { p.out++; b := make([]byte, n); return &b }
func (p *counted) Put(*[]byte)       { p.out-- }

var _ mem.BufferPool = (*counted)(nil)

// However data come, all of them arrive in their order, and no buffer is out while
// nothing is there.
func TestReadOnReady(t *testing.T) {
	sent := make([]byte, 5000)
	for i := range sent {
		sent[i] = byte(i * 7)
	}
	ways := map[string]func(io.Reader) io.Reader{
		"at once": func(r io.Reader) io.Reader { return r }, "byte by byte": iotest.OneByteReader,
		"halves": iotest.HalfReader, "the end with the last data": iotest.DataErrReader,
	}
	for name, way := range ways {
		for _, size := range []int{1, firstBytes, firstBytes + 1, 1000, 32 << 10} {
			for _, n := range []int{0, 1, firstBytes - 1, firstBytes, firstBytes + 1, len(sent)} {
				t.Run(fmt.Sprintf("%s/%d of %d", name, n, size), func(t *testing.T) {
					checkReady(t, sent[:n], way(bytes.NewReader(sent[min(3, n):n])), size)
				})
			}
		}
	}
}

func checkReady(t *testing.T, sent []byte, from io.Reader, size int) {
	t.Helper()
	head := bytes.Clone(sent[:min(3, len(sent))]) // was looked at
	c := &readyConn{headConn: headConn{Conn: scripted{from: from}, head: head}}
	pool := new(counted)
	var got []byte
	for {
		buf, n, err := c.ReadOnReady(size, pool)
		if buf != nil {
			got = append(got, (*buf)[:n]...)
			pool.Put(buf)
		}
		if err != nil {
			if !errors.Is(err, io.EOF) || pool.out != 0 {
				t.Errorf("%v, %d buffers out", err, pool.out)
			}
			break
		}
		if n == 0 || n > size {
			t.Fatalf("%d bytes of %d", n, size)
		}
	}
	if !bytes.Equal(got, sent) {
		t.Errorf("%d bytes arrived of %d, or in another order", len(got), len(sent))
	}
}

// A connection that waits costs a few KiB of heap: 16,384 of them must fit.
func TestIdleConnectionIsSmall(t *testing.T) {
	s := start(t, Config{HTTP: Off}, new(memory))
	const n = 128
	before := heapInUse()
	for range n {
		c := rawConn(t, addr(t, s, "gRPC"))
		if _, err := io.WriteString(c, http2Preface+"\x00\x00\x00\x04\x00\x00\x00\x00\x00"); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(c, make([]byte, 9)); err != nil { // its settings: it is set up
			t.Fatal(err)
		}
	}
	if each := (heapInUse() - before) / n; each > 16<<10 {
		t.Errorf("a connection that waits takes %d bytes of heap", each)
	}
}

func heapInUse() uint64 {
	runtime.GC()
	runtime.GC() // what finalizers and pools had
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"testing"
	"testing/iotest"
	"time"

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

// Over a socket it is the same: pieces, a wait, a deadline, the end.
func TestReadOnReadyOfASocket(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	to, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	from, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	c, pool := newReadyConn(&conn{Conn: from}, []byte("PRI")), new(counted)
	if c.socket == nil {
		t.Skip("this system's sockets do not say when they are ready")
	}
	if err := c.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if b, n, err := c.ReadOnReady(8, pool); string((*b)[:n]) != "PRI" || err != nil { // what was looked at
		t.Errorf("%q, %v", *b, err)
	}
	pool.out--
	if b, n, err := c.ReadOnReady(8, pool); b != nil || n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) || pool.out != 0 {
		t.Errorf("%d bytes, %v, %d buffers out", n, err, pool.out)
	}
	if err := c.SetReadDeadline(time.Time{}); err != nil {
		t.Fatal(err)
	}
	sent := bytes.Repeat([]byte("0123456789"), 3000)
	go func() {
		for p := sent; len(p) > 0; p = p[min(len(p), 7000):] {
			to.Write(p[:min(len(p), 7000)])
		}
		to.Close()
	}()
	var got []byte
	for err = nil; err == nil; {
		var b *[]byte
		var n int
		if b, n, err = c.ReadOnReady(1000, pool); b != nil {
			got = append(got, (*b)[:n]...)
			pool.Put(b)
		}
	}
	if !errors.Is(err, io.EOF) || !bytes.Equal(got, sent) || pool.out != 0 {
		t.Errorf("%d of %d bytes, then %v; %d buffers out", len(got), len(sent), err, pool.out)
	}
	from.Close()
	if b, _, err := c.ReadOnReady(8, pool); b != nil || !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed: %v", err)
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

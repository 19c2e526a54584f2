//go:build unix

package ingest

import (
	"errors"
	"io"
	"net"
	"os"
	"syscall"

	"google.golang.org/grpc/mem"
)

// socketReader reads a plaintext connection when its socket is ready: it takes a
// buffer only then, and a read costs what any read costs.
type socketReader struct {
	raw  syscall.RawConn
	try  func(fd uintptr) bool // attempt, made once so that a read allocates nothing
	size int
	pool mem.BufferPool

	buf *[]byte
	n   int
	err error
}

// socketOf is a reader of the socket of a plaintext connection, nil for others.
func socketOf(c net.Conn) *socketReader {
	own, ok := c.(*conn)
	if !ok {
		return nil
	}
	s, ok := own.Conn.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return nil
	}
	r := &socketReader{raw: raw}
	r.try = r.attempt
	return r
}

// ready waits for data and reads up to size bytes of them into a buffer from the
// pool.
func (r *socketReader) ready(size int, pool mem.BufferPool) (*[]byte, int, error) {
	r.size, r.pool, r.n, r.err = size, pool, 0, nil
	if err := r.raw.Read(r.try); err != nil {
		r.err = err // closed, or a deadline
	}
	buf := r.buf
	r.buf, r.pool = nil, nil
	if buf != nil && r.n == 0 {
		pool.Put(buf)
		buf = nil
	}
	return buf, r.n, r.err
}

// attempt reads what is there; false asks to be called again when there is more.
func (r *socketReader) attempt(fd uintptr) bool {
	r.buf = r.pool.Get(r.size)
	for {
		n, err := syscall.Read(int(fd), *r.buf)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EAGAIN):
			r.pool.Put(r.buf)
			r.buf = nil
			return false
		case err != nil:
			r.err = os.NewSyscallError("read", err)
		case n == 0:
			r.err = io.EOF
		default:
			r.n = n
		}
		return true
	}
}

package ingest

import (
	"net"

	"google.golang.org/grpc/mem"
)

// readyConn is a connection whose reader holds no buffer while nothing comes.
// Most of the connections of a large job wait most of the time, and a buffer of
// grpc's size for each would be the larger part of what they cost. grpc looks for
// ReadOnReady; without it every connection keeps 32 KiB.
type readyConn struct {
	headConn
	socket *socketReader // of plaintext, where the system says when data are there
	first  [firstBytes]byte
	more   bool // the last read filled its buffer: the rest is there, most likely
}

// firstBytes is what a waiting connection has room for. The rest of what came
// with them is read into a buffer of its own.
const firstBytes = 256

func newReadyConn(c net.Conn, head []byte) *readyConn {
	return &readyConn{headConn: headConn{c, head}, socket: socketOf(c)}
}

// ReadOnReady waits for data, then takes a buffer of size bytes from the pool for
// them. Below TLS a ready socket does not mean data, so there it waits in a read of
// its own few bytes.
func (c *readyConn) ReadOnReady(size int, pool mem.BufferPool) (*[]byte, int, error) {
	if c.socket != nil && len(c.head) == 0 {
		return c.socket.ready(size, pool)
	}
	if c.more || size <= len(c.first) {
		buf := pool.Get(size)
		n, err := c.Read(*buf)
		c.more = n == size
		return c.kept(buf, n, err, pool)
	}
	n, err := c.Read(c.first[:])
	c.more = n == len(c.first)
	if n == 0 {
		return nil, 0, err
	}
	buf := pool.Get(size)
	copy(*buf, c.first[:n])
	return buf, n, err
}

// kept gives a buffer back into which nothing came.
func (c *readyConn) kept(buf *[]byte, n int, err error, pool mem.BufferPool) (*[]byte, int, error) {
	if n > 0 {
		return buf, n, err
	}
	pool.Put(buf)
	return nil, 0, err
}

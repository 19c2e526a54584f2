package ingest

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"

	"github.com/beamline-hpc/lensview/internal/ingest/peer"
	"google.golang.org/grpc/codes"
)

// guard is what a listener asks of its connections.
type guard struct {
	open  bool // everybody may send
	local bool // loopback or a Unix socket: the kernel knows who is there
	owner func(net.Conn) (uint32, error)
	uid   uint32 // who may send without a token, when local
	tls   bool
}

// guardOf is the guard of a listener on an address.
func (c Config) guardOf(a net.Addr) guard {
	g := guard{owner: c.owner, uid: uint32(os.Geteuid())}
	switch a.(type) {
	case *net.UnixAddr:
		g.local = true
		return g
	}
	g.local = !outside(a)
	g.tls = c.TLS != nil && !(g.local && c.PlainLoopback)
	g.open = g.local && c.AllowOtherUsers || !g.local && c.NoAuth
	return g
}

// trust is what is known of who is at the other end of a connection. It is found
// out once, by the first request: a port scanner costs nothing.
type trust struct {
	once sync.Once
	yes  bool
	why  string // why not, for the screen
}

// trusted reports whether requests of this connection need no token.
func (c *conn) trusted() bool {
	if c.guard.open {
		return true
	}
	if !c.guard.local {
		return false
	}
	c.trust.once.Do(func() {
		uid, err := c.guard.owner(c.Conn)
		switch {
		case err == nil && uid == c.guard.uid:
			c.trust.yes = true
		case err == nil:
			c.trust.why = fmt.Sprintf("user %d of this host", uid)
		case !peer.Supported:
			c.trust.yes = true // a notice says that loopback is shared here
		default:
			c.trust.why = err.Error()
		}
	})
	return c.trust.yes
}

// stranger refuses a request of somebody without the right token.
func (c *conn) stranger(wrongToken bool) *fault {
	f := &fault{word: "no-token", grpc: codes.Unauthenticated, http: http.StatusUnauthorized,
		text: "no token: set OTEL_EXPORTER_OTLP_HEADERS as `lensview env` prints it"}
	switch {
	case wrongToken:
		f.word, f.text = "wrong-token", "wrong token: set OTEL_EXPORTER_OTLP_HEADERS as `lensview env` prints it now"
	case c.guard.local:
		f.word = "other-user"
		f.text = fmt.Sprintf("this receiver belongs to user %d and takes requests of others with its token only (it was %s)", c.guard.uid, c.trust.why)
	}
	return f
}

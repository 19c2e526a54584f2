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

// guard is what is asked of a connection.
type guard struct {
	open  bool // everybody may send
	local bool // loopback or a Unix socket: the kernel knows who is there
	owner func(net.Conn) (uint32, error)
	uid   uint32 // who may send without a token, when local
	tls   bool
}

// guardOf is the guard of a connection from an address to one that is listened
// on. A listener on every address has connections over loopback too.
func (c Config) guardOf(listened, from net.Addr) guard {
	g := guard{owner: c.owner, uid: uint32(os.Geteuid())}
	if _, ok := listened.(*net.UnixAddr); ok {
		g.local = true
		return g
	}
	g.local = !outside(from)
	g.tls = c.tlsOn(listened)
	g.open = g.local && c.AllowOtherUsers || outside(listened) && c.NoAuth
	return g
}

// tlsOn says whether a listener speaks TLS.
func (c Config) tlsOn(listened net.Addr) bool {
	return c.TLS != nil && (outside(listened) || !c.PlainLoopback)
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

// Package peer tells which user of this host is at the other end of a
// connection. Loopback is shared by all users of a host: the address says
// nothing of who calls, but the kernel knows.
package peer

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
)

// ErrUnknown says that the system does not tell: it has no such table, or the
// other end is closed already and belongs to nobody.
var ErrUnknown = errors.New("the system does not say who is at the other end")

// UID is the user who opened the other end of a connection, over loopback or a
// Unix socket. Any other connection is ErrUnknown.
func UID(c net.Conn) (uint32, error) {
	switch c := c.(type) {
	case *net.TCPConn:
		return tcpOwner(c.RemoteAddr(), c.LocalAddr())
	case *net.UnixConn:
		return credentials(c)
	}
	return 0, fmt.Errorf("%w: it is a %T", ErrUnknown, c)
}

// tcpOwner looks for the socket whose own address is at and whose peer is to.
func tcpOwner(at, to net.Addr) (uint32, error) {
	a, aok := at.(*net.TCPAddr)
	t, tok := to.(*net.TCPAddr)
	if !aok || !tok {
		return 0, ErrUnknown
	}
	return owner(plain(a.AddrPort()), plain(t.AddrPort()))
}

// plain writes an IPv4 address that came in IPv6 form as the IPv4 address it is.
func plain(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(a.Addr().Unmap().WithZone(""), a.Port())
}

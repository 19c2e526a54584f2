//go:build !linux

package peer

import (
	"net"
	"net/netip"
)

func owner(_, _ netip.AddrPort) (uint32, error) { return 0, ErrUnknown }

func credentials(*net.UnixConn) (uint32, error) { return 0, ErrUnknown }

// Supported says whether this system can tell at all.
const Supported = false

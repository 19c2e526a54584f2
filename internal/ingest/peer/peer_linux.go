package peer

import (
	"fmt"
	"net"
	"net/netip"

	"golang.org/x/sys/unix"
)

// owner asks the kernel for the one socket, and reads its whole table where it
// does not answer such questions (a sandbox, a kernel without the module).
func owner(at, to netip.AddrPort) (uint32, error) {
	s, err := ask(at, to)
	if err != nil {
		s, err = search(at, to)
	}
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	if s.inode == 0 {
		// No process holds it any more: the kernel then names user 0, who need
		// not be the one who opened it.
		return 0, fmt.Errorf("%w: it is closed", ErrUnknown)
	}
	return s.uid, nil
}

// socket is what the kernel says of one.
type socket struct {
	uid   uint32
	inode uint64
}

// credentials are those of the process that connected.
func credentials(c *net.UnixConn) (uint32, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	var cred *unix.Ucred
	var cerr error
	err = raw.Control(func(fd uintptr) { cred, cerr = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err == nil {
		err = cerr
	}
	if err != nil {
		return 0, fmt.Errorf("%w: %w", ErrUnknown, err)
	}
	return cred.Uid, nil
}

// Supported says whether this system can tell at all.
const Supported = true

package peer

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"

	"golang.org/x/sys/unix"
)

// Sizes and values of linux/inet_diag.h and linux/sock_diag.h.
const (
	headerLen  = unix.SizeofNlMsghdr
	requestLen = 56 // struct inet_diag_req_v2
	idLen      = 48 // struct inet_diag_sockid
	messageLen = 72 // struct inet_diag_msg
	anyState   = 0xffffffff
	noCookie   = 0xffffffff
)

// ask gets one socket by its two addresses. The cost does not grow with the
// number of sockets of the host.
func ask(at, to netip.AddrPort) (socket, error) {
	fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_INET_DIAG)
	if err != nil {
		return socket{}, fmt.Errorf("open the kernel's socket diagnosis: %w", err)
	}
	defer unix.Close(fd)
	if err := unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_RCVTIMEO, &unix.Timeval{Sec: 1}); err != nil {
		return socket{}, err
	}
	if err := unix.Sendto(fd, question(at, to), 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return socket{}, fmt.Errorf("ask for a socket: %w", err)
	}
	answer := make([]byte, 4096)
	n, from, err := unix.Recvfrom(fd, answer, 0)
	if err != nil {
		return socket{}, fmt.Errorf("hear of a socket: %w", err)
	}
	if k, ok := from.(*unix.SockaddrNetlink); !ok || k.Pid != 0 {
		return socket{}, errors.New("the answer is not the kernel's")
	}
	return readAnswer(answer[:n], at, to)
}

// question is a request for exactly one socket.
func question(at, to netip.AddrPort) []byte {
	b := make([]byte, 0, headerLen+requestLen)
	b = binary.NativeEndian.AppendUint32(b, headerLen+requestLen)
	b = binary.NativeEndian.AppendUint16(b, unix.SOCK_DIAG_BY_FAMILY)
	b = binary.NativeEndian.AppendUint16(b, unix.NLM_F_REQUEST)
	b = binary.NativeEndian.AppendUint32(b, 1) // sequence
	b = binary.NativeEndian.AppendUint32(b, 0) // to the kernel
	b = append(b, family(at.Addr()), unix.IPPROTO_TCP, 0, 0)
	b = binary.NativeEndian.AppendUint32(b, anyState)
	b = append(b, socketID(at, to)...)
	b = binary.NativeEndian.AppendUint32(b, 0) // any interface
	return binary.NativeEndian.AppendUint64(b, noCookie<<32|noCookie)
}

func family(a netip.Addr) byte {
	if a.Is4() {
		return unix.AF_INET
	}
	return unix.AF_INET6
}

// socketID is the ports and addresses of a struct inet_diag_sockid.
func socketID(at, to netip.AddrPort) []byte {
	b := binary.BigEndian.AppendUint16(nil, at.Port())
	b = binary.BigEndian.AppendUint16(b, to.Port())
	for _, a := range []netip.Addr{at.Addr(), to.Addr()} {
		var word [16]byte
		copy(word[:], a.AsSlice())
		b = append(b, word[:]...)
	}
	return b
}

// readAnswer takes the answer apart. One that is about another socket, such as
// a listener on the port that a client had, is refused.
func readAnswer(b []byte, at, to netip.AddrPort) (socket, error) {
	if len(b) < headerLen+messageLen || binary.NativeEndian.Uint16(b[4:]) != unix.SOCK_DIAG_BY_FAMILY {
		return socket{}, errors.New("the kernel knows no such socket")
	}
	m := b[headerLen:]
	want := socketID(at, to)
	if string(m[4:4+len(want)]) != string(want) {
		return socket{}, errors.New("the kernel answered for another socket")
	}
	rest := m[4+idLen:] // expires, receive queue, send queue, uid, inode
	return socket{uid: binary.NativeEndian.Uint32(rest[12:]), inode: uint64(binary.NativeEndian.Uint32(rest[16:]))}, nil
}

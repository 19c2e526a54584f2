package peer

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strconv"
)

// search reads the kernel's tables of sockets. An IPv4 connection may have been
// made by a socket of IPv6.
func search(at, to netip.AddrPort) (socket, error) {
	if at.Addr().Is4() && to.Addr().Is4() {
		if s, err := searchFile("/proc/net/tcp", at, to); err == nil {
			return s, nil
		}
		at, to = mapped(at), mapped(to)
	}
	return searchFile("/proc/net/tcp6", at, to)
}

func mapped(a netip.AddrPort) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom16(a.Addr().As16()), a.Port())
}

func searchFile(path string, at, to netip.AddrPort) (socket, error) {
	f, err := os.Open(path)
	if err != nil {
		return socket{}, fmt.Errorf("read the table of sockets: %w", err)
	}
	defer f.Close()
	return searchTable(f, at, to)
}

// searchTable finds the row of a socket: "sl local remote state queues timer
// retransmits uid timeout inode …", addresses in hexadecimal.
func searchTable(r io.Reader, at, to netip.AddrPort) (socket, error) {
	key := []byte(" " + hexAddr(at) + " " + hexAddr(to) + " ")
	in := bufio.NewScanner(r)
	for in.Scan() {
		if !bytes.Contains(in.Bytes(), key) {
			continue
		}
		f := bytes.Fields(in.Bytes())
		if len(f) < 10 {
			break
		}
		uid, uerr := strconv.ParseUint(string(f[7]), 10, 32)
		inode, ierr := strconv.ParseUint(string(f[9]), 10, 64)
		return socket{uint32(uid), inode}, errors.Join(uerr, ierr)
	}
	if err := in.Err(); err != nil {
		return socket{}, fmt.Errorf("read the table of sockets: %w", err)
	}
	return socket{}, errors.New("the table has no such socket")
}

// hexAddr is an address as the table writes it: words of 32 bits in the byte
// order of the host.
func hexAddr(a netip.AddrPort) string {
	b := a.Addr().AsSlice()
	var out []byte
	for i := 0; i < len(b); i += 4 {
		out = fmt.Appendf(out, "%08X", binary.NativeEndian.Uint32(b[i:]))
	}
	return fmt.Sprintf("%s:%04X", out, a.Port())
}

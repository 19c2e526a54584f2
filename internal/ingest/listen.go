package ingest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
)

// protocol is one of the two doors, with what a person needs to know about it.
type protocol struct{ name, flag, port string }

var (
	protoGRPC = protocol{name: "gRPC", flag: "--listen", port: "4317"}
	protoHTTP = protocol{name: "HTTP", flag: "--http-listen", port: "4318"}
)

// protoUnix is how the Unix socket, which takes both, is named.
const protoUnix = "Unix socket"

// endpoint is an address to listen on, parsed.
type endpoint struct {
	host string // "" is every address
	port uint16
}

// parseEndpoint reads HOST, HOST:PORT and :PORT. Nothing is resolved.
func parseEndpoint(p protocol, addr string) (endpoint, error) {
	host, port := strings.TrimSpace(addr), p.port
	if h, ok := bareIPv6(host); ok {
		host = h
	} else if h, pt, err := net.SplitHostPort(host); err == nil {
		host, port = h, pt
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return endpoint{}, badAddress(p, addr, "the port must be a number from 0 to 65535")
	}
	if !validHost(host) {
		return endpoint{}, badAddress(p, addr, "not a host name or IP address")
	}
	return endpoint{host: host, port: uint16(n)}, nil
}

// Host is the host of an address as Config has it, "" for every address.
func Host(addr string) string {
	e, err := parseEndpoint(protoGRPC, addr)
	if err != nil || addr == Off {
		return ""
	}
	return e.host
}

// Outside reports whether other hosts may reach an address as Config has it.
// A name is not resolved: but for localhost it is taken to be reached.
func Outside(addr string) bool {
	if addr == "" || addr == Off {
		return false
	}
	host := Host(addr)
	ip, err := netip.ParseAddr(host)
	return host != "localhost" && (err != nil || !ip.IsLoopback())
}

// bareIPv6 reads an IPv6 address that has no port, with or without brackets.
func bareIPv6(s string) (string, bool) {
	inner := s
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") {
		inner = s[1 : len(s)-1]
	}
	ip, err := netip.ParseAddr(inner)
	return inner, err == nil && ip.Is6()
}

func validHost(h string) bool {
	if _, err := netip.ParseAddr(h); err == nil {
		return true
	}
	return strings.IndexFunc(h, func(r rune) bool {
		return !(r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	}) < 0
}

func badAddress(p protocol, addr, why string) error {
	return fmt.Errorf("listen on %q (%s): %s; give %s HOST:PORT, for example %s 127.0.0.1:%s", addr, p.name, why, p.flag, p.flag, p.port)
}

// listen opens every socket of an address: two for localhost, else one. On an
// error none is left open.
func listen(ctx context.Context, p protocol, addr string) ([]net.Listener, error) {
	if addr == Off {
		return nil, nil
	}
	e, err := parseEndpoint(p, addr)
	if err != nil {
		return nil, err
	}
	if e.host == "localhost" {
		return listenLoopback(ctx, p, e.port)
	}
	l, err := listenOne(ctx, p, e)
	if err != nil {
		return nil, err
	}
	return []net.Listener{l}, nil
}

// freePortTries bounds the search for a port that is free on both loopback
// addresses.
const freePortTries = 20

// listenLoopback listens on 127.0.0.1 and ::1 with the same port, so that a
// client reaches us whichever address its resolver puts first. A host without
// IPv6 loopback gets the first alone.
func listenLoopback(ctx context.Context, p protocol, port uint16) ([]net.Listener, error) {
	for try := 1; ; try++ {
		four, err := listenOne(ctx, p, endpoint{"127.0.0.1", port})
		if err != nil {
			return nil, err
		}
		got := four.Addr().(*net.TCPAddr).Port
		six, err := listenOne(ctx, p, endpoint{"::1", uint16(got)})
		switch {
		case err == nil:
			return []net.Listener{four, six}, nil
		case errors.Is(err, syscall.EADDRNOTAVAIL), errors.Is(err, syscall.EAFNOSUPPORT):
			return []net.Listener{four}, nil
		}
		four.Close()
		if port != 0 || try == freePortTries {
			return nil, err
		}
	}
}

func listenOne(ctx context.Context, p protocol, e endpoint) (net.Listener, error) {
	addr := net.JoinHostPort(e.host, strconv.Itoa(int(e.port)))
	l, err := new(net.ListenConfig).Listen(ctx, network(e.host), addr)
	if err != nil {
		return nil, listenError(p, addr, err)
	}
	return l, nil
}

// network keeps 0.0.0.0 to IPv4: for Go's "tcp" it means IPv6 too.
func network(host string) string {
	ip, err := netip.ParseAddr(host)
	if err != nil || ip.Is6() {
		return "tcp"
	}
	return "tcp4"
}

func listenError(p protocol, addr string, err error) error {
	hint := "choose another with " + p.flag
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		hint += " or free the port"
	case errors.Is(err, syscall.EACCES):
		hint = "choose a port above 1023 with " + p.flag
	}
	return fmt.Errorf("listen on %s (%s): %w; %s", addr, p.name, cause(err), hint)
}

// cause strips the layers of net's errors down to what the system said.
func cause(err error) error {
	var sys syscall.Errno
	if errors.As(err, &sys) {
		return sys
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return op.Err
	}
	return err
}

func closeAll(ls []net.Listener) {
	for _, l := range ls {
		l.Close()
	}
}

package main

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// hostNames is how this host can be called: first what was advertised, then the
// address that is listened on, then the host's own names and addresses. The
// first that others reach is what senders are told; all are in the certificate.
func hostNames(ctx context.Context, advertised []string, hostname string, listened ...string) ([]string, error) {
	var names []string
	for _, a := range advertised {
		n, err := advertisedName(a)
		if err != nil {
			return nil, err
		}
		names = append(names, n)
	}
	for _, l := range listened {
		if ip := net.ParseIP(l); l != "" && !isLoopback(l) && (ip == nil || !ip.IsUnspecified()) {
			names = append(names, l)
		}
	}
	addrs := hostAddrs()
	names = append(append(names, hostname), lookedUp(ctx, hostname, addrs)...)
	names = append(append(names, addrs...), "localhost", "127.0.0.1", "::1")
	return distinct(names), nil
}

// advertisedName is a value of --advertise: a name, an address, or an interface,
// which stands for its first address.
func advertisedName(v string) (string, error) {
	v = strings.Trim(strings.TrimSpace(v), "[]")
	if i, err := net.InterfaceByName(v); err == nil {
		addrs, err := i.Addrs()
		if err != nil {
			return "", fmt.Errorf("--advertise: addresses of interface %s: %w", v, err)
		}
		for _, a := range usable(addrs) {
			return a, nil
		}
		return "", fmt.Errorf("--advertise: interface %s has no address that other hosts reach", v)
	}
	if net.ParseIP(v) == nil && !isHostName(v) {
		return "", fmt.Errorf("--advertise %q: give a host name, an address or an interface", v)
	}
	return v, nil
}

func isHostName(s string) bool {
	return s != "" && len(s) < 254 && strings.IndexFunc(s, func(r rune) bool {
		return !(r == '.' || r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z')
	}) < 0
}

func hostAddrs() []string {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return nil // the names remain
	}
	return usable(addrs)
}

// usable are the addresses that mean the same on other hosts, those of IPv4
// first.
func usable(addrs []net.Addr) []string {
	var four, six []string
	for _, a := range addrs {
		n, ok := a.(*net.IPNet)
		switch {
		case !ok || n.IP.IsLoopback() || n.IP.IsLinkLocalUnicast():
		case n.IP.To4() != nil:
			four = append(four, n.IP.String())
		default:
			six = append(six, n.IP.String())
		}
	}
	return append(four, six...)
}

// lookupTime bounds what a slow name server may cost at the start.
const lookupTime = time.Second

// lookedUp is what the name server calls this host.
func lookedUp(ctx context.Context, hostname string, addrs []string) []string {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	found := make([][]string, len(addrs)+1)
	var wg sync.WaitGroup
	wg.Go(func() {
		if name, err := net.DefaultResolver.LookupCNAME(ctx, hostname); err == nil {
			found[0] = []string{name}
		}
	})
	for i, a := range addrs {
		wg.Go(func() { found[i+1], _ = net.DefaultResolver.LookupAddr(ctx, a) })
	}
	wg.Wait()
	return slices.Concat(found...)
}

// distinct drops the final dot of names, repetitions, and what is no name.
func distinct(names []string) []string {
	var out []string
	for _, n := range names {
		n = strings.TrimSuffix(n, ".")
		if (isHostName(n) || net.ParseIP(n) != nil) && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

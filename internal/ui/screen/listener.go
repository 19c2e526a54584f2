package screen

import (
	"net"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// JobLines are the lines of a job script that send a run to the receiver that has
// listeners: endpoint, protocol, token, certificate and the switches of nemo-lens are
// what the command prints, for each kind of listener.
func JobLines() []string { return []string{`eval "$(lensview env)"`} }

func speaks(all []run.Listener, protocol string) bool {
	return slices.ContainsFunc(all, func(l run.Listener) bool { return l.Protocol == protocol })
}

// local reports whether only processes of this host reach a listener.
func local(l run.Listener) bool {
	host, _, err := net.SplitHostPort(l.Addr)
	if err != nil {
		return true // a Unix socket
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// reach says who can send, when that is not everybody.
func reach(listeners []run.Listener) []string {
	if slices.ContainsFunc(listeners, func(l run.Listener) bool { return !local(l) }) {
		return nil
	}
	flag, port := "--listen", "4317"
	if speaks(listeners, "HTTP") && !speaks(listeners, "gRPC") {
		flag, port = "--http-listen", "4318"
	}
	return []string{
		"", "Only jobs on this host reach it. For ranks on other hosts:",
		"  lensview " + flag + " 0.0.0.0:" + port,
	}
}

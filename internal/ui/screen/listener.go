package screen

import (
	"net"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
)

// JobLines are the lines of a job script that send a run to these listeners.
// The protocol is named where it is not the one that exporters default to.
func JobLines(listeners []run.Listener) []string {
	best := pick(listeners)
	if best.TLS { // token and certificate have no place on a screen
		return []string{`eval "$(lensview env)"`}
	}
	lines := []string{"export OTEL_EXPORTER_OTLP_ENDPOINT=" + endpoint(best)}
	if !grpc(best) {
		lines = append(lines, "export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf")
	}
	return append(lines,
		"export NEMO_LENS_ENABLED=1",
		"export NEMO_LENS_EXPORT_STRATEGY=all_ranks",
		"export NEMO_LENS_SPAN_GROUPS=per_step",
	)
}

func grpc(l run.Listener) bool { return strings.EqualFold(l.Protocol, "grpc") }

// pick is the listener that a job should send to: one that other hosts reach
// before one that they do not, and gRPC before HTTP, as exporters default to it.
func pick(listeners []run.Listener) run.Listener {
	best, score := listeners[0], -1
	for _, l := range listeners {
		n := 0
		if !loopback(l) {
			n += 2
		}
		if grpc(l) {
			n++
		}
		if n > score {
			best, score = l, n
		}
	}
	return best
}

// split is host and port of a listener's address, without a scheme.
func split(l run.Listener) (scheme, host, port string) {
	scheme, rest, ok := strings.Cut(l.Addr, "://")
	if !ok {
		scheme, rest = "http", l.Addr
	}
	host, port, err := net.SplitHostPort(rest)
	if err != nil {
		return scheme, rest, ""
	}
	return scheme, host, port
}

// endpoint is where a job sends to. An address that stands for all interfaces is
// no destination: there the host's own name is.
func endpoint(l run.Listener) string {
	scheme, host, port := split(l)
	if port == "" {
		return scheme + "://" + host
	}
	if wildcard(host) {
		host = l.Host
		if host == "" {
			host = "localhost"
		}
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

func wildcard(host string) bool {
	if host == "" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsUnspecified()
}

func loopback(l run.Listener) bool {
	_, host, _ := split(l)
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// reach says who can send, when that is not everybody.
func reach(listeners []run.Listener) []string {
	for _, l := range listeners {
		if !loopback(l) {
			return nil
		}
	}
	flag, port := "--listen", "4317"
	if best := pick(listeners); !grpc(best) {
		flag, port = "--http-listen", "4318"
	}
	return []string{
		"", "Only jobs on this host reach it. For ranks on other hosts:",
		"  lensview " + flag + " 0.0.0.0:" + port,
	}
}

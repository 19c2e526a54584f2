package simulate

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"
)

// Target is where a stream is sent.
type Target struct {
	// Endpoint is "host:port", "http://host:port[/path]", "https://…" or, for
	// gRPC, "unix:/path". Over HTTP each signal goes to <endpoint>/v1/<signal>.
	Endpoint string
	Protocol Protocol
	Headers  map[string]string // sent with each request; they appear in no error
	TLS      *tls.Config       // for https; given, it is used for host:port too
	Conns    int               // connections, default 4
	InFlight int               // requests at a time on each, default 2
	Gzip     bool
	Timeout  time.Duration // of one attempt, default 10 s
	Patience time.Duration // how long one request is tried again, default 1 min
}

// Protocol is how OTLP travels.
type Protocol uint8

// Protocols.
const (
	ByEndpoint Protocol = iota // HTTP for a URL with a path and for port 4318, else gRPC
	GRPC
	HTTP
)

var protocols = [...]string{"auto", "grpc", "http/protobuf"}

// String is the word of the command line.
func (p Protocol) String() string { return word(protocols[:], int(p)) }

// ParseProtocol reads "auto", "grpc" or "http/protobuf".
func ParseProtocol(s string) (Protocol, error) {
	i, err := choose("protocol", protocols[:], s)
	return Protocol(i), err
}

func (t *Target) fill() {
	orInt(&t.Conns, 4)
	orInt(&t.InFlight, 2)
	orTime(&t.Timeout, 10*time.Second)
	orTime(&t.Patience, time.Minute)
}

// address is a Target's endpoint taken apart.
type address struct {
	protocol Protocol
	dial     string // for gRPC
	base     string // URL for HTTP, without a slash at its end
	tls      bool
}

// resolve reads the endpoint. Errors do not repeat it where it may hold a
// password.
func (t *Target) resolve() (address, error) {
	if t.Conns < 1 || t.InFlight < 1 || t.Conns > 4096 || t.InFlight > 4096 {
		return address{}, fmt.Errorf("simulate: %d connections with %d requests each: give 1 to 4096", t.Conns, t.InFlight)
	}
	switch {
	case t.Endpoint == "":
		return address{}, fmt.Errorf("simulate: no endpoint: give host:port or a URL")
	case strings.HasPrefix(t.Endpoint, "unix:"):
		return t.socket()
	case strings.Contains(t.Endpoint, "://"):
		return t.url()
	case strings.Contains(t.Endpoint, "@"):
		return address{}, fmt.Errorf("simulate: the endpoint holds credentials: give them as a header")
	}
	return t.hostPort()
}

func (t *Target) socket() (address, error) {
	if t.Protocol == HTTP {
		return address{}, fmt.Errorf("simulate: endpoint %q: a Unix socket takes gRPC", t.Endpoint)
	}
	return address{protocol: GRPC, dial: t.Endpoint, tls: t.TLS != nil}, nil
}

func (t *Target) hostPort() (address, error) {
	_, port, err := net.SplitHostPort(t.Endpoint)
	if err != nil || port == "" {
		return address{}, fmt.Errorf("simulate: endpoint %q: give host:port, as 127.0.0.1:4317", t.Endpoint)
	}
	scheme := "http"
	if t.TLS != nil {
		scheme = "https"
	}
	return t.at(&url.URL{Scheme: scheme, Host: t.Endpoint}), nil
}

func (t *Target) url() (address, error) {
	u, err := url.Parse(t.Endpoint)
	switch {
	case err != nil:
		return address{}, fmt.Errorf("simulate: the endpoint is not a URL: give http://host:port or https://host:port")
	case u.User != nil:
		return address{}, fmt.Errorf("simulate: the endpoint of host %q holds credentials: give them as a header", u.Host)
	case u.RawQuery != "" || u.Fragment != "" || strings.Contains(t.Endpoint, "@"):
		return address{}, fmt.Errorf("simulate: the endpoint holds more than host, port and path: give keys and credentials as a header")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return address{}, fmt.Errorf("simulate: endpoint %q: give http://host:port or https://host:port", t.Endpoint)
	}
	return t.at(u), nil
}

// at decides the protocol of a URL.
func (t *Target) at(u *url.URL) address {
	path := strings.TrimRight(u.Path, "/")
	a := address{protocol: t.Protocol, dial: u.Host, tls: u.Scheme == "https"}
	if a.protocol == ByEndpoint {
		a.protocol = GRPC
		if path != "" || u.Port() == "4318" {
			a.protocol = HTTP
		}
	}
	if u.Port() == "" {
		a.dial = net.JoinHostPort(u.Hostname(), map[bool]string{false: "80", true: "443"}[a.tls])
	}
	for _, signal := range []string{"traces", "metrics", "logs"} {
		path = strings.TrimSuffix(path, "/v1/"+signal)
	}
	a.base = u.Scheme + "://" + u.Host + path
	return a
}

package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
)

// target is where the exporters of an environment send their traces.
type target struct {
	from     string // the variable that says so
	protocol string // grpc or http/protobuf
	network  string // tcp or unix
	addr     string // host:port, or a path
	host     string
	url      string // for HTTP: the whole one
	tls      bool
	headers  map[string]string
	ca       *x509.CertPool // nil is the system's
	caFile   string
}

// shown is the target without what may be a secret.
func (t target) shown() string {
	if t.network == "unix" {
		return "unix://" + t.addr
	}
	return map[bool]string{true: "https://", false: "http://"}[t.tls] + t.addr
}

// fromVariable reports whether the environment says where to send.
func (t target) fromVariable() bool { return strings.HasPrefix(t.from, "OTEL_") }

// forTraces is the value of a variable for traces, else the general one.
func forTraces(getenv func(string) string, what string) (value, from string) {
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_" + what, "OTEL_EXPORTER_OTLP_" + what} {
		if v := strings.TrimSpace(getenv(name)); v != "" {
			return v, name
		}
	}
	return "", ""
}

// targetOf reads the environment as the OTLP exporter specification says, and
// where SDKs differ as most of them do.
func targetOf(getenv func(string) string) (target, error) {
	t := target{network: "tcp", protocol: "grpc"}
	if p, name := forTraces(getenv, "PROTOCOL"); p != "" {
		if p != "grpc" && p != "http/protobuf" && p != "http/json" {
			return t, fmt.Errorf("%s=%q is no protocol: use grpc or http/protobuf", name, p)
		}
		t.protocol = p
	}
	raw, from := forTraces(getenv, "ENDPOINT")
	if t.from = from; raw == "" {
		t.from = "the default, as OTEL_EXPORTER_OTLP_ENDPOINT is not set (see 'lensview env')"
		raw = map[bool]string{true: "http://localhost:4317", false: "http://localhost:4318"}[t.protocol == "grpc"]
	}
	if err := t.readEndpoint(raw); err != nil {
		return t, err
	}
	if err := t.readHeaders(getenv); err != nil {
		return t, err
	}
	return t, t.readCertificate(getenv)
}

// readEndpoint takes URL, host:port and, for gRPC, unix:. No error repeats what
// may hold a password.
func (t *target) readEndpoint(raw string) error {
	if path, ok := strings.CutPrefix(raw, "unix:"); ok {
		t.network, t.addr, t.host = "unix", "/"+strings.TrimLeft(path, "/"), "localhost"
		return nil
	}
	if !strings.Contains(raw, "://") {
		raw = "http://" + raw
	}
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%s is no endpoint: give http://HOST:PORT or https://HOST:PORT", t.from)
	}
	t.tls, t.host = u.Scheme == "https", u.Hostname()
	port := u.Port()
	if port == "" {
		port = map[bool]string{true: "443", false: "80"}[t.tls]
	}
	t.addr = net.JoinHostPort(t.host, port)
	if !strings.Contains(t.from, "TRACES") {
		u.Path = strings.TrimRight(u.Path, "/") + "/v1/traces"
	}
	u.User = nil
	t.url = u.String()
	return nil
}

// readHeaders reads name=value pairs with percent-encoded values.
func (t *target) readHeaders(getenv func(string) string) error {
	raw, name := forTraces(getenv, "HEADERS")
	t.headers = map[string]string{}
	for pair := range strings.SplitSeq(raw, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		k, v, ok := strings.Cut(pair, "=")
		value, err := url.PathUnescape(strings.TrimSpace(v))
		if !ok || err != nil {
			return fmt.Errorf("%s holds a pair that is not name=value: print it anew with 'lensview env'", name)
		}
		t.headers[strings.ToLower(strings.TrimSpace(k))] = value
	}
	return nil
}

func (t *target) readCertificate(getenv func(string) string) error {
	path, name := forTraces(getenv, "CERTIFICATE")
	if path == "" || !t.tls {
		return nil
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("certificate of %s: %w: take it from 'lensview env', and let this node see its directory", name, err)
	}
	t.caFile, t.ca = path, x509.NewCertPool()
	if !t.ca.AppendCertsFromPEM(b) {
		return fmt.Errorf("certificate of %s: there is none in %s", name, path)
	}
	return nil
}

func (t target) tlsConfig(protocol string) *tls.Config {
	return &tls.Config{RootCAs: t.ca, ServerName: t.host, NextProtos: []string{protocol}, MinVersion: tls.VersionTLS12}
}

// untrusted is a certificate that the exporters will not take, in one line.
func (t target) untrusted(err error) string {
	var host x509.HostnameError
	var unknown x509.UnknownAuthorityError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &host):
		return fmt.Sprintf("certificate mismatch: it is not for %s: start lensview with --advertise %s, or use one of its names", t.host, t.host)
	case errors.As(err, &unknown) && t.ca == nil:
		return "certificate mismatch: OTEL_EXPORTER_OTLP_CERTIFICATE is not set, and the system does not trust the receiver's: take it from 'lensview env'"
	case errors.As(err, &unknown):
		return fmt.Sprintf("certificate mismatch: the receiver's is not signed by %s: print the environment anew with 'lensview env'", t.caFile)
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "certificate mismatch: by the clock of this host it is not valid now: the clock is far off, or lensview must be restarted"
	}
	return ""
}

package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"
	"time"
)

// probe goes to a target step by step and stops at the first that fails: what
// comes after it would only repeat the same cause.
type probe struct {
	*diagnosis
	target  target
	timeout time.Duration
	getenv  func(string) string
}

func (p *probe) run(ctx context.Context) {
	if !p.reach(ctx) || p.target.tls && !p.handshake(ctx) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	send := p.sendHTTP
	if p.target.protocol == "grpc" {
		send = p.sendGRPC
	}
	a := send(ctx)
	p.judge(ctx, a)
	if a.sent.IsZero() || a.clock.IsZero() {
		return
	}
	p.clock(a)
}

// reach connects.
func (p *probe) reach(ctx context.Context) bool {
	t := p.target
	start := time.Now()
	c, err := (&net.Dialer{Timeout: p.timeout}).DialContext(ctx, t.network, t.addr)
	if err == nil {
		c.Close()
		p.well("%s can be reached (%v)", t.addr, time.Since(start).Round(10*time.Microsecond))
		return true
	}
	var dns *net.DNSError
	switch {
	case errors.As(err, &dns):
		p.cause("no such host: %s has no address here: use another of the receiver's names (lensview --advertise)", t.host)
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, os.ErrNotExist):
		p.cause("nothing listens on %s%s", t.addr, cmp.Or(p.elsewhere(), t.whereToListen()))
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), errors.Is(err, syscall.ETIMEDOUT):
		p.cause("no answer from %s within %v: a firewall, or a network that this node is not on (lensview --advertise INTERFACE)", t.addr, p.timeout)
	case errors.Is(err, os.ErrPermission):
		p.cause("%s belongs to another user", t.addr)
	default:
		p.cause("cannot connect to %s: %v", t.addr, errors.Unwrap(err))
	}
	return false
}

// whereToListen is what to do where nothing listens.
func (t target) whereToListen() string {
	switch {
	case !t.fromVariable():
		return ", where exporters send by default: in the job's shell, eval \"$(lensview env)\""
	case t.network == "unix":
		return ": the lensview of this socket has ended, or runs on another host: start one with --unix, and print the environment anew"
	case isLoopback(t.host):
		return " of this host, which no other host can stand in for: start lensview here, or elsewhere with --listen 0.0.0.0:4317, and print the environment anew"
	}
	flag := "--listen"
	if t.protocol != "grpc" {
		flag = "--http-listen"
	}
	return ": start lensview there, with " + flag + " 0.0.0.0:PORT, and print the environment anew"
}

// elsewhere names a receiver of this user that runs, and not where the variable
// says: the port is wrong, or the receiver was started anew.
func (p *probe) elsewhere() string {
	state, err := stateDir(env{getenv: p.getenv})
	host, hostErr := os.Hostname()
	if err != nil || hostErr != nil || !p.target.fromVariable() {
		return ""
	}
	all, _ := instances(state, host)
	if len(all) == 0 {
		return ""
	}
	where := all[0].reach(cmp.Or(all[0].GRPC, all[0].HTTP))
	if where == "" {
		where = all[0].Unix
	}
	return fmt.Sprintf("; your lensview %s receives on %s: print the environment anew", all[0].id(), where)
}

// handshake looks at the certificate as exporters do.
func (p *probe) handshake(ctx context.Context) bool {
	t := p.target
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	d := tls.Dialer{Config: t.tlsConfig(t.alpn())}
	c, err := d.DialContext(ctx, "tcp", t.addr)
	if err == nil {
		chain := c.(*tls.Conn).ConnectionState().PeerCertificates
		c.Close()
		p.well("its certificate is trusted, for %s, until %s", t.host, chain[0].NotAfter.Format(time.DateOnly))
		p.bundle(chain)
		return true
	}
	var plain tls.RecordHeaderError
	switch text := t.untrusted(err); {
	case text != "":
		p.cause("%s", text)
	case strings.Contains(err.Error(), "no application protocol"):
		p.cause("wrong protocol: %s does not speak %s", t.addr, t.protocol)
	case errors.As(err, &plain):
		p.cause("wrong protocol: %s does not speak TLS: the endpoint must begin with http://", t.addr)
	default:
		p.cause("TLS with %s fails: %v", t.addr, err)
	}
	return false
}

// alpn is what an exporter of the protocol asks for.
func (t target) alpn() string {
	if t.protocol == "grpc" {
		return "h2"
	}
	return "http/1.1"
}

// speaksTLS tries whether a port that did not understand plaintext has TLS.
func (p *probe) speaksTLS(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	c := &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2", "http/1.1"}} //nolint:gosec // only whether it speaks TLS is asked
	conn, err := (&tls.Dialer{Config: c}).DialContext(ctx, p.target.network, p.target.addr)
	if err == nil {
		conn.Close()
	}
	return err == nil
}

// clockTolerance is more than the answer's second and the way there and back.
const clockTolerance = 3 * time.Second

// clock compares this host's clock with the receiver's.
func (p *probe) clock(a answered) {
	middle := a.sent.Add(a.took / 2)
	off := middle.Sub(a.clock)
	if off.Abs() <= clockTolerance {
		p.well("the clocks agree within %v", clockTolerance)
		return
	}
	word := "ahead of"
	if off < 0 {
		word = "behind"
	}
	p.cause("clock far off: this host is %v %s the receiver, and so are the times of its spans: start NTP or chrony on both", off.Abs().Round(time.Second), word)
}

// answered is what came back for the test span.
type answered struct {
	err      error
	code     string // gRPC status or HTTP status
	text     string
	sent     time.Time
	took     time.Duration
	clock    time.Time // of the receiver, if it says
	accepted bool
	rejected int64
}

// judge says what an answer means.
func (p *probe) judge(ctx context.Context, a answered) {
	t := p.target
	token := t.headers["x-lensview-token"] + t.headers["authorization"]
	switch {
	case a.accepted && a.rejected > 0:
		p.cause("the test span was rejected: %s", a.text)
	case a.accepted:
		p.well("the test span was taken (%v)%s", a.took.Round(100*time.Microsecond), said(a.text))
	case a.code == "Unauthenticated" || a.code == "401":
		p.noToken(token != "", a.text)
	case !t.tls && t.network == "tcp" && p.speaksTLS(ctx):
		p.cause("wrong protocol: %s speaks TLS: the endpoint must begin with https:// (and OTEL_EXPORTER_OTLP_CERTIFICATE name its certificate)", t.addr)
	case p.wrongPort(a):
		p.cause("wrong protocol: %s does not speak %s%s", t.addr, t.protocol, said(a.text))
	case a.code == "" || a.code == "Unavailable" || a.code == "DeadlineExceeded":
		p.cause("the test span got no answer: %v", a.err)
	default:
		p.cause("the test span was refused: %s%s", a.code, said(a.text))
	}
}

// noToken is a receiver that does not let this environment in. One that belongs to
// somebody else says so, and 'lensview env' has no token for it.
func (p *probe) noToken(wrong bool, text string) {
	switch {
	case wrong:
		p.cause("wrong token: it is of another receiver or was made anew: take it from 'lensview env'")
	case text == "" || strings.HasPrefix(text, "no token"):
		p.cause("no token: OTEL_EXPORTER_OTLP_HEADERS has none: take it from 'lensview env'")
	default:
		p.cause("no token%s", said(text))
	}
}

// wrongPort recognises a receiver of the other protocol.
func (p *probe) wrongPort(a answered) bool {
	if p.target.protocol == "grpc" {
		return a.code == "Unimplemented"
	}
	return a.code == "400" || a.code == "404" || a.code == "405" || errors.Is(a.err, errNotHTTP)
}

func said(text string) string {
	if text == "" {
		return ""
	}
	return ": " + fmt.Sprintf("%.200s", text)
}

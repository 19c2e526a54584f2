package ingest

import (
	"crypto/tls"
	"net"
	"time"

	"github.com/beamline-hpc/lensview/internal/ingest/peer"
)

// Decoder names the protobuf decoder of a receiver, as otlp.DecoderNamed does.
type Decoder string

// The decoders. Generated is slower by far and exists to settle a doubt about
// Fast: both give the same rows.
const (
	Fast      Decoder = "fast"
	Generated Decoder = "generated"
)

// Off as an address means "do not listen for this protocol".
const Off = "off"

// Defaults of Config.
const (
	DefaultGRPC       = "localhost:4317"
	DefaultHTTP       = "localhost:4318"
	DefaultMaxRequest = 64 << 20
	DefaultMaxCalls   = 128
	DefaultMaxBytes   = 256 << 20
	DefaultMaxConns   = 20_000
	DefaultWait       = 2 * time.Second
)

// Secret is a text that is never printed.
type Secret string

// String hides it.
func (s Secret) String() string {
	if s == "" {
		return "none"
	}
	return "(secret)"
}

// GoString hides it from %#v too.
func (s Secret) GoString() string { return s.String() }

// Config is everything a receiver is told. The zero value is a receiver on the
// default ports of both loopback addresses for the user it runs as.
//
// Addresses are HOST, HOST:PORT or :PORT; an IPv6 host may stand bare or in
// brackets; port 0 picks a free one; "localhost" is 127.0.0.1 and ::1.
//
// Who may send: over loopback and the Unix socket the user of this process,
// without a token; anybody who has the token. An address that other hosts reach
// needs the token and TLS.
type Config struct {
	GRPC, HTTP string        // addresses, "" for the default, Off for none
	Unix       string        // path of a socket for both protocols, "" for none
	MaxRequest int           // bytes of one request, before and after decompression
	MaxCalls   int           // requests being read, decoded or stored at once, over both protocols
	MaxBytes   int           // bytes that those hold, unpacked; one alone may hold more, up to MaxRequest
	MaxConns   int           // open connections over both protocols
	Wait       time.Duration // how long Sink.Put may take until the sender is told to retry
	Token      Secret        // lets anybody in who has it
	Hosts      []string      // names besides localhost and IP addresses by which HTTP clients may call this host
	// AllowOtherUsers says that other users of this host may send over
	// loopback without the token.
	AllowOtherUsers bool
	NoAuth          bool        // an address that other hosts reach needs no token
	Plaintext       bool        // such an address may be without TLS
	TLS             *tls.Config // of addresses that other hosts reach, and of loopback unless PlainLoopback
	PlainLoopback   bool        // loopback is plaintext though there is TLS
	Decoder         Decoder     // "" is Fast
	Now             func() time.Time

	// owner tells who is at the other end of a local connection; tests give
	// their own.
	owner func(net.Conn) (uint32, error)
	// begin is how long a connection may take until its first request has begun,
	// headerTimeout but for tests.
	begin time.Duration
}

func (c Config) withDefaults() Config {
	orString(&c.GRPC, DefaultGRPC)
	orString(&c.HTTP, DefaultHTTP)
	orInt(&c.MaxRequest, DefaultMaxRequest)
	orInt(&c.MaxCalls, DefaultMaxCalls)
	orInt(&c.MaxBytes, DefaultMaxBytes)
	orInt(&c.MaxConns, DefaultMaxConns)
	if c.Wait <= 0 {
		c.Wait = DefaultWait
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.begin <= 0 {
		c.begin = headerTimeout
	}
	if c.owner == nil {
		c.owner = peer.UID
	}
	return c
}

func orString(p *string, def string) {
	if *p == "" {
		*p = def
	}
}

func orInt(p *int, def int) {
	if *p <= 0 {
		*p = def
	}
}

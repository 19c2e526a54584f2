package ingest

import (
	"crypto/tls"
	"time"
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
	DefaultMaxConns   = 20_000
	DefaultWait       = 2 * time.Second
)

// Config is everything a receiver is told. The zero value is a receiver on the
// default ports of both loopback addresses, without a token.
//
// Addresses are HOST, HOST:PORT or :PORT; an IPv6 host may stand bare or in
// brackets; port 0 picks a free one; "localhost" is 127.0.0.1 and ::1.
type Config struct {
	GRPC, HTTP string        // addresses, "" for the default, Off for none
	MaxRequest int           // bytes of one request, before and after decompression
	MaxCalls   int           // requests being read, decoded or stored at once, over both protocols
	MaxConns   int           // open connections over both protocols
	Wait       time.Duration // how long Sink.Put may take until the sender is told to retry
	Token      string        // required of every request when not ""
	Hosts      []string      // names besides localhost and IP addresses by which HTTP clients may call this host
	// AllowOtherUsers says that other users of this host may send over
	// loopback. Without it, and without a token, Start leaves a notice that
	// loopback is shared.
	AllowOtherUsers bool
	TLS             *tls.Config // nil for plaintext
	Decoder         Decoder     // "" is Fast
	Now             func() time.Time
}

func (c Config) withDefaults() Config {
	orString(&c.GRPC, DefaultGRPC)
	orString(&c.HTTP, DefaultHTTP)
	orInt(&c.MaxRequest, DefaultMaxRequest)
	orInt(&c.MaxCalls, DefaultMaxCalls)
	orInt(&c.MaxConns, DefaultMaxConns)
	if c.Wait <= 0 {
		c.Wait = DefaultWait
	}
	if c.Now == nil {
		c.Now = time.Now
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

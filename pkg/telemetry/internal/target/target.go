// Package target reads where telemetry goes: the OTEL_EXPORTER_OTLP_* variables
// with their forms for one signal, and what a program sets itself.
//
// The exporters of OpenTelemetry for Go read these variables too, but from the
// process alone, print values of headers they cannot read, and take a host and
// port without a scheme for a URL.
package target

import (
	"crypto/tls"
	"strings"
	"time"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Signal is one of the three kinds of telemetry, spelled as in a path.
type Signal string

// The signals.
const (
	Traces  Signal = "traces"
	Metrics Signal = "metrics"
	Logs    Signal = "logs"
)

// Protocol is how messages are encoded and carried.
type Protocol string

// The protocols, spelled as in the variables.
const (
	GRPC         Protocol = "grpc"
	HTTPProtobuf Protocol = "http/protobuf"
	HTTPJSON     Protocol = "http/json"
)

// Target is the destination of one signal.
type Target struct {
	Signal   Signal
	Protocol Protocol
	Address  string // gRPC: "host:port" or "unix:path"
	URL      string // HTTP: whole
	Insecure bool   // plain text; the reverse of TLS
	TLS      *tls.Config
	Headers  map[string]string // values may be secrets
	Gzip     bool
	Timeout  time.Duration // of one attempt

	// Guessed says that the endpoint had no scheme, so that TLS is the
	// specification's choice and maybe not the user's.
	Guessed bool
}

// Place is the destination for messages to people: no path, no secret.
func (t Target) Place() string {
	if t.Protocol == GRPC {
		return t.Address
	}
	rest, _ := strings.CutPrefix(t.URL, "http://")
	rest, _ = strings.CutPrefix(rest, "https://")
	host, _, _ := strings.Cut(rest, "/")
	return host[strings.LastIndex(host, "@")+1:]
}

// Settings is what a program sets itself. What is not empty goes before all
// variables.
type Settings struct {
	Endpoint string // as OTEL_EXPORTER_OTLP_ENDPOINT
	Protocol Protocol
	Headers  map[string]string
	TLS      *tls.Config
}

// Reader reads targets.
type Reader struct {
	Lookup   func(name string) (value string, set bool) // shape of os.LookupEnv
	ReadFile func(name string) ([]byte, error)          // for certificates
	Settings Settings
}

const (
	prefix         = "OTEL_EXPORTER_OTLP_"
	defaultTimeout = 10 * time.Second
)

// Read reads the target of a signal. What can be passed over is a warning, which
// repeats no value of a header; an endpoint or certificate that cannot be used is
// an error. Both name the variable.
func (r Reader) Read(signal Signal) (Target, []semconv.Warning, error) {
	v := &reading{Reader: r, to: Target{Signal: signal}}
	v.protocol()
	v.timeout()
	v.compression()
	v.headers()
	if err := v.endpoint(); err != nil {
		return Target{}, v.warnings, err
	}
	if err := v.tls(); err != nil {
		return Target{}, v.warnings, err
	}
	return v.to, v.warnings, nil
}

// reading is a target in the making.
type reading struct {
	Reader
	to       Target
	warnings []semconv.Warning
}

// value returns a setting with the name of the variable it comes from, which is
// that of the signal if set.
func (v *reading) value(setting string) (text, name string, own bool) {
	own = true
	for _, name = range []string{prefix + strings.ToUpper(string(v.to.Signal)) + "_" + setting, prefix + setting} {
		text, _ = v.Lookup(name)
		if text = strings.TrimSpace(text); text != "" {
			return text, name, own
		}
		own = false
	}
	return "", name, false
}

func (v *reading) warn(name, text string) {
	v.warnings = append(v.warnings, semconv.Warning{Key: name, Text: name + ": " + text})
}

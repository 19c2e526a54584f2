package target_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

func reader(env map[string]string) target.Reader {
	return target.Reader{
		Lookup:   func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		ReadFile: os.ReadFile,
	}
}

const (
	endpoint = "OTEL_EXPORTER_OTLP_ENDPOINT"
	protocol = "OTEL_EXPORTER_OTLP_PROTOCOL"
)

// TestEndpointGRPC is the first half of the table of forms.
func TestEndpointGRPC(t *testing.T) {
	tests := []struct {
		name, text string
		insecure   string // value of the variable
		address    string
		plain      bool
		err        string
		warnings   int
	}{
		{name: "unset", address: "localhost:4317", plain: true},
		{name: "http", text: "http://c:4317", address: "c:4317", plain: true},
		{name: "https", text: "https://c:4317", address: "c:4317"},
		{name: "https and insecure", text: "https://c:4317", insecure: "true", address: "c:4317"},
		{name: "bare", text: "c:4317", address: "c:4317"},
		{name: "bare and insecure", text: "c:4317", insecure: "TRUE", address: "c:4317", plain: true},
		{name: "bare localhost and insecure", text: "localhost:4317", insecure: "true", address: "localhost:4317", plain: true},
		{name: "bare and nonsense", text: "c:4317", insecure: "1", address: "c:4317", warnings: 1},
		{name: "bare without a port", text: "c", address: "c:4317"},
		{name: "IPv6", text: "http://[::1]:4317", address: "[::1]:4317", plain: true},
		{name: "bare IPv6", text: "[::1]:4317", address: "[::1]:4317"},
		{name: "IPv4", text: "10.0.0.5:4317", address: "10.0.0.5:4317"},
		{name: "no port", text: "http://c", address: "c:4317", plain: true},
		{name: "blanks", text: " http://c:4317 ", address: "c:4317", plain: true},
		{name: "a path", text: "http://c:4317/v1/traces", address: "c:4317", plain: true, warnings: 1},
		{name: "a slash", text: "http://c:4317/", address: "c:4317", plain: true},
		{name: "user", text: "http://me:pw@c:4317", address: "c:4317", plain: true},
		{name: "unix", text: "unix:///run/lens.sock", address: "unix:///run/lens.sock", plain: true},
		{name: "other scheme", text: "grpc://c:4317", err: "grpc"},
		{name: "no host", text: "http://:4317", err: "names no host"},
		{name: "blank inside", text: "bad host:4317", err: endpoint},
		{name: "bad port", text: "http://c:port", err: endpoint},
		{name: "bad escape with a password", text: "http://me:pw%zz@c:4317", err: endpoint},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, warnings, err := reader(map[string]string{
				endpoint: tt.text, "OTEL_EXPORTER_OTLP_INSECURE": tt.insecure,
			}).Read(target.Traces)
			checkError(t, err, tt.err)
			if got.Address != tt.address || got.Insecure != tt.plain {
				t.Errorf("address %q plain %t, want %q %t", got.Address, got.Insecure, tt.address, tt.plain)
			}
			if err == nil && (got.TLS == nil) != tt.plain {
				t.Errorf("TLS %v", got.TLS)
			}
			if len(warnings) != tt.warnings {
				t.Errorf("warnings %v", warnings)
			}
		})
	}
}

// TestEndpointHTTP is the second half.
func TestEndpointHTTP(t *testing.T) {
	const own = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
	tests := []struct {
		name, variable, text string
		url                  string
		err                  string
		warning              string
	}{
		{name: "unset", url: "http://localhost:4318/v1/traces"},
		{name: "base", text: "http://c:4318", url: "http://c:4318/v1/traces"},
		{name: "slash", text: "http://c:4318/", url: "http://c:4318/v1/traces"},
		{name: "base with a path", text: "http://c:4318/otlp", url: "http://c:4318/otlp/v1/traces"},
		{name: "base with the signal", text: "http://c:4318/v1/traces", url: "http://c:4318/v1/traces/v1/traces", warning: "/v1/traces"},
		{name: "own", variable: own, text: "http://c:4318/x", url: "http://c:4318/x"},
		{name: "own without a path", variable: own, text: "http://c:4318", url: "http://c:4318/"},
		{name: "blanks", text: " http://c:4318 ", url: "http://c:4318/v1/traces"},
		{name: "bare", text: "c:4318", url: "http://c:4318/v1/traces", warning: "http:// is assumed"},
		{name: "bare IPv4", text: "10.0.0.5:4318", url: "http://10.0.0.5:4318/v1/traces", warning: "http:// is assumed"},
		{name: "https", text: "https://c/", url: "https://c/v1/traces"},
		{name: "query", text: "http://c:4318?tenant=a#f", url: "http://c:4318/v1/traces?tenant=a"},
		{name: "other scheme", text: "ftp://c:4318", err: "ftp"},
		{name: "no host", text: "http:///x", err: "names no host"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.variable == "" {
				tt.variable = endpoint
			}
			got, warnings, err := reader(map[string]string{tt.variable: tt.text, protocol: "http/protobuf"}).Read(target.Traces)
			checkError(t, err, tt.err)
			if got.URL != tt.url {
				t.Errorf("URL %q, want %q", got.URL, tt.url)
			}
			if (len(warnings) > 0) != (tt.warning != "") {
				t.Fatalf("warnings %v", warnings)
			}
			if tt.warning != "" && !strings.Contains(warnings[0].Text, tt.warning) {
				t.Errorf("warning %q", warnings[0].Text)
			}
		})
	}
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if (err != nil) != (want != "") {
		t.Fatalf("error %v, want %q", err, want)
	}
	if err == nil {
		return
	}
	if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), endpoint) {
		t.Errorf("error %q does not name %q and the variable", err, want)
	}
	if strings.Contains(err.Error(), "pw") {
		t.Errorf("error %q repeats a password", err)
	}
}

// TestOwnVariables: each setting of one signal goes before the general one.
func TestOwnVariables(t *testing.T) {
	env := map[string]string{
		protocol: "grpc", "OTEL_EXPORTER_OTLP_LOGS_PROTOCOL": "HTTP/JSON",
		"OTEL_EXPORTER_OTLP_TIMEOUT": "10000", "OTEL_EXPORTER_OTLP_LOGS_TIMEOUT": "2500",
		"OTEL_EXPORTER_OTLP_COMPRESSION": "gzip", "OTEL_EXPORTER_OTLP_LOGS_COMPRESSION": "none",
		"OTEL_EXPORTER_OTLP_HEADERS": "a=1,b=2", "OTEL_EXPORTER_OTLP_LOGS_HEADERS": "a=3",
		endpoint: "http://c:1", "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT": "http://d:2/l",
	}
	logs, warnings, err := reader(env).Read(target.Logs)
	if err != nil || warnings != nil {
		t.Fatal(err, warnings)
	}
	want := target.Target{
		Signal: target.Logs, Protocol: target.HTTPJSON, URL: "http://d:2/l", Insecure: true,
		Headers: map[string]string{"a": "3"}, Timeout: 2500 * time.Millisecond,
	}
	if diff := cmp.Diff(want, logs); diff != "" {
		t.Error(diff)
	}
	metrics, _, err := reader(env).Read(target.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	want = target.Target{
		Signal: target.Metrics, Protocol: target.GRPC, Address: "c:1", Insecure: true,
		Headers: map[string]string{"a": "1", "b": "2"}, Gzip: true, Timeout: 10 * time.Second,
	}
	if diff := cmp.Diff(want, metrics); diff != "" {
		t.Error(diff)
	}
}

// TestSettingsGoFirst: what the program sets hides all variables.
func TestSettingsGoFirst(t *testing.T) {
	r := reader(map[string]string{
		protocol: "grpc", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "grpc",
		endpoint: "http://c:1", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://d:2/l",
		"OTEL_EXPORTER_OTLP_HEADERS": "a=1",
	})
	r.Settings = target.Settings{Endpoint: "http://e:3", Protocol: target.HTTPProtobuf, Headers: map[string]string{"x-token": "t"}}
	got, warnings, err := r.Read(target.Traces)
	if err != nil || warnings != nil {
		t.Fatal(err, warnings)
	}
	if got.URL != "http://e:3/v1/traces" || got.Headers["x-token"] != "t" || len(got.Headers) != 1 {
		t.Errorf("%+v", got)
	}
	r.Settings = target.Settings{Endpoint: "e:x:3"}
	if _, _, err := r.Read(target.Traces); err == nil || !strings.Contains(err.Error(), "set by the program") {
		t.Errorf("error %v", err)
	}
}

func TestPlace(t *testing.T) {
	for url, want := range map[string]string{
		"http://c:4318/v1/traces": "c:4318", "https://me:pw@c/x": "c", "http://c": "c",
	} {
		if got := (target.Target{Protocol: target.HTTPProtobuf, URL: url}).Place(); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	if got := (target.Target{Protocol: target.GRPC, Address: "c:1"}).Place(); got != "c:1" {
		t.Errorf("%q", got)
	}
}

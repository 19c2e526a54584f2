package target_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// TestHeaders is the table of forms; a value never appears in a warning.
func TestHeaders(t *testing.T) {
	tests := []struct {
		name, text string
		want       map[string]string
		warnings   int
	}{
		{"encoded blank", "authorization=Bearer%20abc", map[string]string{"authorization": "Bearer abc"}, 0},
		{"blank", "authorization=Bearer abc", map[string]string{"authorization": "Bearer abc"}, 0},
		{"padding", "api-key=YWJj==", map[string]string{"api-key": "YWJj=="}, 0},
		{"plus", "a=x+y", map[string]string{"a": "x+y"}, 0},
		{"encoded name", "k%20=hunter2", map[string]string{}, 1},
		{"bad escape", "a=hunter2%ZZ", map[string]string{}, 1},
		{"empty pairs", "a=1,,b=2,", map[string]string{"a": "1", "b": "2"}, 0},
		{"no equals sign", "Bearer hunter2,b=2", map[string]string{"b": "2"}, 1},
		{"no name", "=hunter2", map[string]string{}, 1},
		{"line break", "a=hunter2%0d%0ax:1", map[string]string{}, 1},
		{"not ASCII", "a=hunter2%C3%A9", map[string]string{}, 1},
		{"empty value", "a=", map[string]string{"a": ""}, 0},
		{"blanks around", " A = b ", map[string]string{"a": "b"}, 0},
		{"the last counts", "a=1,A=2", map[string]string{"a": "2"}, 0},
		{"unset", "", map[string]string{}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, warnings, err := reader(map[string]string{"OTEL_EXPORTER_OTLP_HEADERS": tt.text}).Read(target.Metrics)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got.Headers); diff != "" {
				t.Error(diff)
			}
			if len(warnings) != tt.warnings {
				t.Fatalf("warnings %v", warnings)
			}
			for _, w := range warnings {
				if strings.Contains(w.Text, "hunter2") || !strings.Contains(w.Text, "OTEL_EXPORTER_OTLP_HEADERS") {
					t.Errorf("warning %q", w.Text)
				}
			}
		})
	}
}

// TestLenient: a value that cannot be read keeps the default, with one warning.
func TestLenient(t *testing.T) {
	tests := []struct {
		variable, text string
		warned         bool
		check          func(target.Target) bool
	}{
		{"TIMEOUT", "10000", false, func(t target.Target) bool { return t.Timeout == 10*time.Second }},
		{"TIMEOUT", "30s", true, func(t target.Target) bool { return t.Timeout == 10*time.Second }},
		{"TIMEOUT", "-1", true, func(t target.Target) bool { return t.Timeout == 10*time.Second }},
		{"TIMEOUT", "0", true, func(t target.Target) bool { return t.Timeout == 10*time.Second }},
		{"TIMEOUT", "9999999999999", true, func(t target.Target) bool { return t.Timeout == 10*time.Second }},
		{"COMPRESSION", "GZIP", false, func(t target.Target) bool { return t.Gzip }},
		{"COMPRESSION", "none", false, func(t target.Target) bool { return !t.Gzip }},
		{"COMPRESSION", "zstd", true, func(t target.Target) bool { return !t.Gzip }},
		{"PROTOCOL", " grpc ", false, func(t target.Target) bool { return t.Protocol == target.GRPC }},
		{"PROTOCOL", "http", true, func(t target.Target) bool { return t.Protocol == target.GRPC }},
	}
	for _, tt := range tests {
		got, warnings, err := reader(map[string]string{"OTEL_EXPORTER_OTLP_" + tt.variable: tt.text}).Read(target.Traces)
		if err != nil || (len(warnings) == 1) != tt.warned || !tt.check(got) {
			t.Errorf("%s=%q: %+v, %v, %v", tt.variable, tt.text, got, warnings, err)
		}
	}
}

func TestCertificates(t *testing.T) {
	cert, key := writePair(t)
	junk := filepath.Join(t.TempDir(), "junk")
	if err := os.WriteFile(junk, []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	const ca, client, clientKey = "OTEL_EXPORTER_OTLP_CERTIFICATE", "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE", "OTEL_EXPORTER_OTLP_CLIENT_KEY"
	tests := []struct {
		name  string
		env   map[string]string
		names []string // in the error
	}{
		{"root", map[string]string{ca: cert}, nil},
		{"pair", map[string]string{client: cert, clientKey: key}, nil},
		{"no such root", map[string]string{ca: cert + "x"}, []string{ca}},
		{"no root in it", map[string]string{ca: junk}, []string{ca, junk}},
		{"half a pair", map[string]string{client: cert}, []string{client, clientKey}},
		{"other half", map[string]string{clientKey: key}, []string{client, clientKey}},
		{"no such certificate", map[string]string{client: cert + "x", clientKey: key}, []string{client}},
		{"no such key", map[string]string{client: cert, clientKey: key + "x"}, []string{clientKey}},
		{"no pair", map[string]string{client: cert, clientKey: junk}, []string{client, clientKey}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.env[endpoint] = "https://c:4317"
			got, _, err := reader(tt.env).Read(target.Traces)
			if (err != nil) != (tt.names != nil) {
				t.Fatal(err)
			}
			for _, name := range tt.names {
				if !strings.Contains(err.Error(), name) {
					t.Errorf("%q does not name %s", err, name)
				}
			}
			if err == nil && (got.TLS.RootCAs != nil) != (tt.env[ca] != "") {
				t.Error("root missing or invented")
			}
			if err == nil && len(got.TLS.Certificates) != min(1, len(tt.env[client])) {
				t.Error("pair missing or invented")
			}
		})
	}
	r := reader(map[string]string{endpoint: "https://c:4317", ca: junk})
	r.Settings.TLS = &tls.Config{ServerName: "s"}
	if got, _, err := r.Read(target.Traces); err != nil || got.TLS.ServerName != "s" {
		t.Errorf("the program's TLS: %v %v", got.TLS, err)
	}
}

func writePair(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, kind string, der []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	return write("cert", "CERTIFICATE", der), write("key", "EC PRIVATE KEY", keyDER)
}

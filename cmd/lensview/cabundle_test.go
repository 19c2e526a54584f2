package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/ingest/cert"
)

// strangePEM is the certificate of an authority that is not the receiver's.
func strangePEM(t *testing.T) []byte {
	t.Helper()
	other, err := cert.Open(t.TempDir(), time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return other.PEM()
}

// Python's requests takes the bundle of the environment before the certificate of
// the exporter: it gets one with both.
func TestBundleHasBothCertificates(t *testing.T) {
	state, theirs := t.TempDir(), filepath.Join(t.TempDir(), "site.pem")
	receiving(t, state, newCounted(), "--listen", "0.0.0.0:0", "--http-listen", "0.0.0.0:0")
	strange := strangePEM(t)
	if err := os.WriteFile(theirs, bytes.TrimSpace(strange), 0o600); err != nil { // without a line break at its end
		t.Fatal(err)
	}
	ours, err := os.ReadFile(filepath.Join(state, "lensview", "trust", "certificate.pem"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"} {
		vars := map[string]string{"XDG_STATE_HOME": state, name: theirs}
		first := value(t, runIn(vars, "env", "--protocol", "http/protobuf").out, "REQUESTS_CA_BUNDLE")
		got, err := os.ReadFile(first)
		if err != nil || string(got) != string(strange)+string(ours) {
			t.Errorf("%s: %v:\n%s", name, err, got)
		}
		vars["REQUESTS_CA_BUNDLE"] = first // taken over, and printed again
		if again := value(t, runIn(vars, "env", "--protocol", "http/protobuf").out, "REQUESTS_CA_BUNDLE"); again != first {
			t.Errorf("%s: %s, then %s", name, first, again)
		}
	}
}

// Where it is not needed nothing is set, and where it cannot be done it is said.
func TestBundleOnlyWhereItIsNeeded(t *testing.T) {
	state, loopback := t.TempDir(), t.TempDir()
	receiving(t, state, newCounted(), "--listen", "0.0.0.0:0", "--http-listen", "0.0.0.0:0")
	receiving(t, loopback, newCounted())
	site := filepath.Join(t.TempDir(), "site.pem")
	if err := os.WriteFile(site, strangePEM(t), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, state, bundle, protocol, hint string }{
		{"none in the environment", state, "", "http/protobuf", ""},
		{"gRPC", state, site, "grpc", ""},
		{"no TLS", loopback, site, "http/protobuf", "only jobs on this host"},
		{"a directory", state, t.TempDir(), "http/protobuf", "REQUESTS_CA_BUNDLE"},
		{"not there", state, "/nonexistent", "http/protobuf", "REQUESTS_CA_BUNDLE"},
	} {
		got := runIn(map[string]string{"XDG_STATE_HOME": c.state, "REQUESTS_CA_BUNDLE": c.bundle}, "env", "--protocol", c.protocol)
		if got.code != 0 || strings.Contains(got.out, "_CA_BUNDLE") || !strings.Contains(got.err, c.hint) || c.hint == "" && got.err != "" {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"

	"github.com/beamline-hpc/lensview/internal/ingest/private"
)

// caBundle is the file of certificates that Python's requests takes, if the
// environment names one: it then wins over OTEL_EXPORTER_OTLP_CERTIFICATE, which
// the exporters of Python over HTTP set for their session and not for each
// request. In requests, REQUESTS_CA_BUNDLE goes before CURL_CA_BUNDLE.
func caBundle(getenv func(string) string) (path, name string) {
	for _, name := range []string{"REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"} {
		if v := getenv(name); v != "" {
			return v, name
		}
	}
	return "", ""
}

// trusted lets such exporters trust the receiver, and the rest of the job what it
// trusted before: both are written to one file, which takes the place of the
// user's for requests alone. Where that fails the other languages still send.
func (j *jobEnv) trusted(protocol string) []setting {
	path, name := caBundle(j.env.getenv)
	if path == "" || protocol == "grpc" {
		return nil
	}
	joined, err := j.join(path)
	if err != nil {
		j.hint("exporters of Python over HTTP trust the certificates of %s alone, and the receiver's cannot be joined with them (%v): unset it, or use --protocol grpc", name, err)
		return nil
	}
	return []setting{{name: "REQUESTS_CA_BUNDLE", value: joined}}
}

// join is a file with the certificates of the user's and the receiver's.
func (j *jobEnv) join(path string) (joined string, err error) {
	theirs, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	ours, err := os.ReadFile(j.instance.Certificate)
	if err != nil {
		return "", err
	}
	if bytes.Contains(theirs, bytes.TrimSpace(ours)) {
		return path, nil
	}
	return j.writeBundle(path, theirs, ours)
}

// writeBundle leaves one file for each that it is made from, replaced whenever
// the environment is printed.
func (j *jobEnv) writeBundle(path string, theirs, ours []byte) (string, error) {
	state, err := stateDir(j.env)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(state, "bundles")
	if err := private.Dir(dir); err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(path))
	joined := filepath.Join(dir, hex.EncodeToString(sum[:4])+".pem")
	return joined, private.Replace(joined, append(append(bytes.TrimSpace(theirs), '\n'), ours...))
}

package main

import (
	"crypto/x509"
	"os"
)

// bundle says when Python's exporters over HTTP will not trust a receiver that
// others trust: they take the site's bundle of certificates, if there is one.
func (p *probe) bundle(chain []*x509.Certificate) {
	path, name := caBundle(p.getenv)
	if path == "" || p.target.protocol == "grpc" {
		return
	}
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	if _, err := chain[0].Verify(x509.VerifyOptions{DNSName: p.target.host, Roots: bundleOf(path), Intermediates: between}); err != nil {
		p.cause("certificate mismatch: exporters of Python over HTTP take %s for OTEL_EXPORTER_OTLP_CERTIFICATE, and do not trust the receiver: print the environment anew with 'lensview env', or unset it", name)
	}
}

// bundleOf has nothing where the file cannot be read, or is a directory.
func bundleOf(path string) *x509.CertPool {
	pool := x509.NewCertPool()
	if b, err := os.ReadFile(path); err == nil {
		pool.AppendCertsFromPEM(b)
	}
	return pool
}

package cert

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"net"
	"sync"
	"time"
)

// Config is a server's TLS configuration with a certificate for names and
// addresses, signed now and again when two thirds of its life are over. now is
// the clock.
func (a *Authority) Config(names []string, now func() time.Time) (*tls.Config, error) {
	s := &signer{authority: a, names: names, now: now}
	if _, err := s.get(nil); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: s.get}, nil
}

// signer keeps a certificate fresh.
type signer struct {
	authority *Authority
	names     []string
	now       func() time.Time

	mu      sync.Mutex
	current *tls.Certificate
}

func (s *signer) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if s.current != nil && now.Add(leafLife/3).Before(s.current.Leaf.NotAfter) {
		return s.current, nil
	}
	c, err := s.authority.sign(s.names, now)
	if err != nil {
		return nil, err
	}
	s.current = c
	return c, nil
}

// sign makes a certificate with a key of its own, which is nowhere but in
// memory. It does not outlive the authority.
func (a *Authority) sign(names []string, now time.Time) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	t := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: "lensview receiver"},
		NotBefore: now.Add(-slack), NotAfter: now.Add(leafLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	if t.NotAfter.After(a.cert.NotAfter) {
		t.NotAfter = a.cert.NotAfter
	}
	for _, n := range names {
		if ip := net.ParseIP(n); ip != nil {
			t.IPAddresses = append(t.IPAddresses, ip)
		} else {
			t.DNSNames = append(t.DNSNames, n)
		}
	}
	der, err := x509.CreateCertificate(rand.Reader, t, a.cert, &key.PublicKey, a.key)
	if err != nil {
		return nil, fmt.Errorf("sign a certificate for %q: %w", names, err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("read back the certificate for %q: %w", names, err)
	}
	return &tls.Certificate{Certificate: [][]byte{der, a.cert.Raw}, PrivateKey: key, Leaf: leaf}, nil
}

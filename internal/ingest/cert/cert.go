// Package cert makes the certificates of a receiver. An authority of the user's
// own is made on first use and kept in a private directory; its certificate is
// what senders trust. The receiver's own certificate is signed by it at each
// start, for the names and addresses that the host has then, and again before
// it expires, so that senders that are already running never see a change.
package cert

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"time"
)

// Lives of certificates. The slack before is for hosts whose clock is behind.
const (
	authorityLife  = 5 * 365 * 24 * time.Hour
	authorityRenew = 180 * 24 * time.Hour // made anew when less is left
	leafLife       = 90 * 24 * time.Hour
	slack          = 24 * time.Hour
)

// Authority signs the certificates of receivers.
type Authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// newAuthority makes one that is valid at a time.
func newAuthority(now time.Time) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	t := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: "lensview receiver authority"},
		NotBefore: now.Add(-slack), NotAfter: now.Add(authorityLife),
		KeyUsage: x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, t, t, &key.PublicKey, key)
	if err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	c, err := x509.ParseCertificate(der)
	return &Authority{c, key}, err
}

// serial is a random one, as no record is kept of those given out.
func serial() *big.Int {
	b := make([]byte, 16)
	rand.Read(b)
	b[0] &= 0x7f
	return new(big.Int).SetBytes(b)
}

// PEM is the certificate that senders trust. It is no secret.
func (a *Authority) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw})
}

// both is certificate and key together, so that they are never of two makings.
func (a *Authority) both() ([]byte, error) {
	key, err := x509.MarshalPKCS8PrivateKey(a.key)
	if err != nil {
		return nil, fmt.Errorf("write down a key: %w", err)
	}
	return append(a.PEM(), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...), nil
}

// parse reads what both wrote.
func parse(b []byte) (*Authority, error) {
	pair, err := tls.X509KeyPair(b, b)
	if err != nil {
		return nil, err
	}
	key, ok := pair.PrivateKey.(*ecdsa.PrivateKey)
	if !ok || pair.Leaf == nil || !pair.Leaf.IsCA {
		return nil, errors.New("it is not an authority of lensview")
	}
	return &Authority{pair.Leaf, key}, nil
}

// lasts reports whether it is worth signing with at a time.
func (a *Authority) lasts(now time.Time) bool {
	return now.After(a.cert.NotBefore) && now.Add(authorityRenew).Before(a.cert.NotAfter)
}

// equal reports whether a certificate file is the authority's.
func (a *Authority) equal(file []byte) bool { return bytes.Equal(file, a.PEM()) }

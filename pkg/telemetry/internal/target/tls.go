package target

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
)

// tls reads the certificates of a target with TLS. An https endpoint is TLS whatever
// the INSECURE variable says.
func (v *reading) tls() error {
	if v.to.Insecure {
		return nil
	}
	if v.Settings.TLS != nil {
		v.to.TLS = v.Settings.TLS.Clone()
		return nil
	}
	v.to.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	return errors.Join(v.roots(), v.client())
}

func (v *reading) roots() error {
	file, name, _ := v.value("CERTIFICATE")
	if file == "" {
		return nil
	}
	pem, err := v.ReadFile(file)
	if err != nil {
		return fmt.Errorf("%s: read the certificate: %w", name, err)
	}
	v.to.TLS.RootCAs = x509.NewCertPool()
	if !v.to.TLS.RootCAs.AppendCertsFromPEM(pem) {
		return fmt.Errorf("%s: %s holds no certificate in PEM form", name, file)
	}
	return nil
}

func (v *reading) client() error {
	cert, certName, _ := v.value("CLIENT_CERTIFICATE")
	key, keyName, _ := v.value("CLIENT_KEY")
	switch {
	case cert == "" && key == "":
		return nil
	case cert == "" || key == "":
		return fmt.Errorf("%s and %s: set both, or neither", certName, keyName)
	}
	certPEM, err := v.ReadFile(cert)
	if err != nil {
		return fmt.Errorf("%s: read the certificate: %w", certName, err)
	}
	keyPEM, err := v.ReadFile(key)
	if err != nil {
		return fmt.Errorf("%s: read the key: %w", keyName, err)
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		return fmt.Errorf("%s and %s: %w", certName, keyName, err)
	}
	v.to.TLS.Certificates = []tls.Certificate{pair}
	return nil
}

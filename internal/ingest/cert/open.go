package cert

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/beamline-hpc/lensview/internal/ingest/private"
)

// Files of a directory.
const (
	// TrustDir has nothing but File, for programs that take a directory.
	TrustDir = "trust"
	// File is the certificate that senders are to trust.
	File    = TrustDir + "/certificate.pem"
	keyFile = "authority.pem"
)

// Open is the authority in a directory, made on first use and again when it is
// about to expire. Its certificate is in File beside it.
func Open(dir string, now time.Time) (*Authority, error) {
	for _, d := range []string{dir, filepath.Join(dir, TrustDir)} {
		if err := private.Dir(d); err != nil {
			return nil, err
		}
	}
	path := filepath.Join(dir, keyFile)
	a, err := read(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		a, err = create(path, now, private.Create)
		if errors.Is(err, fs.ErrExist) { // another of our programs was first
			a, err = read(path)
		}
	case err == nil && !a.lasts(now):
		a, err = create(path, now, private.Replace)
	}
	if err != nil {
		return nil, err
	}
	return a, a.publish(filepath.Join(dir, File))
}

func read(path string) (*Authority, error) {
	b, err := private.Read(path)
	if err != nil {
		return nil, err
	}
	a, err := parse(b)
	if err != nil {
		return nil, fmt.Errorf("read the key in %s: %w; remove it, so that a new one is made (jobs then need 'lensview env' again)", path, err)
	}
	return a, nil
}

func create(path string, now time.Time, write func(string, []byte) error) (*Authority, error) {
	a, err := newAuthority(now)
	if err != nil {
		return nil, err
	}
	b, err := a.both()
	if err != nil {
		return nil, err
	}
	return a, write(path, b)
}

// publish writes the certificate where senders find it, unless it is there.
func (a *Authority) publish(path string) error {
	b, err := private.Read(path)
	if err == nil && a.equal(b) {
		return nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return private.Replace(path, a.PEM())
}

package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/beamline-hpc/lensview/internal/ingest/private"
)

// maxSocketPath is what the address of a Unix socket holds on every system.
const maxSocketPath = 103

// listenUnix opens a socket of mode 0600 in a directory of mode 0700. A socket
// that a receiver left behind is replaced; anything else in its place is not
// touched.
func listenUnix(ctx context.Context, path string) (net.Listener, error) {
	if path == "" {
		return nil, nil
	}
	if err := placeForSocket(path); err != nil {
		return nil, fmt.Errorf("listen on %s (--unix): %w", path, err)
	}
	l, err := new(net.ListenConfig).Listen(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("listen on %s (--unix): %w", path, cause(err))
	}
	if err := os.Chmod(path, 0o600); err != nil {
		l.Close()
		return nil, fmt.Errorf("listen on %s (--unix): close it to others: %w", path, cause(err))
	}
	return l, nil
}

// placeForSocket checks the path and clears it of a socket that nobody listens
// on.
func placeForSocket(path string) error {
	switch {
	case !filepath.IsAbs(path):
		return errors.New("give an absolute path: senders run in other directories")
	case len(path) > maxSocketPath:
		return fmt.Errorf("the path has %d bytes and a socket's may have %d: choose a shorter one", len(path), maxSocketPath)
	}
	if err := privateParent(filepath.Dir(path)); err != nil {
		return err
	}
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSocket == 0:
		return errors.New("something that is no socket is there: remove it or choose another path")
	}
	if c, err := net.Dial("unix", path); err == nil {
		c.Close()
		return errors.New("another receiver listens there: choose another path")
	} else if !errors.Is(err, syscall.ECONNREFUSED) {
		return fmt.Errorf("a socket is there that cannot be told from one in use: %w", cause(err))
	}
	return os.Remove(path)
}

// privateParent makes the directory if it is missing. One that exists must be
// ours alone already: it may be used for other things, so it is not changed.
func privateParent(dir string) error {
	info, err := os.Lstat(dir)
	if err == nil && info.IsDir() && info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("others can reach directory %s: give a path in a directory of your own with mode 0700, which is made if it does not exist", dir)
	}
	return private.Dir(strings.TrimSuffix(dir, "/"))
}

// Package private keeps files that only their owner may read: 0600, in a
// directory of mode 0700. On a shared host somebody else may have put a link or
// a file where ours is expected; whatever is not plainly our own is refused.
package private

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// maxFile bounds what is read: every file here is small.
const maxFile = 1 << 20

// Dir makes a directory of mode 0700, with what is missing above it, and
// tightens one of ours that is open to others. A link, a file or somebody else's
// directory in its place is an error.
func Dir(path string) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return fmt.Errorf("make directory %s: %w", path, reason(err))
	}
	info, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("look at directory %s: %w", path, reason(err))
	}
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is %s, not a directory: remove it or choose another", path, kind(info))
	case !ours(info):
		return fmt.Errorf("directory %s belongs to user %d, not to you: choose another", path, owner(info))
	case info.Mode().Perm()&0o077 != 0:
		if err := os.Chmod(path, 0o700); err != nil { //nolint:gosec // 0700 is what a directory needs
			return fmt.Errorf("close directory %s to others: %w", path, reason(err))
		}
	}
	return nil
}

// Read returns a file of ours. A link, a file of somebody else or one that
// others may read is an error; a missing one is fs.ErrNotExist.
func Read(path string) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, syscall.ELOOP), errors.Is(err, syscall.EMLINK):
		return nil, fmt.Errorf("%s is a symbolic link: remove it", path)
	case err != nil:
		return nil, fmt.Errorf("read %s: %w", path, reason(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", path, reason(err))
	}
	if err := check(path, info); err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(b) > maxFile {
		err = fmt.Errorf("it is larger than %d bytes", maxFile)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, reason(err))
	}
	return b, nil
}

func check(path string, info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is %s, not a file: remove it", path, kind(info))
	case !ours(info):
		return fmt.Errorf("%s belongs to user %d, not to you: remove it", path, owner(info))
	case info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%s can be read or written by others: remove it, so that a new one is made (its content is known)", path)
	}
	return nil
}

// Create writes a file that does not exist yet, all of it or nothing. One that
// exists is fs.ErrExist and stays as it is.
func Create(path string, content []byte) error {
	return write(path, content, link)
}

// link gives a file a name that is free. Some file systems know no second name
// for a file; there a race between two of our programs is possible.
func link(from, to string) error {
	err := os.Link(from, to)
	if !errors.Is(err, syscall.EPERM) && !errors.Is(err, syscall.ENOTSUP) && !errors.Is(err, syscall.ENOSYS) {
		return err
	}
	if _, err := os.Lstat(to); err == nil {
		return fs.ErrExist
	}
	return os.Rename(from, to)
}

// Replace writes a file in place of one that may exist, all of it or nothing.
func Replace(path string, content []byte) error {
	return write(path, content, os.Rename)
}

// write makes a file under a name that nobody can know and then gives it its
// own.
func write(path string, content []byte, name func(from, to string) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*") // 0600, and never through a link
	if err != nil {
		return fmt.Errorf("write %s: %w", path, reason(err))
	}
	defer os.Remove(f.Name())
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = name(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, reason(err))
	}
	return nil
}

// reason strips from an error the paths that the message already has.
func reason(err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		return p.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

func ours(info fs.FileInfo) bool { return owner(info) == os.Geteuid() }

func owner(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid)
	}
	return -1
}

func kind(info fs.FileInfo) string {
	switch m := info.Mode(); {
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m.IsDir():
		return "a directory"
	case m.IsRegular():
		return "a file"
	}
	return "a special file"
}

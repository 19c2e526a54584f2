package record

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	segmentPrefix = "lensview-"
	segmentSuffix = ".rec"
)

// segmentName is the name of a segment: in the order of names the segments are in
// the order of time.
func segmentName(number uint32) string {
	return fmt.Sprintf("%s%06d%s", segmentPrefix, number, segmentSuffix)
}

// segmentNumber is the way back; ok is false for other files.
func segmentNumber(name string) (number uint32, ok bool) {
	digits, ok := strings.CutPrefix(filepath.Base(name), segmentPrefix)
	if !ok {
		return 0, false
	}
	if digits, ok = strings.CutSuffix(digits, segmentSuffix); !ok || len(digits) < 6 {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	return uint32(n), err == nil && segmentName(uint32(n)) == filepath.Base(name)
}

// output is the file of a segment, as the writer needs it. Tests give one that
// fails.
type output interface {
	WriteAt(p []byte, at int64) (int, error)
	Truncate(size int64) error
	Sync() error
	Removed(end int64) bool
	Close() error
}

// osFile is an output on the disk.
type osFile struct{ *os.File }

func (f osFile) Sync() error { return syncData(f.File) }

// folder is the directory of a recording.
type folder struct {
	path  string
	group bool // the user's group may read
}

func (d folder) modes() (dir, file fs.FileMode) {
	if d.group {
		return 0o750, 0o640
	}
	return 0o700, 0o600
}

// prepare makes the directory, or checks one that is there.
func (d folder) prepare() error {
	mode, _ := d.modes()
	if err := os.MkdirAll(filepath.Dir(filepath.Clean(d.path)), 0o700); err != nil {
		return err
	}
	err := os.Mkdir(d.path, mode)
	made := err == nil
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := os.Lstat(filepath.Clean(d.path))
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symbolic link: give the directory itself", d.path)
	}
	if err := ownDir(info); err != nil {
		return fmt.Errorf("%s: %w", d.path, err)
	}
	if !made && !d.group {
		return nil
	}
	if err := os.Chmod(d.path, info.Mode().Perm()|mode); err != nil { // the umask may have taken the group's part
		return err
	}
	return d.share()
}

// share lets the group read the segments that were written before it was let in: a
// recording of which it may read the end only is read by nobody.
func (d folder) share() error {
	all, err := d.segments()
	if err != nil || !d.group {
		return err
	}
	_, mode := d.modes()
	for _, n := range all {
		f, err := os.OpenFile(filepath.Join(d.path, segmentName(n)), os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
		if err != nil {
			return err
		}
		info, err := f.Stat()
		if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&mode != mode {
			err = f.Chmod(info.Mode().Perm() | mode)
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// segments are the numbers that are there, in order.
func (d folder) segments() ([]uint32, error) {
	entries, err := os.ReadDir(d.path) // sorted by name
	if err != nil {
		return nil, err
	}
	var out []uint32
	for _, e := range entries {
		if n, ok := segmentNumber(e.Name()); ok {
			out = append(out, n)
		}
	}
	return out, nil
}

// create makes the file of a segment, which must not exist in any form, and holds
// it for this process.
func (d folder) create(number uint32) (output, error) {
	_, mode := d.modes()
	f, err := os.OpenFile(filepath.Join(d.path, segmentName(number)), os.O_RDWR|os.O_CREATE|os.O_EXCL|syscall.O_NOFOLLOW, mode)
	if err != nil {
		return nil, err
	}
	if d.group {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = errors.Join(lock(f), d.sync())
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return osFile{f}, nil
}

// sync puts the names of the files on the disk, where the file system can.
func (d folder) sync() error {
	f, err := os.Open(d.path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// recovered is what had to be done to a segment that a writer left unfinished.
type recovered struct {
	path string
	cut  int64 // bytes at its end that were no whole group
}

// recover finishes a segment that was left without an index: what was written
// last and is not complete is cut off, the index is added. A segment that is
// finished is left alone.
func (d folder) recover(number uint32) (r recovered, err error) {
	r.path = filepath.Join(d.path, segmentName(number))
	info, err := os.Lstat(r.path)
	if err != nil {
		return r, err
	}
	if err := ownFile(info); err != nil {
		return r, fmt.Errorf("%s: %w; move it away", r.path, err)
	}
	f, err := os.OpenFile(r.path, os.O_RDWR|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return r, err
	}
	defer f.Close()
	if err := lock(f); err != nil {
		return r, fmt.Errorf("%s: %w", r.path, err)
	}
	if r.cut, err = finishFile(f, info.Size()); err != nil {
		err = fmt.Errorf("finish %s: %w", r.path, err)
	}
	return r, err
}

// finishFile cuts the tail of a segment and adds its index.
func finishFile(f *os.File, size int64) (cut int64, err error) {
	if _, ok, _ := ReadIndex(f, size); ok {
		return 0, nil
	}
	x, end, _, err := walk(f)
	if err != nil {
		return 0, err
	}
	if end == 0 && !ourStart(f, size) {
		return 0, errors.New("it is not a recording; move it away")
	}
	if err := f.Truncate(end); err != nil || end == 0 {
		return size - end, err
	}
	if _, err := f.WriteAt(x.append(nil), end); err != nil {
		return size - end, errors.Join(err, f.Truncate(end))
	}
	return size - end, f.Sync()
}

// ourStart reports whether a file without a whole header is the beginning of one.
func ourStart(f *os.File, size int64) bool {
	if size >= int64(headerSize) {
		return false
	}
	b := make([]byte, size)
	_, err := f.ReadAt(b, 0)
	return err == nil && bytes.HasPrefix(header{}.append(nil), b[:min(len(b), skipSize+len(signature))])
}

package record

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Source is one stream to import.
type Source struct {
	Path  string    // of a file; the name in messages when Input is set
	Input io.Reader // read instead of the file, as for standard input
	Meter *Meter    // is told how far the import has come; may be nil

	found  bool   // in a directory that was named, not named itself
	from   int64  // receive time from which on requests are read; 0 for all
	skip   int64  // bytes before them
	first  bool   // of the sources that were narrowed
	gone   uint32 // how many segments of the recording before it are not there
	closed error  // why a directory below one that was named cannot be listed
	tail   *tail  // to be read on while it grows
}

// Stdin is the path that means standard input.
const Stdin = "-"

// Sources turns the paths of a command line into sources: Stdin into the given
// reader, a directory into all regular files below it in the order of their
// paths, any other path into itself. It fails for paths that are not there.
func Sources(paths []string, stdin io.Reader) ([]Source, error) {
	var all []Source
	for _, path := range paths {
		if path == Stdin {
			all = append(all, Source{Path: "stdin", Input: stdin})
			continue
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("open for import: %w", err)
		}
		if !info.IsDir() {
			all = append(all, Source{Path: path})
			continue
		}
		files, err := filesBelow(path)
		if err != nil {
			if errors.Is(err, fs.ErrPermission) {
				return nil, fmt.Errorf("list directory for import: %w: its owner can let a colleague of the group read a recording with 'lensview record --group'", err)
			}
			return nil, fmt.Errorf("list directory for import: %w", err)
		}
		all = append(all, files...)
	}
	return all, nil
}

// filesBelow is the regular files in a directory tree. Links to files count;
// links to directories are not followed, but for the directory itself, which may
// be one. A directory below that cannot be listed is a source that says so.
func filesBelow(dir string) ([]Source, error) {
	var files []Source
	before := map[string]uint32{} // the last segment of each recording
	root := dir + string(filepath.Separator)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == root:
			return err
		case err != nil:
			files = append(files, Source{Path: path, found: true, closed: err})
		case isFile(path, d):
			files = append(files, Source{Path: path, found: true, gone: missingBefore(path, before)})
		}
		return nil
	})
	return files, err
}

// missingBefore is how many segments are not there between this one and the one
// that was met last in its directory.
func missingBefore(path string, met map[string]uint32) (gone uint32) {
	if n, ok := segmentNumber(path); ok {
		dir := filepath.Dir(path)
		gone, met[dir] = max(n, 1)-met[dir]-1, n
	}
	return gone
}

func isFile(path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return d.Type().IsRegular()
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// open gives the bytes of the source, decompressed, and what must be closed.
// Reading ends with ctx.
func (s Source) open(ctx context.Context) (*bufio.Reader, io.Closer, error) {
	if s.tail != nil { // it looks at its ctx itself
		in, err := unpack(s.tail, tailSize)
		return in, s.tail, err
	}
	if s.Input != nil {
		in, err := unpack(&patient{ctx, s.Meter.reader(s.Input)}, readSize)
		return in, io.NopCloser(nil), err
	}
	if s.closed != nil {
		return nil, nil, s.closed
	}
	f, err := patiently(ctx, func() (*os.File, error) { return os.Open(s.Path) })
	if err != nil {
		return nil, nil, err
	}
	if s.skip > 0 {
		if _, err := f.Seek(s.skip, io.SeekStart); err != nil {
			f.Close()
			return nil, nil, err
		}
	}
	in, err := unpack(&patient{ctx, s.Meter.reader(f)}, readSize)
	if err != nil {
		f.Close()
	}
	return in, f, err
}

// stamp gives the receive times of what the source itself has none for.
func (s Source) stamp() func() int64 {
	if s.tail != nil {
		return s.tail.stamp
	}
	return func() int64 { return 0 }
}

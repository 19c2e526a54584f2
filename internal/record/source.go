package record

import (
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

	found bool // in a directory that was named, not named itself
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
			return nil, fmt.Errorf("list directory for import: %w", err)
		}
		all = append(all, files...)
	}
	return all, nil
}

// filesBelow is the regular files in a directory tree. Links to files count;
// links to directories are not followed.
func filesBelow(dir string) ([]Source, error) {
	var files []Source
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Type()&fs.ModeSymlink != 0 {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				files = append(files, Source{Path: path, found: true})
			}
			return nil
		}
		if d.Type().IsRegular() {
			files = append(files, Source{Path: path, found: true})
		}
		return nil
	})
	return files, err
}

// open gives the bytes of the source, decompressed, and what must be closed.
func (s Source) open() (io.Reader, io.Closer, error) {
	if s.Input != nil {
		in, err := unpack(s.Input)
		return in, io.NopCloser(nil), err
	}
	f, err := os.Open(s.Path)
	if err != nil {
		return nil, nil, err
	}
	in, err := unpack(f)
	if err != nil {
		f.Close()
	}
	return in, f, err
}

package main

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"strings"
)

// newFile is a file that did not exist before. It is compressed when its name
// ends in .gz, so that other tools read what the name promises.
type newFile struct {
	*bufio.Writer
	squeeze *gzip.Writer // nil without .gz
	file    *os.File
}

// createNew makes the file; one that exists is an error and stays as it is.
func createNew(path string) (*newFile, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	n := &newFile{file: f}
	var w io.Writer = f
	if strings.HasSuffix(path, ".gz") {
		n.squeeze = gzip.NewWriter(f)
		w = n.squeeze
	}
	n.Writer = bufio.NewWriterSize(w, 1<<16)
	return n, nil
}

// Close writes what is left and returns the first error of it.
func (n *newFile) Close() error {
	err := n.Flush()
	if n.squeeze != nil {
		if gerr := n.squeeze.Close(); err == nil {
			err = gerr
		}
	}
	if cerr := n.file.Close(); err == nil {
		err = cerr
	}
	return err
}

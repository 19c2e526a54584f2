package record

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncData puts the content of a file and its size on the disk.
func syncData(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }

package record

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// syncData puts the content of a file and its size on the disk. The file may be
// closed meanwhile.
func syncData(f *os.File) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = c.Control(func(fd uintptr) { failed = unix.Fdatasync(int(fd)) })
	return errors.Join(err, failed)
}

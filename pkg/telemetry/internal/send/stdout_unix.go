//go:build unix

package send

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Stdout returns a console that writes to standard output through a file descriptor
// of its own: a broken pipe on descriptor 1 ends a Go program by a signal, and the
// end of a pager must not end a training job.
func Stdout() (*Console, error) {
	fd, err := unix.FcntlInt(os.Stdout.Fd(), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("open standard output for the console exporter: %w", err)
	}
	file := os.NewFile(uintptr(fd), "stdout")
	return &Console{w: file, close: file.Close}, nil
}

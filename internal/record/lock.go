//go:build unix

package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

var errLocked = errors.New("another lensview records there")

// lock holds a file for this process until it is closed. On file systems without
// locks there is none.
func lock(f *os.File) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var refused error
	err = c.Control(func(fd uintptr) { refused = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) })
	if errors.Is(refused, syscall.EWOULDBLOCK) {
		return errLocked
	}
	return err
}

// ownFile refuses what is not a plain file of this user: in a directory that
// others may write to, somebody else may have put it there.
func ownFile(info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return fmt.Errorf("it is not a regular file (%s)", info.Mode().Type())
	}
	return ownedHere(info)
}

// ownDir refuses a directory in which somebody else decides what our files are.
func ownDir(info fs.FileInfo) error {
	if !info.IsDir() {
		return errors.New("it is not a directory")
	}
	if err := ownedHere(info); err != nil {
		return err
	}
	if mode := info.Mode().Perm(); mode&0o022 != 0 {
		return fmt.Errorf("others may write to it (%#o): chmod go-w it, or give another", mode)
	}
	return nil
}

func ownedHere(info fs.FileInfo) error {
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("it belongs to another user (uid %d)", st.Uid)
	}
	return nil
}

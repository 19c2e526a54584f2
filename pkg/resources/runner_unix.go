//go:build unix

package resources

import (
	"os/exec"
	"syscall"
)

// ownGroup puts the command into a process group of its own, so that the end of
// the context ends its children too: a script that waits for a hung driver would
// leave them behind.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

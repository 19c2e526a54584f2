//go:build !unix

package resources

import "os/exec"

// ownGroup does nothing where there are no process groups: the command itself is
// ended with the context.
func ownGroup(*exec.Cmd) {}

//go:build !unix

package send

import "os"

// Stdout returns a console that writes to standard output.
func Stdout() (*Console, error) { return NewConsole(os.Stdout), nil }

//go:build !linux

package record

import "os"

// syncData puts the content of a file and its size on the disk.
func syncData(f *os.File) error { return f.Sync() }

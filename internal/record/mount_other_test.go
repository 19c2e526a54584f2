//go:build !linux

package record

import "errors"

func mountTmpfs(string, int) error { return errors.New("only on Linux") }

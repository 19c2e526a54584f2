package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// stateDir is where the token, the certificate and what runs are kept: below
// XDG_STATE_HOME or ~/.local/state. On a cluster this is shared by all its
// hosts, which is what lets 'lensview env' find a receiver from a job.
func stateDir(e env) (string, error) {
	base := e.getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(base) { // the specification says to ignore a relative one
		home := e.getenv("HOME")
		if !filepath.IsAbs(home) {
			return "", errors.New("neither HOME nor XDG_STATE_HOME says where to keep the token and the certificate: set one")
		}
		base = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(base, "lensview"), nil
}

// socketPath completes the value of --unix: "auto" is a path on this host that
// only its user reaches. Without a directory of the session a new one is made,
// whose name nobody can know; it is to be removed at the end.
func socketPath(e env, flag string) (path, made string, err error) {
	if flag != "auto" {
		return flag, "", nil
	}
	if dir := e.getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "lensview", fmt.Sprintf("otlp-%d.sock", os.Getpid())), "", nil
	}
	dir, err := os.MkdirTemp("", "lensview-") // mode 0700
	return filepath.Join(dir, "otlp.sock"), dir, err
}

package resources

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// Runner runs a command to its end and returns what it wrote to standard output.
// When the context ends first it must stop the command, with every process the
// command has started, and return. The error of a command that does not exist is
// an exec.ErrNotFound.
type Runner func(ctx context.Context, name string, args ...string) ([]byte, error)

const (
	outputLimit = 1 << 20                // bytes of a command's output that are kept
	reapDelay   = 200 * time.Millisecond // to let go of pipes that outlive a killed command
)

// runnerIn runs commands found in the PATH of an environment.
func runnerIn(lookup func(string) (string, bool)) Runner {
	return func(ctx context.Context, name string, args ...string) ([]byte, error) {
		path, err := find(lookup, name)
		if err != nil {
			return nil, err
		}
		out := limited{left: outputLimit}
		cmd := exec.CommandContext(ctx, path, args...)
		cmd.Stdout = &out
		cmd.WaitDelay = reapDelay
		ownGroup(cmd)
		done := make(chan error, 1)
		go func() { done <- cmd.Run() }()
		if err := settle(ctx, done, 2*reapDelay); err != nil {
			return nil, fmt.Errorf("run %s: %w", name, err)
		}
		return out.buf.Bytes(), nil
	}
}

// settle waits for a command that the context ends, but not for ever: one that hangs
// in the kernel, as in a driver's ioctl, does not even die of SIGKILL. It is then
// left to the goroutine, which reaps it if it ever returns.
func settle(ctx context.Context, done <-chan error, grace time.Duration) error {
	select {
	case err := <-done:
		return cause(ctx, err)
	case <-ctx.Done():
	}
	select {
	case err := <-done:
		return cause(ctx, err)
	case <-time.After(grace):
		return ctx.Err()
	}
}

// cause says that the context ended a command, not by which signal.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// find is exec.LookPath for a PATH that may be another one than the process's.
// Relative directories are passed over, as exec.LookPath does.
func find(lookup func(string) (string, bool), name string) (string, error) {
	path, _ := lookup("PATH")
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", fmt.Errorf("run %s: %w", name, exec.ErrNotFound)
}

// limited keeps the first bytes and swallows the rest, so that a command which
// writes without end costs no memory.
type limited struct {
	buf  bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(len(p), l.left)
	l.left -= n
	l.buf.Write(p[:n])
	return len(p), nil
}

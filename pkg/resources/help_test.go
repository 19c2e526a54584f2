package resources_test

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// environment makes variables from "NAME=value" lines; blank ones are passed over.
func environment(lines ...string) resources.MapEnvironment {
	env := resources.MapEnvironment{}
	for _, line := range lines {
		if name, value, ok := strings.Cut(line, "="); ok {
			env[name] = value
		}
	}
	return env
}

// variables is an option with an environment of its own.
func variables(lines ...string) resources.Option {
	return resources.WithLookup(environment(lines...).LookupEnv)
}

// machine is a machine without GPU and pod: nothing of the real one is read.
func machine(lines ...string) []resources.Option {
	return []resources.Option{
		variables(lines...),
		resources.WithRoot(fstest.MapFS{}),
		resources.WithRunner(func(context.Context, string, ...string) ([]byte, error) {
			return nil, fmt.Errorf("run nvidia-smi: %w", exec.ErrNotFound)
		}),
		resources.WithHostname(func() (string, error) { return "node1", nil }),
		resources.WithPID(4711),
	}
}

// prints is a command that writes out, and fails with err.
func prints(out string, err error) resources.Option {
	return resources.WithRunner(func(context.Context, string, ...string) ([]byte, error) {
		return []byte(out), err
	})
}

// found runs a detector that must not fail.
func found(t *testing.T, detect resources.DetectFunc, opts ...resources.Option) resources.Found {
	t.Helper()
	f, err := detect(t.Context(), opts...)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return f
}

// texts is the warnings' texts.
func texts(warnings []semconv.Warning) []string {
	var all []string
	for _, w := range warnings {
		all = append(all, w.Text)
	}
	return all
}

// wantWarnings checks that there is one warning for each of parts, which it contains.
func wantWarnings(t *testing.T, warnings []semconv.Warning, parts ...string) {
	t.Helper()
	if len(warnings) != len(parts) {
		t.Fatalf("%d warnings, want %d: %q", len(warnings), len(parts), texts(warnings))
	}
	for i, part := range parts {
		if !strings.Contains(warnings[i].Text, part) {
			t.Errorf("warning %q does not say %q", warnings[i].Text, part)
		}
	}
}

// wantError checks that err is there and names each of parts.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not name %q", err, part)
		}
	}
}

// warning is a warning as an error, for wantError.
type warning struct{ semconv.Warning }

func (w warning) Error() string { return w.Text }

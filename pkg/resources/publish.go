package resources

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Extend is the carrier for a child: defaults, then what was inherited over them,
// then overrides over both (semconv.Compose), where a later layer wins even with an
// empty value. A pair or an attribute that cannot travel is left out with a warning
// and takes nobody's place. Either map may be nil.
func Extend(inherited string, defaults, overrides map[string]any) (string, []semconv.Warning) {
	current, warnings := Parse(inherited)
	low, w := carriable(defaults)
	warnings = append(warnings, w...)
	high, w := carriable(overrides)
	return join(semconv.Compose(current, low, high)), append(warnings, w...)
}

// maxCarrier is what fits into one variable. Linux starts no process with more than
// 128 KiB in one, name and final zero included (MAX_ARG_STRLEN in execve(2)).
const maxCarrier = 128<<10 - len(CarrierVariable+"=\x00")

// Environment is variables that can be changed.
type Environment interface {
	// LookupEnv has the shape of os.LookupEnv.
	LookupEnv(name string) (value string, set bool)
	Setenv(name, value string) error
	Unsetenv(name string) error
}

// Publish puts attributes into this process's OTEL_RESOURCE_ATTRIBUTES, over those
// that are there, for the children it starts from then on; see PublishTo.
func Publish(attrs map[string]any) (restore func() error, warnings []semconv.Warning, err error) {
	return PublishTo(process{}, attrs)
}

// PublishTo puts attributes into the OTEL_RESOURCE_ATTRIBUTES of an environment,
// over those that are there. Restore puts back the exact earlier state, absent and
// empty included; it does so once, and is never nil. What cannot travel is left out
// with a warning. On an error the environment is as it was.
//
// Of several publications the last must be restored first. They must not overlap in
// several goroutines: an environment belongs to the whole process. Where they would,
// give each child its own with Extend and exec.Cmd.Env.
func PublishTo(env Environment, attrs map[string]any) (restore func() error, warnings []semconv.Warning, err error) {
	before, was := env.LookupEnv(CarrierVariable)
	text, warnings := Extend(before, nil, attrs)
	if len(text) > maxCarrier {
		err = fmt.Errorf("%d bytes, and no process starts with more than %d in one variable: publish fewer or shorter ones", len(text), maxCarrier)
	} else {
		err = env.Setenv(CarrierVariable, text)
	}
	if err != nil {
		return func() error { return nil }, warnings, fmt.Errorf("publish resource attributes in %s: %w", CarrierVariable, err)
	}
	return sync.OnceValue(func() error {
		var err error
		if was {
			err = env.Setenv(CarrierVariable, before)
		} else {
			err = env.Unsetenv(CarrierVariable)
		}
		if err != nil {
			return fmt.Errorf("restore %s: %w", CarrierVariable, err)
		}
		return nil
	}), warnings, nil
}

// process is the environment of this process.
type process struct{}

func (process) LookupEnv(name string) (string, bool) { return os.LookupEnv(name) }
func (process) Setenv(name, value string) error      { return os.Setenv(name, value) }
func (process) Unsetenv(name string) error           { return os.Unsetenv(name) }

// MapEnvironment is an Environment in a map, for tests and for the environment of
// one child. Its LookupEnv fits WithLookup.
type MapEnvironment map[string]string

// LookupEnv implements Environment.
func (m MapEnvironment) LookupEnv(name string) (string, bool) {
	value, set := m[name]
	return value, set
}

// Setenv implements Environment. It refuses what no environment can hold: a name
// that is empty or has "=" or NUL in it, and a value with NUL in it.
func (m MapEnvironment) Setenv(name, value string) error {
	if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00") {
		return fmt.Errorf("set variable %q: no environment can hold it", name)
	}
	m[name] = value
	return nil
}

// Unsetenv implements Environment.
func (m MapEnvironment) Unsetenv(name string) error {
	delete(m, name)
	return nil
}

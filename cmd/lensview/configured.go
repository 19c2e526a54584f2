package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/beamline-hpc/lensview/internal/config"
	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// bindConfig is the flag of every command that reads the configuration.
func bindConfig(f *pflag.FlagSet, path *string) {
	f.StringVar(path, "config", "", "configuration `file` instead of $XDG_CONFIG_HOME/lensview/config.toml")
}

// configuration reads the file of the flag, else the user's, if there is one.
func configuration(e env, flag string) (*config.Config, error) {
	path := flag
	if path == "" {
		path = config.Path(e.getenv)
	}
	c, err := config.Load(path, flag != "")
	if err != nil {
		return nil, usageError{err}
	}
	return c, nil
}

// phases is the meaning of span names, with the configured rows.
func phases(c *config.Config) (*run.Phases, error) {
	p, err := run.NewPhases(c.Phases)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", c.Path, err)}
	}
	return p, nil
}

// with is the looks with what the configuration says where no flag does.
func (l looks) with(c *config.Config) looks {
	if l.theme == "auto" && c.Theme != "" {
		l.theme = c.Theme
	}
	if c.Mouse != nil && !*c.Mouse {
		l.noMouse = true
	}
	return l
}

// ownKeys is the configured keys as the screens take them.
func ownKeys(c *config.Config) ui.Keys {
	out := ui.Keys{}
	for name, actions := range c.Keys {
		out[screen.Name(name)] = actions
	}
	return out
}

// refused says where the screens' objection comes from: the filter of a flag, or
// a line of the configuration.
func refused(c *config.Config, err error) error {
	var filter *query.Error
	var keys *ui.KeyError
	switch {
	case errors.As(err, &filter):
		return usageError{fmt.Errorf("--filter: %w", err)}
	case errors.As(err, &keys):
		return usageError{c.KeyError(string(keys.Screen), keys.Action, errors.New(keys.Text))}
	}
	return usageError{err}
}

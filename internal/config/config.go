// Package config reads lensview's configuration file. Nothing in it is needed:
// without a file everything has its default. What it says wrongly is an error that
// names the line and what is legal there.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Config is what a file says.
type Config struct {
	Path   string // of the file, "" when there is none
	Theme  string // auto, dark, light or mono; "" when not said
	Mouse  *bool  // nil when not said
	Keys   map[string]map[string][]string
	Phases []run.PhaseRow

	Thresholds run.Thresholds // what the file sets; the rest is 0

	text []byte
}

// file is the file's shape.
type file struct {
	Theme themeName      `toml:"theme"`
	Mouse *bool          `toml:"mouse"`
	Keys  map[string]any `toml:"keys"`
	Phase []phaseRow     `toml:"phase"`

	Thresholds map[string]any `toml:"thresholds"`
}

type phaseRow struct {
	Name  string    `toml:"name"`
	Phase string    `toml:"phase"`
	Class className `toml:"class"`
}

// Path is where the file is looked for: below the user's directory for
// configuration, "" when there is no home.
func Path(getenv func(string) string) string {
	dir := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) { // as the XDG specification wants it
		home := getenv("HOME")
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "lensview", "config.toml")
}

// Load reads a file. One that does not exist is an empty configuration, unless it
// was asked for by its name.
func Load(path string, asked bool) (*Config, error) {
	if path == "" {
		return &Config{}, nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return &Config{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the configuration: %w", err)
	}
	return parse(path, text)
}

func parse(path string, text []byte) (*Config, error) {
	c := &Config{Path: path, text: text}
	var f file
	d := toml.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return nil, c.faulty(err)
	}
	c.Theme, c.Mouse = f.Theme.word, f.Mouse
	if err := c.keys(f.Keys); err != nil {
		return nil, err
	}
	if err := c.thresholds(f.Thresholds); err != nil {
		return nil, err
	}
	return c, c.phases(f.Phase)
}

// faulty makes one line of what the TOML library found.
func (c *Config) faulty(err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		name := strings.Join(first.Key(), ".")
		return c.at(line, fmt.Errorf("there is no setting %q; there are %s", name, settings(first.Key())))
	}
	var wrong *toml.DecodeError
	if errors.As(err, &wrong) {
		line, _ := wrong.Position()
		text := strings.TrimPrefix(strings.TrimPrefix(wrong.Error(), "toml: "), "error calling UnmarshalText: ")
		if strings.Contains(text, "should be a table, not a value") {
			text += "; in [keys.SCREEN] the key that opens the screen stands, too, as SCREEN = \"f5\""
		}
		return c.at(line, errors.New(text))
	}
	return c.at(1, err)
}

// settings is what is legal where a key stands.
func settings(key []string) string {
	if len(key) > 1 && key[0] == "phase" {
		return "name, phase, class"
	}
	return "theme, mouse, [keys], [keys.SCREEN], [[phase]], [thresholds]"
}

func (c *Config) at(line int, err error) error { return fmt.Errorf("%s:%d: %w", c.Path, line, err) }

// keys reads [keys] and [keys.SCREEN]: a key or a list of them for an action. What
// opens a screen is an action by its name, and TOML has no value beside a table of one
// name: it may stand in the screen's table.
func (c *Config) keys(raw map[string]any) error {
	c.Keys = map[string]map[string][]string{}
	for name, v := range raw {
		if table, ok := v.(map[string]any); ok {
			for action, v := range table {
				screen := name
				if action == name {
					screen = ""
				}
				if err := c.key(screen, action, v); err != nil {
					return err
				}
			}
			continue
		}
		if err := c.key("", name, v); err != nil {
			return err
		}
	}
	return nil
}

func (c *Config) key(screen, action string, v any) error {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var keys []string
	for _, one := range list {
		k, ok := one.(string)
		if !ok || k == "" {
			return c.KeyError(screen, action, errors.New(`a key is a text such as "x", "ctrl+x", "f5" or "space", or a list of them`))
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return c.KeyError(screen, action, errors.New("an action needs a key"))
	}
	if c.Keys[screen] == nil {
		c.Keys[screen] = map[string][]string{}
	}
	c.Keys[screen][action] = keys
	return nil
}

// KeyError says what is wrong with the keys of an action, and where it stands.
func (c *Config) KeyError(screen, action string, err error) error {
	table := "keys"
	if screen != "" {
		table += "." + screen
	}
	return c.at(c.line(table, action, 0), err)
}

// phases checks the rows as the program will use them.
func (c *Config) phases(rows []phaseRow) error {
	for i, r := range rows {
		row := run.PhaseRow{Glob: r.Name, Phase: r.Phase, Class: run.Class(r.Class)}
		if _, err := run.NewPhases([]run.PhaseRow{row}); err != nil {
			return c.at(c.line("phase", "", i), fmt.Errorf("[[phase]]: %s", strings.TrimPrefix(err.Error(), "phase row 1: ")))
		}
		c.Phases = append(c.Phases, row)
	}
	return nil
}

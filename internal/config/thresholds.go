package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// thresholds reads [thresholds]: a name of run.ThresholdTable and its value. Of
// several errors the one that stands first is told.
func (c *Config) thresholds(raw map[string]any) error {
	names := slices.Collect(maps.Keys(raw))
	slices.SortFunc(names, func(a, b string) int { return c.line("thresholds", a, 0) - c.line("thresholds", b, 0) })
	for _, name := range names {
		if err := setThreshold(&c.Thresholds, name, raw[name]); err != nil {
			return c.at(c.line("thresholds", name, 0), err)
		}
	}
	if name, err := c.Thresholds.Check(); err != nil {
		return c.at(c.line("thresholds", name, 0), err)
	}
	return nil
}

func setThreshold(all *run.Thresholds, name string, v any) error {
	for _, t := range run.ThresholdTable() {
		if t.Name != name {
			continue
		}
		n, ok := number(v, t.Unit)
		if !ok {
			return fmt.Errorf("%s is %s (%s)", t.Name, t.Legal(), t.About)
		}
		return t.Set(all, n)
	}
	return noThreshold(name)
}

// noThreshold is the error of a name that is none; the nearest is named first.
func noThreshold(name string) error {
	var names []string
	for _, t := range run.ThresholdTable() {
		names = append(names, t.Name)
	}
	text := fmt.Sprintf("there is no threshold %q", name)
	if near := run.Nearest(name, names); near != "" {
		text += fmt.Sprintf("; did you mean %s?", near)
	}
	return errors.New(text + "; there are " + strings.Join(names, ", "))
}

// number is the number that a value of the file stands for: times are texts such
// as "45s" and "20m".
func number(v any, unit run.ThresholdUnit) (float64, bool) {
	if unit == run.Seconds {
		text, ok := v.(string)
		d, err := time.ParseDuration(text)
		return d.Seconds(), ok && err == nil
	}
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

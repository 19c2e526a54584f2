package semconv

import (
	"maps"
	"slices"
	"strings"
)

// Warning is what Normalize found wrong with one attribute: a value for the
// caller to show where it shows such things. Nothing is printed.
type Warning struct {
	Key  string
	Text string // one sentence that names the key, the value and what became of it
}

// Normalize gives every attribute the type that types has for its key, in a new
// map. What cannot be converted never stops a job: a value of slurm.* is dropped,
// so that a valid one detected here can take its place; any other value stays
// visible as it came. Both are told, one warning each, by key.
func Normalize(attrs map[string]any, types Types) (map[string]any, []Warning) {
	all := make(map[string]any, len(attrs))
	var warnings []Warning
	for _, key := range slices.Sorted(maps.Keys(attrs)) {
		value, err := Convert(key, attrs[key], types)
		dropped := err != nil && strings.HasPrefix(key, slurmPrefix)
		if !dropped {
			all[key] = value
		}
		if err != nil {
			warnings = append(warnings, Warning{key, err.Error() + outcome(dropped)})
		}
	}
	return all, warnings
}

func outcome(dropped bool) string {
	if dropped {
		return " (dropped)"
	}
	return " (kept as it came)"
}

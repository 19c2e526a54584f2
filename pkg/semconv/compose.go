package semconv

import "maps"

// Compose merges three layers of attributes into a new map: defaults, then
// current over them, then overrides over both. A later layer wins even with an
// empty value, so an override can blank what was detected. Any layer may be nil.
func Compose[V any](current, defaults, overrides map[string]V) map[string]V {
	all := make(map[string]V, len(current)+len(defaults)+len(overrides))
	maps.Copy(all, defaults)
	maps.Copy(all, current)
	maps.Copy(all, overrides)
	return all
}

package run

import (
	"slices"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Alias is what a key means that a user writes in a filter.
type Alias struct {
	// Short is the canonical short name of the fact, as "rank" or "tp.size",
	// or "" for an attribute that is just an attribute.
	Short string
	// Keys are the attribute keys that carry the fact, the newest spelling
	// first: a process or span matches when the first it sent matches. It is
	// empty for what no attribute carries, as the duration of a span.
	Keys []string
}

// Aliases says what a key means: a short key, any spelling of a fact that has
// several, or an attribute of its own. dl.rank, nv.dl.rank and rank have one
// answer, so a filter that says one finds what was sent as the other.
func Aliases(key string) Alias {
	if isShort(key) {
		return Alias{key, shortAttributes(key)}
	}
	fact := factOf(key)
	if fact == "" {
		return Alias{Keys: []string{key}}
	}
	keys := factKeys(fact)
	if !slices.Contains(keys, key) { // a fact's name that may be an attribute too
		keys = append(keys, key)
	}
	return Alias{fact, keys}
}

// ShortKeys lists the short keys of filters, in the order in which they are
// offered.
func ShortKeys() []string {
	return []string{
		"run", "rank", "local_rank", "tp", "pp", "dp", "cp", "ep", "host", "role", "service",
		"user", "job", "name", "phase", "iter", "dur", "status", "truncated", "trace",
	}
}

func isShort(key string) bool { return slices.Contains(ShortKeys(), key) }

// shortAttributes is the attributes behind a short key. User and job fold
// several facts, so their attributes are no spellings of each other.
func shortAttributes(short string) []string {
	switch short {
	case "iter":
		return iterationAttributes()
	case "user":
		return []string{semconv.NemoUserID, semconv.SlurmJobUser}
	case "job":
		return []string{semconv.SlurmJobID, semconv.SlurmJobIDRaw}
	}
	return factKeys(short)
}

// factOf is the fact that a key is a spelling, or the name, of.
func factOf(key string) string {
	for _, f := range semconv.Fields() {
		if f.Key == key || f.Fact == key {
			return f.Fact
		}
	}
	return ""
}

func factKeys(fact string) []string {
	if fact == "iter" {
		return iterationAttributes()
	}
	var keys []string
	for _, f := range semconv.Fields() {
		if f.Fact == fact {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

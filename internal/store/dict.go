package store

import "github.com/beamline-hpc/lensview/internal/run"

// dictView is a dictionary as a reader sees it: append-only slices, cut where
// they were when the view was taken.
type dictView struct {
	values []string
	shapes []*shape
	forms  []form
}

// shape is an interned list of attribute keys with their types: the spans of one
// call site share one. It never changes.
type shape struct {
	keys  []string
	types []run.Type
}

// form is an interned tuple of what spans of one call site have in common beside
// their attributes.
type form struct {
	scope  *run.Scope
	flags  uint32
	kind   run.Kind
	status run.Status
}

// find is the last place of key, -1 for none.
func (s *shape) find(key string) int {
	for i := len(s.keys) - 1; i >= 0; i-- {
		if s.keys[i] == key {
			return i
		}
	}
	return -1
}

// findAny is the place of the first of keys that is there.
func (s *shape) findAny(keys []string) int {
	for _, key := range keys {
		if i := s.find(key); i >= 0 {
			return i
		}
	}
	return -1
}

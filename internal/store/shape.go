package store

import (
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// shape is an interned list of attribute keys with their types: the spans of one
// call site share one. It never changes. What the store itself reads of a span
// is found once per shape, so that a span costs no comparison of keys.
type shape struct {
	keys      []string
	types     []run.Type
	truncated int // place of nemo.span.truncated, -1 for none
	skipped   int // place of the mark of a skipped iteration, -1 for none
	iteration []iterationAt
}

// iterationAt is the place of an iteration key, and its number of a run's first
// iteration.
type iterationAt struct{ at, base int }

func newShape(keys []string, types []run.Type, iterations []run.IterationKey) *shape {
	s := &shape{keys: keys, types: types}
	s.truncated = s.find(run.TruncatedKey)
	s.skipped = s.findAny([]string{"megatron.skipped", "skipped"})
	for _, k := range iterations {
		if at := s.find(k.Key); at >= 0 {
			s.iteration = append(s.iteration, iterationAt{at, k.Base})
		}
	}
	return s
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

// truncation is what the attributes say about a span's end. Only true truncates;
// any other value is noted.
func (s *shape) truncation(attrs []otlp.Attr) run.Mark {
	if s.truncated < 0 {
		return 0
	}
	if a := &attrs[s.truncated]; a.Type == run.Bool && a.Num != 0 {
		return run.Truncated
	}
	return run.OddTruncate
}

// iterationOf is the iteration that a span itself says it belongs to.
func (s *shape) iterationOf(b *otlp.Batch, attrs []otlp.Attr) (n int64, base int, ok bool) {
	for _, k := range s.iteration {
		a := &attrs[k.at]
		if a.Type == run.Int {
			return int64(a.Num), k.base, true
		}
		if n, ok := b.Value(*a).IntLike(); ok {
			return n, k.base, true
		}
	}
	return 0, run.Unknown, false
}

// isSkipped reports whether a step says that it was skipped: true, a number
// that is not 0, or a word for true.
func (s *shape) isSkipped(b *otlp.Batch, attrs []otlp.Attr) bool {
	if s.skipped < 0 {
		return false
	}
	v := b.Value(attrs[s.skipped])
	if n, ok := v.Number(); ok {
		return n != 0
	}
	return v.Bool() || v.Str() == "true" || v.Str() == "True"
}

package store

import "slices"

// HasSpanKey reports whether a retained span of the run may carry the handle's
// key, in any of its spellings. It never says no for one that does: dictionaries
// outlive some of the spans that filled them.
func (r *Run) HasSpanKey(k *KeyHandle) bool {
	found := false
	r.eachShape(func(s *shape) bool {
		found = k.find(s) >= 0
		return !found
	})
	return found
}

// SpanKeys lists attribute keys that retained spans of the run may carry, the
// newest chunks first, at most limit of them.
func (r *Run) SpanKeys(limit int) []string {
	var out []string
	r.eachShape(func(s *shape) bool {
		for _, key := range s.keys {
			if len(out) < limit && !slices.Contains(out, key) {
				out = append(out, key)
			}
		}
		return len(out) < limit
	})
	return out
}

// eachShape calls f for every interned shape of the run's chunks, newest chunks
// first, until f says no. Chunks that share a dictionary are looked at once.
func (r *Run) eachShape(f func(*shape) bool) {
	type dict struct {
		first *shape
		n     int
	}
	var last dict
	for i := len(r.Chunks) - 1; i >= 0; i-- {
		shapes := r.Chunks[i].dict.shapes
		if len(shapes) == 0 {
			continue
		}
		if d := (dict{shapes[0], len(shapes)}); d.first == last.first && d.n <= last.n {
			continue // an earlier view of the same append-only list
		} else {
			last = d
		}
		for _, s := range shapes {
			if !f(s) {
				return
			}
		}
	}
}

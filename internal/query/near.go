package query

import (
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// UnknownKey is a key of a filter that nothing in a run has sent, under any of its
// spellings: a term with it matches nothing.
type UnknownKey struct {
	Key  string
	Near string // the key that was probably meant, "" when none is near
}

// Unknown lists the attributes of a filter that no process and no span of a run
// has, in their order. Without a run nothing is unknown: it may come yet.
func Unknown(f *Filter, s *store.Snapshot, runID string) []UnknownKey {
	r := pick(s, runID)
	if f.Empty() || r == nil {
		return nil
	}
	src := source{snapshot: s, run: r}
	var out []UnknownKey
	f.root.terms(func(t *term) {
		if t.on != onAttribute || slices.ContainsFunc(out, func(u UnknownKey) bool { return u.Key == t.key }) {
			return
		}
		if !sent(r, run.Aliases(t.key).Keys) {
			out = append(out, UnknownKey{t.key, nearest(t.key, src.allKeys())})
		}
	})
	return out
}

func sent(r *store.Run, spellings []string) bool {
	if r.HasSpanKey(store.NewKey(spellings...)) {
		return true
	}
	for _, p := range r.Processes {
		for i := range p.Resource {
			if slices.Contains(spellings, p.Resource[i].Key) {
				return true
			}
		}
	}
	return false
}

// allKeys is the short keys, then those that were sent.
func (s source) allKeys() []string {
	var out []string
	for _, k := range shortKeys {
		out = append(out, k.Name)
	}
	return append(append(out, s.run.SpanKeys(sampleKeys)...), s.resourceKeys()...)
}

// nearest is the key from which the fewest letters differ, at most a third of
// them; of equal ones the first.
func nearest(key string, all []string) string {
	best, least := "", max(1, len(key)/3)+1
	for _, k := range all {
		if d := distance(strings.ToLower(key), strings.ToLower(k), least); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is how many letters must be put in, left out, changed or exchanged
// with the next one to make b of a; limit when it is not less than that.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return min(rows[len(a)][len(b)], limit)
}

// Nearest is the word of a list that was probably meant by one that is not in it,
// "" when none is near.
func Nearest(word string, all []string) string { return nearest(word, all) }

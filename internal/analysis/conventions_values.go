package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// varyingValues is how many values a double may have on one span name: beyond, it
// is a measurement.
const varyingValues = 50

// lookedSpans is how many of the newest spans are looked at for values.
const lookedSpans = 16 * 1024

// valueKey is an attribute of a span name.
type valueKey struct {
	name int
	key  string
}

// varyingDoubles are doubles on spans that have many values: a metric.
func varyingDoubles(r *store.Run) []Broken {
	values := map[valueKey]map[float64]bool{}
	left := lookedSpans
	for i := len(r.Chunks) - 1; i >= 0 && left > 0; i-- {
		c := r.Chunks[i]
		for row := c.Len() - 1; row >= 0 && left > 0; row-- {
			if !c.Dead(row) {
				left--
				noteDoubles(values, c, row)
			}
		}
	}
	var out []Broken
	for k, v := range values {
		if len(v) > varyingValues {
			out = append(out, varying(r, k, v))
		}
	}
	return out
}

func noteDoubles(values map[valueKey]map[float64]bool, c *store.Chunk, row int) {
	c.EachDouble(row, func(key string, v float64) {
		k := valueKey{c.NameID(row), key}
		seen := values[k]
		if seen == nil {
			if len(values) >= lookedKeys {
				return
			}
			seen = map[float64]bool{}
			values[k] = seen
		}
		if len(seen) <= varyingValues && !math.IsNaN(v) {
			seen[v] = true
		}
	})
}

// varying is the finding. What Megatron sends of itself is a note.
func varying(r *store.Run, k valueKey, v map[float64]bool) Broken {
	b := Broken{
		Code: VaryingDouble, Level: run.Warning, Where: "span", Name: k.key, On: r.Names[k.name].Text, Count: len(v),
		Advice: "record it as a metric",
	}
	if strings.HasPrefix(k.key, "megatron.") {
		b.Level = run.Info
	}
	sorted := make([]float64, 0, len(v))
	for x := range v {
		sorted = append(sorted, x)
	}
	slices.Sort(sorted)
	for _, x := range sorted[:min(3, len(sorted))] {
		b.Examples = append(b.Examples, fmt.Sprintf("%.6g", x))
	}
	return b
}

// idsInNames are groups of span names that differ in an id alone.
func idsInNames(r *store.Run) []Broken {
	groups := map[string]*idGroup{}
	for _, n := range r.Names {
		form, kind := formOf(n.Text)
		if kind == noID {
			continue
		}
		g := groups[form]
		if g == nil {
			g = &idGroup{}
			groups[form] = g
		}
		g.names, g.kind = append(g.names, n.Text), max(g.kind, kind)
	}
	var out []Broken
	for form, g := range groups {
		if len(g.names) < g.kind.most() {
			continue
		}
		b := Broken{
			Code: IDsInNames, Level: run.Warning, Where: "span name", Name: form, Count: len(g.names),
			Advice: "names should be low-cardinality; put the id into an attribute",
		}
		for _, n := range g.names[:min(3, len(g.names))] {
			b.Examples = append(b.Examples, short(n))
		}
		out = append(out, b)
	}
	return out
}

type idGroup struct {
	names []string
	kind  idKind
}

// idKind is what in a name looks like an id.
type idKind uint8

const (
	noID        idKind = iota
	smallNumber        // up to three digits: a layer, a stage
	bigNumber
	hexID // eight and more hex digits with a digit and a letter among them, or a uuid
)

// mostNumbered is how many names that differ by a small number are usual.
const mostNumbered = 200

// most is how many names of a group are too many.
func (k idKind) most() int {
	switch k {
	case hexID:
		return 3
	case bigNumber:
		return 20
	}
	return mostNumbered + 1
}

// formOf is a name with its numbers and ids replaced by #.
func formOf(name string) (form string, kind idKind) {
	var out strings.Builder
	for i := 0; i < len(name); {
		if isUUID(name[i:]) {
			out.WriteByte('#')
			kind, i = hexID, i+uuidLen
			continue
		}
		j := i
		for j < len(name) && isWord(name[j]) {
			j++
		}
		if j == i {
			out.WriteByte(name[i])
			i++
			continue
		}
		w, k := wordForm(name[i:j])
		out.WriteString(w)
		kind, i = max(kind, k), j
	}
	return out.String(), kind
}

const uuidLen = 36

// isUUID reports whether s begins with 8-4-4-4-12 hex digits.
func isUUID(s string) bool {
	if len(s) < uuidLen {
		return false
	}
	for i := range uuidLen {
		switch c := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f'):
			return false
		}
	}
	return true
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// wordForm is a run of letters and digits with what looks like an id replaced.
func wordForm(w string) (string, idKind) {
	digits, hex := 0, true
	for i := range len(w) {
		c := w[i] | 0x20
		if w[i] >= '0' && w[i] <= '9' {
			digits++
		} else if c < 'a' || c > 'f' {
			hex = false
		}
	}
	switch {
	case digits == 0:
		return w, noID
	case hex && len(w) >= 8 && digits < len(w):
		return "#", hexID
	case digits == len(w) && digits > 3:
		return "#", bigNumber
	case digits == len(w):
		return "#", smallNumber
	}
	head := strings.TrimRight(w, "0123456789")
	if n := len(w) - len(head); n > 3 {
		return head + "#", bigNumber
	} else if n > 0 {
		return head + "#", smallNumber
	}
	return w, noID
}

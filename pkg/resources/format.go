package resources

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Format writes attributes in the form that Parse reads, ordered by key: true and
// false, decimal integers, the shortest floats that read back equal, and text with
// everything but letters, digits and "-._~" percent-encoded.
//
// What the form cannot carry is left out with a warning: a key that is empty, not
// UTF-8 or has "," or "=" or a NUL in it, since keys have no encoding; a value that
// is no string, bool, integer or float, or is not UTF-8.
func Format(attrs map[string]any) (string, []semconv.Warning) {
	pairs, warnings := carriable(attrs)
	return join(pairs), warnings
}

func join(pairs map[string]string) string {
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		if b.Len() > 0 {
			b.WriteByte(',')
		}
		b.WriteString(key)
		b.WriteByte('=')
		escape(&b, pairs[key])
	}
	return b.String()
}

// carriable is the attributes that can travel, as text.
func carriable(attrs map[string]any) (map[string]string, []semconv.Warning) {
	pairs := make(map[string]string, len(attrs))
	var warnings []semconv.Warning
	for _, raw := range slices.Sorted(maps.Keys(attrs)) {
		key := strings.TrimSpace(raw)
		text, problem := textOf(attrs[raw])
		if p := keyProblem(key); p != "" {
			problem = p
		}
		if problem != "" {
			warnings = append(warnings, semconv.Warning{Key: key, Text: fmt.Sprintf(
				"%s cannot carry the attribute %q: %s; it is left out", CarrierVariable, raw, problem)})
			continue
		}
		pairs[key] = text
	}
	return pairs, warnings
}

func keyProblem(key string) string {
	switch {
	case key == "":
		return "its key is empty"
	case strings.ContainsAny(key, ",=\x00"):
		return `a key has no encoding for "," and "=" and NUL`
	case !utf8.ValidString(key):
		return "its key is not UTF-8"
	}
	return ""
}

func textOf(value any) (text, problem string) {
	switch v := reflect.ValueOf(value); {
	case !v.IsValid():
		return "", "it has no value"
	case v.Kind() == reflect.String:
		if !utf8.ValidString(v.String()) {
			return "", "its value is not UTF-8"
		}
		return v.String(), ""
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool()), ""
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10), ""
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10), ""
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()), ""
	}
	return "", fmt.Sprintf("its value is a %T, not a string, bool, integer or float", value)
}

// escape percent-encodes all but RFC 3986's unreserved characters.
func escape(b *strings.Builder, text string) {
	const hex = "0123456789ABCDEF"
	for i := range len(text) {
		c := text[i]
		if unreserved(c) {
			b.WriteByte(c)
			continue
		}
		b.Write([]byte{'%', hex[c>>4], hex[c&15]})
	}
}

func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

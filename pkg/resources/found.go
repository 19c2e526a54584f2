package resources

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Found is what a detector found: attributes by key, each a string, an int64, a
// float64 or a bool, and warnings on what it had to leave out or doubt. The zero
// value has found nothing.
type Found struct {
	Attributes map[string]any
	Warnings   []semconv.Warning
}

// KeyValues is the attributes for OpenTelemetry, ordered by key.
func (f Found) KeyValues() []attribute.KeyValue { return KeyValues(f.Attributes) }

// Resource is the attributes as an OpenTelemetry resource without a schema URL, so
// that it merges with any other.
func (f Found) Resource() *resource.Resource { return resource.NewSchemaless(f.KeyValues()...) }

// set keeps a value that is there.
func (f *Found) set(key string, value any) {
	if value == nil || value == "" {
		return
	}
	if f.Attributes == nil {
		f.Attributes = map[string]any{}
	}
	f.Attributes[key] = value
}

func (f *Found) warn(key, format string, args ...any) {
	f.Warnings = append(f.Warnings, semconv.Warning{Key: key, Text: fmt.Sprintf(format, args...)})
}

// Merge is everything found by several detectors: on a collision the later one
// wins. A warning that several of them have is there once.
func Merge(found ...Found) Found {
	var all Found
	for _, f := range found {
		all.Attributes = semconv.Compose(all.Attributes, nil, f.Attributes)
		for _, w := range f.Warnings {
			if !slices.Contains(all.Warnings, w) {
				all.Warnings = append(all.Warnings, w)
			}
		}
	}
	return all
}

// KeyValues turns attributes into OpenTelemetry's form, ordered by key. Integers
// and floats of any size keep their kind, an attribute.Value passes as it is, text
// is made valid UTF-8 (one bad byte would lose a whole export), and anything else
// is written as fmt does.
func KeyValues(attrs map[string]any) []attribute.KeyValue {
	all := make([]attribute.KeyValue, 0, len(attrs))
	for _, key := range slices.Sorted(maps.Keys(attrs)) {
		all = append(all, attribute.KeyValue{Key: attribute.Key(key), Value: valueOf(attrs[key])})
	}
	return all
}

func valueOf(value any) attribute.Value {
	switch v := value.(type) {
	case attribute.Value:
		return v
	case string:
		return attribute.StringValue(valid(v))
	case bool:
		return attribute.BoolValue(v)
	}
	if n, err := semconv.Convert("", value, semconv.Types{"": semconv.IntType}); err == nil {
		return attribute.Int64Value(n.(int64))
	}
	if f, err := semconv.Convert("", value, semconv.Types{"": semconv.FloatType}); err == nil {
		return attribute.Float64Value(f.(float64))
	}
	return attribute.StringValue(valid(fmt.Sprint(value)))
}

// FromKeyValues is the reverse of KeyValues: scalars as Go values, everything else
// as an attribute.Value. Of two with one key the last counts.
func FromKeyValues(kvs ...attribute.KeyValue) map[string]any {
	all := make(map[string]any, len(kvs))
	for _, kv := range kvs {
		switch kv.Value.Type() {
		case attribute.BOOL, attribute.INT64, attribute.FLOAT64, attribute.STRING:
			all[string(kv.Key)] = kv.Value.AsInterface()
		default:
			all[string(kv.Key)] = kv.Value
		}
	}
	return all
}

func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

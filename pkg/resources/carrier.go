package resources

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// CarrierVariable is the environment variable in which resource attributes travel
// from a process to its children.
const CarrierVariable = "OTEL_RESOURCE_ATTRIBUTES"

// DetectCarrier finds the attributes in OTEL_RESOURCE_ATTRIBUTES, with the types of
// semconv.ResourceTypes. What cannot be read is one warning each: a malformed pair,
// an invalid value of a typed key (dropped for slurm.*, kept as text otherwise). Of
// the Slurm job and its identity (CarrierWins) empty values are passed over.
func DetectCarrier(_ context.Context, opts ...Option) (Found, error) {
	text, _ := newSettings(opts).lookup(CarrierVariable)
	pairs, warnings := Parse(text)
	maps.DeleteFunc(pairs, func(key, value string) bool { return value == "" && CarrierWins(key) })
	found := normalized(toAny(pairs), semconv.ResourceTypes())
	found.Warnings = append(warnings, found.Warnings...)
	return found, nil
}

// Parse reads "key=value,key=value" with percent-encoded values, the form of
// OTEL_RESOURCE_ATTRIBUTES. All values are strings; semconv.Normalize gives them
// their types.
//
// Keys are never decoded. "+" is a plus sign, "k=a=b" is the value "a=b", "k=" is
// an empty string, blanks around key and value are no part of them, the last of two
// equal keys counts, and an empty pair (a trailing comma) is passed over.
//
// A malformed pair is left out with one warning that says which it is, and the good
// ones are kept: one without "=" or without a key, one with a broken escape, one
// that is not UTF-8. OpenTelemetry's specification would discard the whole variable
// there; one typo would then cost a job its identity. A warning repeats no value,
// since a value may be a secret.
func Parse(carrier string) (map[string]string, []semconv.Warning) {
	all := map[string]string{}
	var warnings []semconv.Warning
	pairs := strings.Split(carrier, ",")
	for i, pair := range pairs {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		key, value, problem := parsePair(pair)
		if problem != "" {
			warnings = append(warnings, semconv.Warning{Key: CarrierVariable, Text: fmt.Sprintf(
				"%s: pair %d of %d %s; it is left out, the others are kept", CarrierVariable, i+1, len(pairs), problem)})
			continue
		}
		all[key] = value
	}
	return all, warnings
}

func parsePair(pair string) (key, value, problem string) {
	key, value, ok := strings.Cut(pair, "=")
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	switch {
	case !ok:
		return "", "", `has no "="`
	case key == "":
		return "", "", `has no key before "="`
	case !utf8.ValidString(key):
		return "", "", fmt.Sprintf("has the key %q, which is not UTF-8", key)
	}
	value, err := url.PathUnescape(value)
	switch {
	case err != nil:
		return "", "", fmt.Sprintf("(%q) has a %% without two hexadecimal digits after it", key)
	case !utf8.ValidString(value):
		return "", "", fmt.Sprintf("(%q) has a value that is not UTF-8", key)
	}
	return key, value, ""
}

// carrier is the pairs of the carrier; DetectCarrier alone tells its warnings, so
// that each is told once.
func (s *settings) carrier() map[string]string {
	text, _ := s.lookup(CarrierVariable)
	pairs, _ := Parse(text)
	return pairs
}

// carried is one value of the carrier, "" when it is not there.
func (s *settings) carried(key string) string { return strings.TrimSpace(s.carrier()[key]) }

func toAny(pairs map[string]string) map[string]any {
	all := make(map[string]any, len(pairs))
	for key, value := range pairs {
		all[key] = value
	}
	return all
}

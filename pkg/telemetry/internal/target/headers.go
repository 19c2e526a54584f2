package target

import (
	"fmt"
	"maps"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// headers reads "name=value,name=value" with percent-encoded values. A variable of
// the signal replaces the general one whole.
func (v *reading) headers() {
	v.to.Headers = map[string]string{}
	text, name, _ := v.value("HEADERS")
	if v.Settings.Headers != nil {
		maps.Copy(v.to.Headers, v.Settings.Headers)
		return
	}
	for i, pair := range strings.Split(text, ",") {
		if pair = strings.TrimSpace(pair); pair == "" {
			continue
		}
		key, value, why := header(pair)
		if why != "" { // never the pair itself: it may be a secret
			v.warn(name, fmt.Sprintf("entry %d is left out: %s", i+1, why))
			continue
		}
		v.to.Headers[strings.ToLower(key)] = value
	}
}

// header splits a pair. "+" is a plus sign and "=" may be part of the value.
func header(pair string) (key, value, why string) {
	key, value, found := strings.Cut(pair, "=")
	if key = strings.TrimSpace(key); !found {
		return "", "", `it has no "="`
	}
	if !httpguts.ValidHeaderFieldName(key) || strings.Contains(key, "%") {
		return "", "", "its name is none that a header can have"
	}
	value, err := url.PathUnescape(strings.TrimSpace(value))
	if err != nil {
		return "", "", "the value of " + key + " has a broken percent escape"
	}
	value = strings.TrimSpace(value)
	for _, c := range []byte(value) {
		if c < ' ' || c > '~' {
			return "", "", "the value of " + key + " has a character that no header can carry"
		}
	}
	return key, value, ""
}

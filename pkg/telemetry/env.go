package telemetry

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// DefaultPrefix is the prefix of the variables that all programs share.
const DefaultPrefix = "NEMO_LENS"

// Lookup has the shape of os.LookupEnv.
type Lookup func(name string) (value string, set bool)

// ConfigFromEnv reads the configuration from variables <prefix>_ENABLED,
// _EXPORT_STRATEGY, _EXPORT_RANK, _EXPORT_SAMPLE_RATE, _SAMPLER_ENABLED,
// _TRACES_ENABLED, _METRICS_ENABLED, _LOGS_ENABLED, _SPAN_GROUPS, _EXPORTER, _RUN_ID
// and _USER_ID. Of several prefixes the first that has a value counts:
//
//	cfg, err := telemetry.ConfigFromEnv("MEGATRON_OTEL", "NEMO_LENS")
//
// Without a prefix it is DefaultPrefix. Blanks around a value are no part of it,
// and an empty one counts as unset. A value that cannot be read is an error that
// names the variable and the legal words; all are reported at once, and the
// configuration then has the default in their place, disabled.
func ConfigFromEnv(prefixes ...string) (Config, error) {
	return ConfigFromLookup(os.LookupEnv, prefixes...)
}

// ConfigFromLookup is ConfigFromEnv for variables from elsewhere.
func ConfigFromLookup(lookup Lookup, prefixes ...string) (Config, error) {
	if len(prefixes) == 0 {
		prefixes = []string{DefaultPrefix}
	}
	r := &envReader{lookup: lookup, prefixes: prefixes}
	c := DefaultConfig()
	r.bool("ENABLED", &c.Enabled)
	r.text("EXPORT_STRATEGY", &c.ExportStrategy)
	r.rank("EXPORT_RANK", &c.ExportRank)
	r.share("EXPORT_SAMPLE_RATE", &c.ExportSampleRate)
	r.bool("SAMPLER_ENABLED", &c.SamplerEnabled)
	r.bool("TRACES_ENABLED", &c.TracesEnabled)
	r.bool("METRICS_ENABLED", &c.MetricsEnabled)
	r.bool("LOGS_ENABLED", &c.LogsEnabled)
	r.text("SPAN_GROUPS", &c.SpanGroups)
	r.word("EXPORTER", &c.Exporter, exporterOTLP, exporterConsole)
	r.text("RUN_ID", &c.RunID)
	r.text("USER_ID", &c.UserID)
	if r.wrong != nil {
		c.Enabled = false
		return c, fmt.Errorf("configuration of telemetry: %w", r.wrong)
	}
	return c, nil
}

type envReader struct {
	lookup   Lookup
	prefixes []string
	wrong    error
}

// value is the first value that is not empty, with the name of its variable.
func (r *envReader) value(key string) (text, name string) {
	for _, p := range r.prefixes {
		name = p + "_" + key
		text, _ = r.lookup(name)
		if text = strings.TrimSpace(text); text != "" {
			return text, name
		}
	}
	return "", ""
}

func (r *envReader) refuse(name, text, legal string) {
	r.wrong = errors.Join(r.wrong, fmt.Errorf("%s=%q: write %s", name, text, legal))
}

func (r *envReader) text(key string, to *string) {
	if text, _ := r.value(key); text != "" {
		*to = text
	}
}

func (r *envReader) word(key string, to *string, legal ...string) {
	text, name := r.value(key)
	if text == "" {
		return
	}
	for _, w := range legal {
		if strings.EqualFold(text, w) {
			*to = w
			return
		}
	}
	r.refuse(name, text, strings.Join(legal, " or "))
}

func (r *envReader) bool(key string, to *bool) {
	text, name := r.value(key)
	if text == "" {
		return
	}
	v, ok := parseBool(text)
	if !ok {
		r.refuse(name, text, "1, true, yes or on, or 0, false, no or off")
		return
	}
	*to = v
}

// parseBool reads the words of the Python library, in any case.
func parseBool(text string) (v, ok bool) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "1", "true", "yes", "on":
		return true, true
	case "0", "false", "no", "off":
		return false, true
	}
	return false, false
}

func (r *envReader) rank(key string, to *int) {
	text, name := r.value(key)
	if text == "" {
		return
	}
	n, ok := semconv.ParseInt(text)
	if !ok || n < -1 || n > 1<<31-1 {
		r.refuse(name, text, "a rank, or -1 for the last one")
		return
	}
	*to = int(n)
}

// share reads a number from 0 to 1. NaN is in no order with any number, so it is
// asked for what is right and not for what is wrong.
func (r *envReader) share(key string, to *float64) {
	text, name := r.value(key)
	if text == "" {
		return
	}
	v, err := strconv.ParseFloat(text, 64)
	if !(err == nil && v >= 0 && v <= 1) || strings.ContainsAny(text, "xX_") {
		r.refuse(name, text, "a number from 0 to 1, as 0.25")
		return
	}
	*to = v + 0 // -0 is 0
}

package main

import "strings"

// prefixed are the variables of nemo-lens that a program may read under its own
// prefix first.
func prefixed() []string {
	return []string{
		"ENABLED", "EXPORT_STRATEGY", "EXPORT_RANK", "EXPORT_SAMPLE_RATE", "SAMPLER_ENABLED", "TRACES_ENABLED", "METRICS_ENABLED",
		"LOGS_ENABLED", "SPAN_GROUPS", "EXPORTER", "RUN_ID", "USER_ID",
	}
}

// environment names what in the variables themselves keeps data from coming.
func (d *diagnosis) environment(getenv func(string) string, t target) {
	for _, name := range prefixed() {
		if v := getenv("MEGATRON_OTEL_" + name); v != "" && v != getenv("NEMO_LENS_"+name) {
			d.cause("MEGATRON_OTEL_%s is set and overrides NEMO_LENS_%s: unset it", name, name)
		}
	}
	d.signals(getenv, t)
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") {
		d.cause("OTEL_SDK_DISABLED=true switches every SDK off: unset it")
	}
	for _, signal := range signalNames() {
		if v := getenv("OTEL_" + signal + "_EXPORTER"); v != "" && !strings.Contains(v, "otlp") {
			d.cause("OTEL_%s_EXPORTER is set and is not otlp: its signal goes elsewhere", signal)
		}
	}
	if v := getenv("NEMO_LENS_ENABLED"); v == "" {
		d.note("NEMO_LENS_ENABLED is not set: nemo-lens sends nothing (other SDKs do)")
	} else if off(v) {
		d.cause("NEMO_LENS_ENABLED switches nemo-lens off")
	}
	d.proxy(getenv, t)
}

func off(v string) bool {
	switch strings.ToLower(strings.TrimSpace(v)) {
	case "0", "false", "no", "off":
		return true
	}
	return false
}

// signals names variables of one signal, which win over the general ones. Only
// where the traces go is gone to.
func (d *diagnosis) signals(getenv func(string) string, t target) {
	for _, name := range perSignal() {
		v := getenv(name)
		if v == "" {
			continue
		}
		other := target{from: name}
		if strings.HasSuffix(name, "_ENDPOINT") && (other.readEndpoint(v) != nil || other.addr != t.addr) {
			d.cause("%s is set: its signal goes elsewhere, not to %s: unset it", name, t.shown())
			continue
		}
		d.note("%s is set and wins over the general variable, for its signal", name)
	}
}

// contradictions are variables that say TLS where the endpoint's scheme says none,
// or the other way around: exporters differ in which they believe, and those of Go
// send nothing.
func (d *diagnosis) contradictions(getenv func(string) string, t target) {
	scheme, _, _ := strings.Cut(t.shown(), ":")
	for _, prefix := range append([]string{""}, signalNames()...) {
		name := func(what string) string {
			return strings.ReplaceAll("OTEL_EXPORTER_OTLP_"+prefix+"_"+what, "__", "_")
		}
		v := getenv(name("INSECURE"))
		if insecure := strings.EqualFold(v, "true"); v != "" && insecure == t.tls {
			d.cause("%s says %v and the endpoint %s: some exporters, those of Go first, send nothing then: unset it", name("INSECURE"), insecure, scheme)
		}
		for _, what := range []string{"CERTIFICATE", "CLIENT_CERTIFICATE"} {
			if getenv(name(what)) != "" && !t.tls {
				d.cause("%s is set and the endpoint is %s, without TLS: exporters of Go send nothing then: unset it", name(what), scheme)
			}
		}
	}
}

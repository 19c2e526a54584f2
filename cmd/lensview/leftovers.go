package main

import "slices"

// signalNames are the signals as they stand in the names of variables.
func signalNames() []string { return []string{"TRACES", "METRICS", "LOGS"} }

// destination are the ends of OTEL_EXPORTER_OTLP_* and OTEL_EXPORTER_OTLP_TRACES_*
// that say where an exporter sends and how it is let in there. COMPRESSION and
// TIMEOUT are a job's own business.
func destination() []string {
	return []string{"ENDPOINT", "PROTOCOL", "HEADERS", "CERTIFICATE", "INSECURE", "CLIENT_CERTIFICATE", "CLIENT_KEY"}
}

// perSignal are the variables that win over the general ones.
func perSignal() (names []string) {
	for _, signal := range signalNames() {
		for _, what := range destination() {
			names = append(names, "OTEL_EXPORTER_OTLP_"+signal+"_"+what)
		}
	}
	return names
}

// leftovers drops what was set for another receiver and is not set anew: those of
// one signal would win, headers may be another receiver's secret, and where
// INSECURE or a certificate contradicts the scheme of the endpoint the exporters of
// Go, and some of Python, send nothing.
func leftovers(getenv func(string) string, set []setting) (drop []setting) {
	names := perSignal()
	for _, what := range destination() {
		names = append(names, "OTEL_EXPORTER_OTLP_"+what)
	}
	for _, name := range names {
		anew := slices.ContainsFunc(set, func(s setting) bool { return s.name == name })
		if getenv(name) != "" && !anew {
			drop = append(drop, setting{name: name, unset: true})
		}
	}
	return drop
}

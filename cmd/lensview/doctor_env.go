package main

import (
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

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
	for _, name := range perSignal() {
		if getenv(name) != "" {
			d.note("%s is set and wins over the general variable, for its signal", name)
		}
	}
	if strings.EqualFold(getenv("OTEL_SDK_DISABLED"), "true") {
		d.cause("OTEL_SDK_DISABLED=true switches every SDK off: unset it")
	}
	for _, signal := range []string{"TRACES", "METRICS", "LOGS"} {
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

// proxy says when exporters would go through one. Libraries read the variables in
// both spellings, and gRPC has its own.
func (d *diagnosis) proxy(getenv func(string) string, t target) {
	if t.network == "unix" {
		return
	}
	if either(getenv, "grpc_proxy") != "" && t.protocol == "grpc" {
		d.cause("proxy in the way: grpc_proxy is set; add %s to no_proxy (as 'lensview env' does) or unset it", t.host)
		return
	}
	c := httpproxy.Config{HTTPProxy: either(getenv, "http_proxy"), HTTPSProxy: either(getenv, "https_proxy"), NoProxy: either(getenv, "no_proxy")}
	u := &url.URL{Scheme: map[bool]string{true: "https", false: "http"}[t.tls || t.protocol == "grpc"], Host: t.addr}
	if via, err := c.ProxyFunc()(u); err == nil && via != nil {
		d.cause("proxy in the way: %s goes through the proxy of %s_proxy; add %s to no_proxy (as 'lensview env' does)", t.addr, u.Scheme, t.host)
	}
}

func either(getenv func(string) string, lower string) string {
	if v := getenv(lower); v != "" {
		return v
	}
	return getenv(strings.ToUpper(lower))
}

// direct is a transport that never goes through a proxy: what is in the way is
// told, and the receiver behind it is looked at all the same.
func direct() *http.Transport { return &http.Transport{Proxy: nil, DisableKeepAlives: true} }

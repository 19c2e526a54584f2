package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// What says where to send goes when it is not set anew; how a job sends stays.
func TestLeftoversGo(t *testing.T) {
	vars := map[string]string{
		"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://old:4317", "OTEL_EXPORTER_OTLP_LOGS_INSECURE": "true",
		"OTEL_EXPORTER_OTLP_ENDPOINT": "http://old:4317", "OTEL_EXPORTER_OTLP_HEADERS": "api-key=secret",
		"OTEL_EXPORTER_OTLP_INSECURE": "true", "OTEL_EXPORTER_OTLP_CERTIFICATE": "/old.pem",
		"OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE": "/me.pem", "OTEL_EXPORTER_OTLP_CLIENT_KEY": "/me.key",
		"OTEL_EXPORTER_OTLP_COMPRESSION": "gzip", "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT": "5", "OTEL_SERVICE_NAME": "job",
	}
	set := []setting{{name: "OTEL_EXPORTER_OTLP_ENDPOINT", value: "https://new:4317"}, {name: "OTEL_EXPORTER_OTLP_CERTIFICATE", value: "/new.pem"}}
	var got []string
	for _, s := range leftovers(func(name string) string { return vars[name] }, set) {
		if !s.unset {
			t.Errorf("%+v is not unset", s)
		}
		got = append(got, strings.TrimPrefix(s.name, "OTEL_EXPORTER_OTLP_"))
	}
	want := []string{"TRACES_ENDPOINT", "LOGS_INSECURE", "HEADERS", "INSECURE", "CLIENT_CERTIFICATE", "CLIENT_KEY"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("dropped (-want +got)\n%s", d)
	}
}

// An environment that was made for another receiver keeps nothing from arriving:
// each of these made the exporters of Go send nothing.
func TestEnvWinsOverWhatWasThere(t *testing.T) {
	other := filepath.Join(t.TempDir(), "other.pem")
	if err := os.WriteFile(other, strangePEM(t), 0o600); err != nil {
		t.Fatal(err)
	}
	overTLS := []string{"--listen", "0.0.0.0:0", "--http-listen", "0.0.0.0:0", "--advertise", "localhost"}
	for _, c := range []struct {
		name     string
		flags    []string
		vars     map[string]string
		protocol string
	}{
		{"INSECURE with TLS", overTLS, map[string]string{"OTEL_EXPORTER_OTLP_INSECURE": "true"}, "http/protobuf"},
		{"INSECURE of a signal with TLS", overTLS, map[string]string{"OTEL_EXPORTER_OTLP_METRICS_INSECURE": "true"}, "http/protobuf"},
		{"INSECURE=false without TLS", nil, map[string]string{"OTEL_EXPORTER_OTLP_INSECURE": "false"}, "grpc"},
		{"a certificate without TLS", nil, map[string]string{"OTEL_EXPORTER_OTLP_CERTIFICATE": other}, "grpc"},
		{"a certificate of a signal", overTLS, map[string]string{"OTEL_EXPORTER_OTLP_LOGS_CERTIFICATE": other}, "grpc"},
	} {
		state, sink := t.TempDir(), newCounted()
		receiving(t, state, sink, c.flags...)
		c.vars["XDG_STATE_HOME"] = state
		sendAsJob(t, c.vars, "env", "--protocol", c.protocol)
		if got, want := sink.items(), [run.SignalCount]int{10, 1, 5}; got != want {
			t.Errorf("%s, %s: received %v, want %v", c.name, c.protocol, got, want)
		}
	}
}

// sendAsJob is a job that has an environment and then takes over what env prints
// in it.
func sendAsJob(t *testing.T, vars map[string]string, args ...string) {
	t.Helper()
	cmd := exec.Command("sh", "-c", `eval "$LINES"; exec "$PROGRAM" -test.run '^$'`)
	cmd.Env = []string{"LINES=" + runIn(vars, args...).out, "PROGRAM=" + os.Args[0], asExporter + "=1", "PATH=" + os.Getenv("PATH"), "HOME=/nonexistent"}
	for k, v := range vars {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

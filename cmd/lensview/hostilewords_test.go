package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// drives is text that drives a terminal: clipboard, clear, a C1 introducer, a
// direction mark, a device control string, a carriage return, a bell.
const drives = "x\x1b]52;c;eA==\a\x1b[2J\u009b31m\u202e\x1bPq\x1b\\\r\u2028y"

// tellsTerminal reports whether some byte of the output would drive a terminal.
func tellsTerminal(out string) bool {
	return strings.ContainsAny(out, "\x1b\a\r\b\u009b\u0090\u009c\u202e\u2028") || strings.ContainsAny(strings.ToValidUTF8(out, ""), "\u0080\u0085\u200f\u2066")
}

// Whoever chose the words on the command line — a file somebody shared, a host, a
// run — they do not drive the terminal of who runs the command.
func TestHostileArguments(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join("testdata", "hostile.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, drives+".jsonl")
	if err := os.WriteFile(file, append(text, "rubbish\n"...), 0o600); err != nil {
		t.Skip("this file system takes no such name:", err)
	}
	for _, args := range [][]string{
		{drives}, {"--" + drives}, {"report", file}, {"report", "--format", "json", file}, {"report", "--format", "markdown", file}, {"report", "--strict", file},
		{"report", drives}, {"report", dir}, {"export", drives}, {"diff", file, file}, {"diff", drives, file}, {"open", file}, {"open", drives}, {"open", "--follow", drives},
		{"report", "--filter", drives, file}, {"report", "--run", drives, file}, {"report", "--memory", drives, file}, {"report", "--format", drives, file},
		{"report", "--config", drives, file}, {"report", "--" + drives, file}, {"record", file}, {"record", "--sync", drives, dir}, {"record", "--listen", drives, filepath.Join(dir, "r")},
		{"--listen", drives}, {"--http-listen", drives}, {"--unix", drives}, {"env", "--advertise", drives}, {"env", "--run-id", drives}, {"man", file}, {"completion", drives},
		{"simulate", "--endpoint", "http://h" + drives + ":1", "--iterations", "1"}, {"simulate", "--fault", drives}, {"simulate", "--fault", "straggler:" + drives}, {"simulate", "--header", drives},
		{"simulate", "--protocol", drives}, {"simulate", "-o", dir + "/no/" + drives, "--iterations", "1"}, {"doctor", drives},
	} {
		if code, out, errs := cli(t, "", args...); tellsTerminal(out + errs) {
			t.Errorf("%q: exit %d, %q %q", args, code, out, errs)
		}
	}
}

// So do neither words of the environment.
func TestHostileEnvironment(t *testing.T) {
	names := []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_CERTIFICATE", "OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_RESOURCE_ATTRIBUTES",
		"NEMO_LENS_ENABLED", "NEMO_LENS_RUN_ID", "NEMO_LENS_EXPORT_STRATEGY", "MEGATRON_OTEL_ENABLED", "SLURM_JOB_ID", "SLURM_JOB_NODELIST", "HOSTNAME", "HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
		"LENSVIEW_CONFIG", "http_proxy", "no_proxy", "TERM", "SHELL", "COLUMNS",
	}
	for _, value := range []string{drives, "/" + drives, "http://127.0.0.1:1/" + drives} {
		for _, args := range [][]string{{"env"}, {"doctor", "--timeout", "1s"}, {"report", "testdata/hostile.jsonl"}} {
			for _, name := range names {
				var out, errs bytes.Buffer
				execute(args, env{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, getenv: func(n string) string {
					if n == name {
						return value
					}
					return ""
				}})
				if tellsTerminal(out.String() + errs.String()) {
					t.Errorf("%s with %s=%q: %q %q", args, name, value, out.String(), errs.String())
				}
			}
		}
	}
}

// Nor what the other end of a connection says.
func TestHostileServer(t *testing.T) {
	for _, status := range []int{200, 400, 401, 404, 503} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			w.Write([]byte(`{"code":3,"message":"` + strings.NewReplacer("\x1b", `\u001b`, "\a", `\u0007`, "\r", `\r`).Replace(drives) + `","partialSuccess":{"rejectedSpans":"1","errorMessage":"` + "\u009b31m\u202e" + `\u001b[2J"}}`))
		}))
		if status != http.StatusServiceUnavailable { // which is asked again for a while
			args := []string{"simulate", "--protocol", "http/protobuf", "--endpoint", s.URL, "--tp", "1", "--pp", "1", "--dp", "1", "--iterations", "1", "--speed", "0"}
			if code, out, errs := cli(t, "", args...); tellsTerminal(out+errs) || code != exitOK && code != exitFailed {
				t.Errorf("%d to simulate: exit %d, %q %q", status, code, out, errs)
			}
		}
		vars := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": s.URL, "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}
		if got := runIn(vars, "doctor", "--timeout", "1s"); tellsTerminal(got.out+got.err) || !strings.Contains(got.out, s.URL) {
			t.Errorf("%d to doctor: exit %d, %q %q", status, got.code, got.out, got.err)
		}
		s.Close()
	}
}

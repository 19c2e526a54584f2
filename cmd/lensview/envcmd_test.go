package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// counted is a sink that counts spans, points and records.
type counted chan [2]int

func newCounted() counted { return make(counted, 10_000) }

func (c counted) Put(_ context.Context, b *otlp.Batch, _ run.Receipt) (run.Outcome, error) {
	c <- [2]int{int(b.Signal), b.Items()}
	return run.Outcome{Kept: uint64(b.Items())}, nil
}

func (c counted) items() (n [run.SignalCount]int) {
	for len(c) > 0 {
		got := <-c
		n[got[0]] += got[1]
	}
	return n
}

// outcome is a command that was run.
type outcome struct {
	code     int
	out, err string
}

// runIn runs a command line with an environment of its own.
func runIn(vars map[string]string, args ...string) outcome {
	var out, errs bytes.Buffer
	e := env{stdin: strings.NewReader(""), stdout: &out, stderr: &errs, getenv: func(name string) string { return vars[name] }}
	code := execute(args, e)
	return outcome{code, out.String(), errs.String()}
}

// receiving starts receivers as the flags say and registers them under a state
// directory.
func receiving(t *testing.T, state string, sink counted, flags ...string) *receivers {
	t.Helper()
	var o liveOptions
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	o.bind(set)
	if err := set.Parse(append([]string{"--listen", "127.0.0.1:0", "--http-listen", "127.0.0.1:0"}, flags...)); err != nil {
		t.Fatal(err)
	}
	r, err := receive(t.Context(), env{getenv: func(name string) string { return map[string]string{"XDG_STATE_HOME": state}[name] }}, o, sink)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
		defer cancel()
		if err := r.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	return r
}

// names are the variables that lines of sh set or unset, in order.
func names(lines string) (out []string) {
	for line := range strings.Lines(lines) {
		word := strings.Fields(line)
		name, _, _ := strings.Cut(strings.TrimSuffix(word[1], ";"), "=")
		out = append(out, name)
	}
	return out
}

func value(t *testing.T, lines, name string) string {
	t.Helper()
	for line := range strings.Lines(lines) {
		if v, ok := strings.CutPrefix(line, "export "+name+"="); ok {
			return strings.TrimSuffix(strings.TrimSpace(v), ";")
		}
	}
	return ""
}

func TestEnvOnLoopback(t *testing.T) {
	state := t.TempDir()
	r := receiving(t, state, newCounted())
	vars := map[string]string{"XDG_STATE_HOME": state, "NEMO_LENS_RUN_ID": "mine", "NEMO_LENS_ENABLED": "0", "no_proxy": "a.example,127.0.0.1"}
	got := runIn(vars, "env")
	if got.code != 0 || !strings.Contains(got.err, "only jobs on this host") {
		t.Fatalf("%+v", got)
	}
	want := []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_PROTOCOL", "OTEL_EXPORTER_OTLP_HEADERS", "no_proxy", "NO_PROXY",
		"NEMO_LENS_EXPORT_STRATEGY", "NEMO_LENS_SPAN_GROUPS"}
	if d := cmp.Diff(want, names(got.out)); d != "" {
		t.Errorf("variables (-want +got)\n%s", d)
	}
	if v := value(t, got.out, "OTEL_EXPORTER_OTLP_ENDPOINT"); v != "http://"+r.Addrs()[0].Addr {
		t.Errorf("endpoint %s", v)
	}
	if v := value(t, got.out, "NO_PROXY"); v != "a.example,127.0.0.1" {
		t.Errorf("NO_PROXY %s", v)
	}
	for _, never := range []string{"TIMEOUT", "COMPRESSION", "CERTIFICATE", "SSL_CERT"} {
		if strings.Contains(got.out, never) {
			t.Errorf("%s is set", never)
		}
	}
}

func TestEnvBeyondLoopback(t *testing.T) {
	state := t.TempDir()
	receiving(t, state, newCounted(), "--listen", "0.0.0.0:0", "--http-listen", "0.0.0.0:0", "--advertise", "login1-ib,login1")
	token, err := os.ReadFile(filepath.Join(state, "lensview", "token"))
	if err != nil {
		t.Fatal(err)
	}
	vars := map[string]string{"XDG_STATE_HOME": state, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://old:4317"}
	got := runIn(vars, "env")
	if v := value(t, got.out, "OTEL_EXPORTER_OTLP_ENDPOINT"); !strings.HasPrefix(v, "https://login1-ib:") {
		t.Errorf("endpoint %s", v)
	}
	if v := value(t, got.out, "no_proxy"); v != "login1-ib" {
		t.Errorf("no_proxy %s", v)
	}
	vars[grpcExceptions] = "a.example"
	if v := value(t, runIn(vars, "env").out, grpcExceptions); v != "a.example,login1-ib" {
		t.Errorf("%s %s", grpcExceptions, v)
	}
	if !strings.Contains(got.out, "unset OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;") {
		t.Errorf("an old endpoint stays: %s", got.out)
	}
	if strings.Contains(got.out+got.err, strings.TrimSpace(string(token))) {
		t.Error("the token is printed")
	}
	if got = runIn(vars, "env", "--protocol", "http/protobuf", "--advertise", "elsewhere"); !strings.Contains(got.err, "--advertise elsewhere") || value(t, got.out, "OTEL_EXPORTER_OTLP_PROTOCOL") != "http/protobuf" {
		t.Errorf("%+v", got)
	}
	if got = runIn(vars, "env", "--format", "plain"); !strings.Contains(got.out, "OTEL_EXPORTER_OTLP_HEADERS=x-lensview-token="+string(token)) {
		t.Errorf("plain: %s", got.out)
	}
	open := t.TempDir()
	receiving(t, open, newCounted(), "--listen", "0.0.0.0:0", "--no-auth", "--plaintext")
	if got := runIn(map[string]string{"XDG_STATE_HOME": open}, "env"); strings.Contains(got.out, "HEADERS") || !strings.HasPrefix(value(t, got.out, "OTEL_EXPORTER_OTLP_ENDPOINT"), "http://") {
		t.Errorf("a token travels for nothing: %s", got.out)
	}
	if got = runIn(vars, "env", "--unix"); got.code != exitFailed || got.out != "" || !strings.Contains(got.err, "--unix auto") {
		t.Errorf("no socket: %+v", got)
	}
}

// One id for all processes of a run where there is no Slurm; never for several
// Slurm jobs that get the same environment.
func TestEnvRunID(t *testing.T) {
	state := t.TempDir()
	receiving(t, state, newCounted())
	at := func(more map[string]string, args ...string) string {
		vars := map[string]string{"XDG_STATE_HOME": state}
		for k, v := range more {
			vars[k] = v
		}
		return value(t, runIn(vars, append([]string{"env"}, args...)...).out, "NEMO_LENS_RUN_ID")
	}
	if _, err := exec.LookPath("sbatch"); err != nil {
		one, two := at(nil), at(nil)
		if !strings.HasPrefix(one, "run-") || one == two {
			t.Errorf("ids %q, %q", one, two)
		}
	} else if id := at(nil); id != "" {
		t.Errorf("%q where Slurm submits jobs", id)
	}
	for want, id := range map[string]string{"a": at(nil, "--run-id", "a"), "": at(nil, "--run-id", "none")} {
		if id != want {
			t.Errorf("%q, want %q", id, want)
		}
	}
	if id := at(map[string]string{"SLURM_JOB_ID": "7"}); id != "" {
		t.Errorf("%q in a Slurm job", id)
	}
}

func TestEnvInASlurmJob(t *testing.T) {
	state := t.TempDir()
	receiving(t, state, newCounted())
	got := runIn(map[string]string{
		"XDG_STATE_HOME": state, "SLURM_JOB_ID": "7", "SLURM_JOB_NAME": "pre train", "SLURM_CLUSTER_NAME": "alps",
		"OTEL_RESOURCE_ATTRIBUTES": "team=blue,slurm.job.name=mine",
	}, "env")
	v := value(t, got.out, "OTEL_RESOURCE_ATTRIBUTES")
	for _, want := range []string{"team=blue", "slurm.job.name=mine", "slurm.job.id=7", "slurm.cluster.name=alps"} {
		if !strings.Contains(v, want) {
			t.Errorf("%s lacks %s", v, want)
		}
	}
}

func TestEnvErrors(t *testing.T) {
	state := t.TempDir()
	for _, c := range []struct {
		name string
		vars map[string]string
		args []string
		code int
		want string
	}{
		{"nothing runs", map[string]string{"XDG_STATE_HOME": state}, nil, exitFailed, "no lensview of yours runs"},
		{"no home", nil, nil, exitFailed, "neither HOME nor XDG_STATE_HOME"},
		{"format", map[string]string{"XDG_STATE_HOME": state}, []string{"--format", "cmd"}, exitUsage, "csh"},
		{"argument", nil, []string{"x"}, exitUsage, "unknown"},
	} {
		got := runIn(c.vars, append([]string{"env"}, c.args...)...)
		if got.code != c.code || got.out != "" || !strings.Contains(got.err, c.want) || strings.Count(got.err, "\n") != 1 {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// A job that gets the lines reaches the receiver, whatever the user's shell made
// of them: the whole way through sh and an exporter that reads its environment.
func TestEnvMakesAnExporterWork(t *testing.T) {
	for name, flags := range map[string][]string{
		"loopback": nil,
		"TLS":      {"--listen", "0.0.0.0:0", "--http-listen", "0.0.0.0:0", "--advertise", "localhost"},
		"socket":   {"--unix", "auto"},
	} {
		for _, protocol := range []string{"grpc", "http/protobuf"} {
			t.Run(name+" "+protocol, func(t *testing.T) {
				args := []string{"env", "--protocol", protocol}
				if name == "socket" {
					if args = []string{"env", "--unix"}; protocol != "grpc" {
						t.Skip("exporters reach a socket over gRPC")
					}
				}
				state, sink := t.TempDir(), newCounted()
				receiving(t, state, sink, flags...)
				sendAsJob(t, map[string]string{"XDG_STATE_HOME": state}, args...)
				want := [run.SignalCount]int{10, 1, 5}
				if name == "socket" {
					want[run.Logs] = 0
				}
				if got := sink.items(); got != want {
					t.Errorf("received %v, want %v", got, want)
				}
			})
		}
	}
}

// A job script starts the recorder and asks for it at once: it may take a moment.
func TestEnvWaits(t *testing.T) {
	state := t.TempDir()
	vars := map[string]string{"XDG_STATE_HOME": state}
	if got := runIn(vars, "env", "--wait", "1ms"); got.code != exitFailed || !strings.Contains(got.err, "after 1ms: no lensview of yours runs here") {
		t.Errorf("%+v", got)
	}
	waits := make(chan outcome)
	go func() { waits <- runIn(vars, "env", "--wait", "1m") }()
	receiving(t, state, newCounted())
	if got := <-waits; got.code != exitOK || !strings.Contains(got.out, "OTEL_EXPORTER_OTLP_ENDPOINT") {
		t.Errorf("%+v", got)
	}
}

// What runs decides what is printed, and an error names the flag that is lacking.
func TestEnvOfOneListener(t *testing.T) {
	for _, c := range []struct {
		name  string
		flags []string
		args  []string
		code  int
		want  string
	}{
		{"a socket alone", []string{"--listen", "off", "--http-listen", "off", "--unix", "auto"}, nil, 0, "OTEL_EXPORTER_OTLP_ENDPOINT=unix:///"},
		{"a socket, and what is off", []string{"--listen", "off", "--http-listen", "off", "--unix", "auto"}, []string{"--protocol", "http/protobuf"}, exitFailed, "start it with --http-listen"},
		{"HTTP alone", []string{"--listen", "off"}, []string{"--protocol", "grpc"}, exitFailed, "start it with --listen"},
		{"HTTP on loopback", []string{"--listen", "0.0.0.0:0"}, []string{"--protocol", "http/protobuf"}, 0, "for others start lensview with --http-listen"},
	} {
		state := t.TempDir()
		receiving(t, state, newCounted(), c.flags...)
		got := runIn(map[string]string{"XDG_STATE_HOME": state}, append([]string{"env"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.out+got.err, c.want) {
			t.Errorf("%s: want %q: %+v", c.name, c.want, got)
		}
	}
}

// Of a receiver of another host, what only that host reaches is named by protocol.
func TestEnvOfAnotherHost(t *testing.T) {
	j := jobEnv{env: env{getenv: func(string) string { return "" }}, options: envOptions{protocol: "http/protobuf"},
		instance: instance{Host: "login1.invalid", PID: 7, GRPC: "0.0.0.0:4317", HTTP: "127.0.0.1:4318"}}
	if _, _, err := j.endpoint(); err == nil || !strings.Contains(err.Error(), "takes http/protobuf of its own host login1.invalid only: start it with --http-listen") {
		t.Errorf("%v", err)
	}
}

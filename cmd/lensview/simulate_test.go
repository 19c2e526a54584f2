package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/simulate"
)

func TestFaultsAreListed(t *testing.T) {
	code, out, errs := cli(t, "", "simulate", "--faults", "list")
	if code != 0 || errs != "" {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for _, k := range simulate.FaultKinds() {
		if !strings.Contains(out, "\n    "+k.About+"\n") || !strings.Contains(out, "--fault "+k.Example) {
			t.Errorf("%s is not documented in\n%s", k.Kind, out)
		}
	}
	if code, _, errs = cli(t, "", "simulate", "--faults", "all"); code != exitUsage || !strings.Contains(errs, "the only word is list") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

func TestUnknownFaultsNameTheLegalOnes(t *testing.T) {
	for text, want := range map[string]string{
		"slow":             "choose one of straggler, slow-stage, slow-link",
		"hang:rnk=1":       "choose from rank, at, within, alive",
		"straggler:rank=x": "want a whole number",
		"silent:rank=99":   "ranks 0 to 63",
	} {
		if code, _, errs := cli(t, "", "simulate", "--fault", text, "--endpoint", "127.0.0.1:1"); code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d, %q, want %q", text, code, errs, want)
		}
	}
}

// Faults compose, and the truth of all of them stands beside the data.
func TestFaultsAndTheirTruth(t *testing.T) {
	dir := t.TempDir()
	data, truth := filepath.Join(dir, "run.jsonl"), filepath.Join(dir, "truth.json")
	code, _, errs := cli(t, "", "simulate", "--tp", "2", "--pp", "1", "--dp", "4", "--ranks-per-host", "2", "--iterations", "6", "--speed", "0",
		"--fault", "slow-host:host=1,factor=2", "--fault", "skew:by=5m", "--fault", "silent:rank=7", "-o", data, "--truth", truth)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	b, err := os.ReadFile(truth)
	if err != nil {
		t.Fatal(err)
	}
	var got simulate.Truth
	if err := json.Unmarshal(b, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Injected) != 3 || got.Injected[0].Unit != simulate.UnitWorker || got.Injected[1].Tells != simulate.TellsClocks || got.Injected[2].Rank != 7 {
		t.Errorf("truth %s", b)
	}
	sent, _ := os.ReadFile(data)
	if strings.Contains(string(sent), "sim-1-rank7\"") || !strings.Contains(string(sent), "sim-1-rank6\"") {
		t.Error("rank 7 sends, or rank 6 does not")
	}
}

// A receiver with a token and TLS lets in what is sent with the environment of a job.
func TestSimulateAsAJob(t *testing.T) {
	for _, protocol := range []string{"grpc", "http/protobuf"} {
		state, sink := t.TempDir(), newCounted()
		receiving(t, state, sink, "--listen", "0.0.0.0:0", "--http-listen", "0.0.0.0:0", "--advertise", "localhost")
		vars := jobOf(t, state, "--protocol", protocol)
		args := []string{"simulate", "--tp", "1", "--pp", "1", "--dp", "2", "--iterations", "2", "--speed", "0", "--protocol", protocol, "--endpoint", vars["OTEL_EXPORTER_OTLP_ENDPOINT"]}
		if got := runIn(vars, args...); got.code != 0 || sink.items()[0] == 0 {
			t.Errorf("%s: received %v of %+v", protocol, sink.items(), got)
		}
	}
}

// What was made for one endpoint goes to no other one, and a flag goes before it.
func TestSimulateKeepsHeadersToTheirEndpoint(t *testing.T) {
	vars := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://login1:4317", "OTEL_EXPORTER_OTLP_HEADERS": "x-lensview-token=hunter2"}
	for _, c := range []struct{ endpoint, given, want string }{
		{"http://login1:4317", "", "hunter2"}, {"login1:4317", "", "hunter2"}, {"http://login1:4317/", "own", "own"},
		{"http://collector:4317", "", ""}, {"http://login1:4318", "", ""}, {"unix:///run/a.sock", "", ""}, {"no endpoint at all", "", ""},
	} {
		var o simulateOptions
		o.target.Endpoint, o.target.Headers = c.endpoint, map[string]string{}
		if c.given != "" {
			o.target.Headers["x-lensview-token"] = c.given
		}
		o.asJob(func(name string) string { return vars[name] })
		if got := o.target.Headers["x-lensview-token"]; got != c.want {
			t.Errorf("%s: %q, want %q", c.endpoint, got, c.want)
		}
	}
}

// Without TLS to a port that speaks it: what to do is said, not that nobody is there.
func TestSimulateToAPortWithTLS(t *testing.T) {
	receiver := strings.TrimPrefix(onlyHTTP1(t), "https://")
	for endpoint, want := range map[string]bool{receiver: true, "http://" + receiver: true, "https://" + receiver: false, freeAddr(t): false, "unix:///nonexistent/a.sock": false} {
		o := simulateOptions{}
		o.target.Endpoint = endpoint
		err := o.why(t.Context(), errNotTaken)
		if !errors.Is(err, errNotTaken) || strings.Contains(err.Error(), receiver+" speaks TLS: eval") != want {
			t.Errorf("%s: %v", endpoint, err)
		}
	}
}

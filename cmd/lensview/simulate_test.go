package main

import (
	"encoding/json"
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

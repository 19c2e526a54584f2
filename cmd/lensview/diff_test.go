package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/report"
)

func TestDiffOfTwoFiles(t *testing.T) {
	a, b := shared(t, "slow-worker.otlp.jsonl.gz"), shared(t, "stage-imbalance.otlp.jsonl.gz")
	code, out, errs := cli(t, "", "diff", "--format", "json", a, b)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var d report.Diff
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if d.Comparable || len(d.Differ) != 1 || !strings.Contains(d.Differ[0], "world size differs: 64 and 8") || len(d.Flagged()) != 0 {
		t.Errorf("comparable %v, differ %v, flagged %v", d.Comparable, d.Differ, d.Flagged())
	}
}

func TestDiffOfTwoWindows(t *testing.T) {
	file := shared(t, "stage-imbalance.otlp.jsonl.gz")
	code, out, errs := cli(t, "", "diff", file, "--window-a", "1..500", "--window-b", "501..1100", "--fail-on", "material")
	if code != exitFinding || !strings.HasPrefix(out, "material: optimizer takes -15.9 %") || strings.Count(out, "material") != 2 || !strings.Contains(errs, "--fail-on material") {
		t.Errorf("exit %d: %s\n%s", code, errs, out)
	}
	if code, out, _ := cli(t, "", "diff", file, file, "--format", "markdown"); code != exitOK || !strings.HasPrefix(out, "**no change that matters**") {
		t.Errorf("a file against itself: exit %d\n%s", code, out)
	}
}

func TestDiffRefuses(t *testing.T) {
	file := shared(t, "stage-imbalance.otlp.jsonl.gz")
	for _, tt := range []struct {
		args []string
		code int
		says string
	}{
		{nil, exitUsage, "needs one PATH or two"},
		{[]string{file}, exitUsage, "needs --run-a and --run-b, or --window-a and --window-b"},
		{[]string{file, file, file}, exitUsage, "needs one PATH or two"},
		{[]string{file, file, "--format", "yaml"}, exitUsage, "use text, markdown or json"},
		{[]string{file, file, "--fail-on", "warning"}, exitUsage, "use moderate or material"},
		{[]string{file, "--window-a", "9..3", "--window-b", "4..5"}, exitUsage, "use FIRST..LAST"},
		{[]string{file, "--window-a", "x", "--window-b", "4..5"}, exitUsage, "use FIRST..LAST"},
		{[]string{file, file, "--run-a", "nobody"}, exitFailed, `no run "nobody"`},
		{[]string{file, file, "--filter", "rank=="}, exitUsage, "--filter:"},
		{[]string{shared(t, "collector-mixed.otlp.jsonl.gz"), file}, exitFailed, "no run with steps to compare"},
	} {
		code, out, errs := cli(t, "", append([]string{"diff"}, tt.args...)...)
		if code != tt.code || !strings.Contains(errs, tt.says) || out != "" {
			t.Errorf("%v: exit %d: %s%s", tt.args, code, errs, out)
		}
	}
}

func TestReportFailsOn(t *testing.T) {
	slow, stage := shared(t, "slow-worker.otlp.jsonl.gz"), shared(t, "stage-imbalance.otlp.jsonl.gz")
	for _, tt := range []struct {
		file, level string
		code        int
	}{
		{slow, "critical", exitFinding}, {stage, "critical", exitOK}, {stage, "warning", exitFinding}, {stage, "", exitOK}, {stage, "info", exitUsage},
	} {
		args := []string{"report", "--format", "markdown", tt.file}
		if tt.level != "" {
			args = append(args, "--fail-on", tt.level)
		}
		code, out, errs := cli(t, "", args...)
		if code != tt.code || (code == exitFinding) != strings.HasPrefix(errs, "lensview: --fail-on") && code != exitUsage {
			t.Errorf("%s %q: exit %d: %s", tt.file, tt.level, code, errs)
		}
		if code != exitUsage && !strings.HasPrefix(out, "### run ") {
			t.Errorf("%s: %.60s", tt.file, out)
		}
	}
}

// The recordings name their culprits, and nobody else.
func TestReportNamesTheCulprits(t *testing.T) {
	r := reportOf(t, shared(t, "slow-worker.otlp.jsonl.gz")).Runs[0]
	if len(r.Stragglers) != 1 || *r.Stragglers[0].Coord.PP != 0 || *r.Stragglers[0].Coord.DP != 0 || r.WhatIf.Cause != "worker" {
		t.Errorf("slow worker: %+v, %+v", r.Stragglers, r.WhatIf)
	}
	r = reportOf(t, shared(t, "stage-imbalance.otlp.jsonl.gz")).Runs[0]
	if r.Stragglers == nil || len(r.Stragglers) != 0 || r.WhatIf.Cause != "stage" || r.Bubble == nil {
		t.Errorf("stage imbalance: %+v, %+v", r.Stragglers, r.WhatIf)
	}
}

// A collector's file has hundreds of services; the text stays readable.
func TestReportOfManyServicesIsShort(t *testing.T) {
	code, out, errs := cli(t, "", "report", shared(t, "collector-mixed.otlp.jsonl.gz"))
	if n := strings.Count(out, "\n"); code != exitOK || n > 60 || !strings.Contains(out, "--run ID tells of one in full") {
		t.Errorf("exit %d, %d lines: %s", code, n, errs)
	}
	if _, out, _ := cli(t, "", "report", "--run", "otelcol", shared(t, "collector-mixed.otlp.jsonl.gz")); !strings.Contains(out, "run otelcol · service otelcol") {
		t.Errorf("one run of many:\n%.400s", out)
	}
}

func TestFilterOfAnUnknownKey(t *testing.T) {
	_, out, _ := cli(t, "", "report", "--filter", "rnak=5", shared(t, "stage-imbalance.otlp.jsonl.gz"))
	if !strings.Contains(out, "did you mean rank?") || !strings.Contains(out, "filtered by rnak=5") {
		t.Errorf("%s", out)
	}
}

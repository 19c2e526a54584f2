package report

import (
	"bytes"
	"context"
	"encoding/json"
	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
)

// simulated is a store that took a short run of 8 ranks with all its ends.
func simulated(t testing.TB, change func(*simulate.Config)) *store.Snapshot {
	t.Helper()
	c := simulate.Config{Seed: 7, TP: 2, PP: 2, DP: 2, Iterations: 12, CheckpointEvery: 5, LogEvery: 2, User: "ada", NaNEvery: 4}
	if change != nil {
		change(&c)
	}
	f := simtest.New(t, c, store.Config{Files: true})
	f.Sender = "test"
	return f.End()
}

func build(t testing.TB, s *store.Snapshot, o Options) Report {
	t.Helper()
	r, err := Build(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReportOfARun(t *testing.T) {
	r := build(t, simulated(t, nil), Options{}).Runs[0]
	if r.ID != "sim-7" || *r.WorldSize != 8 || r.RanksSeen != 8 || len(r.NeverSeen) != 0 || r.Attempts != 1 || *r.User != "ada" {
		t.Errorf("run = %+v", r)
	}
	if tp := r.Topology; *tp.TP != 2 || *tp.PP != 2 || *tp.DP != 2 || !tp.Derived || len(tp.Problems) != 0 {
		t.Errorf("topology = %+v", tp)
	}
	i, n := r.Iterations, 0
	for _, c := range i.Excluded {
		n += c
	}
	if i.Seen != 12 || i.Complete+n != i.Seen || i.Excluded["first"] != 1 {
		t.Errorf("iterations = %+v", i)
	}
	if s := r.Spans; s.Received == 0 || s.Received != s.Kept+s.Evicted+s.Rejected+s.Duplicates+s.Replaced+s.InFlight || s.Truncated == 0 {
		t.Errorf("spans = %+v", s)
	}
	for k := 1; k < len(r.SpanStats); k++ {
		if r.SpanStats[k-1].Total < r.SpanStats[k].Total {
			t.Errorf("span statistics are not by total")
		}
	}
}

// What the data cannot tell is null, never a made-up 0 or [], and the verdict says
// why.
func TestUnansweredKeysAreNull(t *testing.T) {
	r := build(t, simulated(t, func(c *simulate.Config) { c.Detail = simulate.StepOnly }), Options{}).Runs[0]
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"stragglers", "what_if", "bubble"} {
		if !strings.Contains(string(b), `"`+key+`":null`) {
			t.Errorf("%s is not null", key)
		}
	}
	if len(r.Verdict.CannotTell) == 0 {
		t.Error("no word of what could not be told")
	}
	all := build(t, simulated(t, nil), Options{}).Runs[0]
	if all.Stragglers == nil || all.WhatIf == nil || all.Bubble == nil || all.Breakdown == nil || all.Stall == nil || all.Steps == nil || all.Goodput == nil {
		t.Errorf("with all spans something is not answered: %+v", all.Verdict)
	}
}

// Every key of the contract is there, and no list is null.
func TestKeysOfTheContract(t *testing.T) {
	var got map[string]any
	var buf bytes.Buffer
	if err := WriteJSON(&buf, build(t, simulated(t, nil), Options{Sources: []Source{{Path: "f"}}})); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(buf.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	has(t, got, "schema", "sources", "traces", "runs")
	has(t, got["traces"], "count", "orphan_spans", "starts_before_parent", "parent_cycles", "duplicates_dropped")
	has(t, first(got["sources"]), "path", "format", "spans", "metrics", "points", "logs", "bad_records", "incomplete_tail", "missing", "missing_files", "messages")
	r := first(got["runs"])
	has(t, r, "id", "service", "user", "job", "attempts", "world_size", "ranks_seen", "never_seen", "topology", "verdict", "iterations",
		"resource", "spans", "span_stats", "stall", "stragglers", "what_if", "bubble", "breakdown", "metrics", "cardinality", "notices", "logs")
	has(t, r["verdict"], "state", "scope", "summary", "evidence", "cannot_tell")
	has(t, r["stall"], "stalled", "frontier", "together", "processes")
	has(t, r["what_if"], "slowdown", "worker_share", "stage_share", "cause", "worker", "approximate")
	has(t, r["bubble"], "expected_share", "observed_share")
	has(t, first(r["breakdown"]), "class", "share", "seconds")
	has(t, r["iterations"], "first", "last", "complete", "excluded")
	has(t, r["iterations"].(map[string]any)["excluded"], "first", "checkpoint", "evaluate", "graph_capture", "gc", "skipped", "truncated")
	has(t, first(r["span_stats"]), "name", "phase", "class", "count", "truncated", "invalid", "mean", "p50", "p95", "p99", "max", "total", "few")
	has(t, first(r["metrics"]), "name", "unit", "kind", "series", "points", "not_finite", "min", "max", "mean", "last")
	for _, list := range []string{"never_seen", "stragglers", "cardinality", "conventions", "quantities", "worst_ranks", "notices"} {
		if r[list] == nil {
			t.Errorf("%s is null, not []", list)
		}
	}
}

func first(list any) map[string]any { return list.([]any)[0].(map[string]any) }

func has(t *testing.T, object any, keys ...string) {
	t.Helper()
	m := object.(map[string]any)
	for _, k := range keys {
		if _, ok := m[k]; !ok {
			t.Errorf("key %q is missing", k)
		}
	}
}

func TestExplodingAttributeIsReported(t *testing.T) {
	s := simulated(t, func(c *simulate.Config) {
		c.Iterations, c.Gateway = 60, true
		c.Faults = []simulate.Fault{simulate.Explosion{PerSecond: 100}}
	})
	found := false
	for _, r := range build(t, s, Options{}).Runs {
		for _, c := range r.Cardinality {
			if c.Key == "gen_ai.request.model" {
				t.Errorf("a key with 5 values is reported: %+v", c)
			}
			if c.Key == "user.session.id" {
				found = true
				if c.Level != "warning" || c.Distinct < 4000 || len(c.Examples) != 3 || c.Reason == "" {
					t.Errorf("finding = %+v", c)
				}
			}
		}
		for _, n := range r.Notices {
			if n.Code == "cardinality" && !strings.Contains(n.Text, "span attribute") {
				t.Errorf("the notice does not say what to do: %s", n.Text)
			}
		}
	}
	if !found {
		t.Error("user.session.id is not reported")
	}
}

func TestFilterNarrowsStatisticsNotAccounts(t *testing.T) {
	s := simulated(t, nil)
	f, err := query.Parse("dl.rank=0")
	if err != nil {
		t.Fatal(err)
	}
	all, one := build(t, s, Options{}).Runs[0], build(t, s, Options{Filter: f, Processes: true}).Runs[0]
	if len(one.Processes) != 1 || *one.Processes[0].Rank != 0 {
		t.Errorf("processes = %+v", one.Processes)
	}
	if one.SpanStats[0].Count*8 > all.SpanStats[0].Count*2 || one.Spans != all.Spans {
		t.Errorf("statistics %d of %d, accounts %+v and %+v", one.SpanStats[0].Count, all.SpanStats[0].Count, one.Spans, all.Spans)
	}
}

func TestProcessesKeepTypes(t *testing.T) {
	r := build(t, simulated(t, nil), Options{Processes: true}).Runs[0]
	if len(r.Processes) != 8 {
		t.Fatalf("processes = %d", len(r.Processes))
	}
	res := r.Processes[3].Resource
	for key, want := range map[string]Typed{"nv.dl.rank": {"int", int64(3)}, "nemo.run.id": {"string", "sim-7"}, "nv.dl.world_size": {"int", int64(8)}} {
		if got := res[key]; !reflect.DeepEqual(got, want) {
			t.Errorf("%s = %+v, want %+v", key, got, want)
		}
	}
}

func TestTypedValues(t *testing.T) {
	tests := []struct {
		in   run.Value
		want Typed
	}{
		{run.StringValue("007"), Typed{"string", "007"}},
		{run.IntValue(1<<53 + 1), Typed{"int", int64(1<<53 + 1)}},
		{run.DoubleValue(1.5), Typed{"double", 1.5}},
		{run.DoubleValue(math.NaN()), Typed{"double", "NaN"}},
		{run.BoolValue(true), Typed{"bool", true}},
		{run.BytesValue([]byte{0, 1}), Typed{"bytes", "0x0001"}},
		{run.Value{}, Typed{"empty", nil}},
	}
	for _, tt := range tests {
		got := typed(tt.in)
		if !reflect.DeepEqual(got, tt.want) {
			t.Errorf("typed(%v) = %+v, want %+v", tt.in, got, tt.want)
		}
		if _, err := json.Marshal(got); err != nil {
			t.Errorf("%+v does not encode: %v", got, err)
		}
	}
}

func TestTextIsForAPerson(t *testing.T) {
	var buf bytes.Buffer
	s := simulated(t, nil)
	r := build(t, s, Options{Sources: []Source{{Path: "evil\x1b[2J.jsonl", Format: "otlp-json", Spans: 3, Messages: []string{"evil:1: bad\x07"}}}})
	if err := WriteText(&buf, r); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(buf.String(), "\x1b\x07") {
		t.Error("text from telemetry reaches the terminal")
	}
	golden := filepath.Join("testdata", "run.golden")
	if *update {
		if err := os.WriteFile(golden, buf.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if buf.String() != string(want) {
		t.Errorf("text differs from %s (run with -update after a wanted change):\n%s", golden, buf.String())
	}
}

func TestRanges(t *testing.T) {
	tests := []struct {
		in   []int
		want string
	}{
		{nil, ""}, {[]int{7}, "7"}, {[]int{0, 1, 2, 3, 7, 9, 10}, "0-3, 7, 9-10"},
		{odd(40), "1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31 and 24 more"},
	}
	for _, tt := range tests {
		if got := ranges(tt.in); got != tt.want {
			t.Errorf("ranges(%v) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func odd(n int) (out []int) {
	for i := range n {
		out = append(out, 2*i+1)
	}
	return out
}

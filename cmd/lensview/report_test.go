package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/report"
	"github.com/beamline-hpc/lensview/internal/run"
)

// cli runs a command line without a terminal.
func cli(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = execute(args, env{
		stdin: strings.NewReader(stdin), stdout: &out, stderr: &errs, getenv: func(string) string { return "" },
	})
	return code, out.String(), errs.String()
}

// shared is a real recording; tests that use one skip where it is absent.
func shared(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no recording: %v", err)
	}
	return path
}

func reportOf(t *testing.T, args ...string) report.Report {
	t.Helper()
	code, out, errs := cli(t, "", append([]string{"report", "--format", "json"}, args...)...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var r report.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReportOfCollectorFile(t *testing.T) {
	r := reportOf(t, shared(t, "collector-mixed.otlp.jsonl.gz"))
	s := r.Sources[0]
	got := []int{s.Spans, r.Traces.Count, r.Traces.OrphanSpans, r.Traces.StartsBeforeParent, s.Logs, s.Metrics, s.Points, s.BadRecords}
	if want := []int{547, 141, 1, 30, 23, 2650, 4551, 0}; !cmp.Equal(got, want) {
		t.Errorf("spans, traces, orphans, early, logs, metrics, points, bad = %v, want %v", got, want)
	}
}

func TestReportOfTrainingRecordings(t *testing.T) {
	tests := []struct {
		file                           string
		spans, world, seen, tp, pp, dp int
		iterations, never              int
	}{
		{"stage-imbalance.otlp.jsonl.gz", 7040, 8, 8, 1, 4, 2, 32, 0},
		{"slow-worker.otlp.jsonl.gz", 117920, 64, 16, 4, 4, 4, 44, 48},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			r := reportOf(t, shared(t, tt.file))
			if len(r.Runs) != 1 {
				t.Fatalf("runs = %d, want 1", len(r.Runs))
			}
			x := r.Runs[0]
			got := []int{r.Sources[0].Spans, *x.WorldSize, x.RanksSeen, *x.Topology.TP, *x.Topology.PP, *x.Topology.DP, x.Iterations.Seen, len(x.NeverSeen)}
			want := []int{tt.spans, tt.world, tt.seen, tt.tp, tt.pp, tt.dp, tt.iterations, tt.never}
			if !cmp.Equal(got, want) {
				t.Errorf("spans, world, seen, tp, pp, dp, iterations, never seen = %v, want %v", got, want)
			}
			if n := x.Iterations.Complete + sum(x.Iterations.Excluded); n != x.Iterations.Seen {
				t.Errorf("complete + excluded = %d, want %d", n, x.Iterations.Seen)
			}
		})
	}
}

func sum(m map[string]int) (n int) {
	for _, v := range m {
		n += v
	}
	return n
}

// Both spellings of a fact match, whichever the process sent.
func TestReportFilter(t *testing.T) {
	tests := []struct {
		file, filter string
		processes    int
	}{
		{"stage-imbalance.otlp.jsonl.gz", "dl.rank=0", 1},
		{"stage-imbalance.otlp.jsonl.gz", "nv.dl.rank=0", 1},
		{"slow-worker.otlp.jsonl.gz", "dl.rank in (0,4) AND dl.tensor_parallel.size=4 AND dl.pipeline_parallel.size=4", 2},
		{"stage-imbalance.otlp.jsonl.gz", "nv.dl.topology.size.pp=4 and pp=3", 2},
	}
	for _, tt := range tests {
		t.Run(tt.file+" "+tt.filter, func(t *testing.T) {
			r := reportOf(t, "--processes", "--filter", tt.filter, shared(t, tt.file))
			if len(r.Runs) != 1 || len(r.Runs[0].Processes) != tt.processes {
				t.Fatalf("runs %d, processes %d, want 1 and %d", len(r.Runs), len(r.Runs[0].Processes), tt.processes)
			}
		})
	}
	if r := reportOf(t, "--filter", "dl.tensor_parallel.size=2", shared(t, "stage-imbalance.otlp.jsonl.gz")); len(r.Runs) != 0 {
		t.Errorf("a filter that nothing matches leaves %d runs", len(r.Runs))
	}
}

// spanLine is one OTLP JSON line with a span of that many seconds.
func spanLine(id int, seconds int, truncated bool) string {
	attrs := ""
	if truncated {
		attrs = `,"attributes":[{"key":"nemo.span.truncated","value":{"boolValue":true}}]`
	}
	const t0 = 1760000000
	return strings.NewReplacer("ID", fmt.Sprintf("%016d", id), "END", fmt.Sprint(t0+seconds), "START", fmt.Sprint(t0), "ATTRS", attrs).Replace(
		`{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"megatron-lm"}},{"key":"dl.rank","value":{"intValue":"0"}}]},`+
			`"scopeSpans":[{"scope":{"name":"t"},"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"ID","name":"train_step","kind":1,`+
			`"startTimeUnixNano":"START000000000","endTimeUnixNano":"END000000000"ATTRS}]}]}]}`) + "\n"
}

func TestTruncatedSpanEntersNoStatistic(t *testing.T) {
	var in strings.Builder
	for i := range 9 {
		in.WriteString(spanLine(i+1, 1, false))
	}
	in.WriteString(spanLine(10, 7200, true))
	code, out, errs := cli(t, in.String(), "report", "--format", "json", "-")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	var r report.Report
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	s := r.Runs[0].SpanStats[0]
	for name, f := range map[string]*float64{"mean": s.Mean, "p50": s.P50, "p95": s.P95, "p99": s.P99, "max": s.Max} {
		if f == nil || *f != 1 {
			t.Errorf("%s = %v, want 1", name, f)
		}
	}
	if s.Count != 9 || s.Total != 9 || s.Truncated != 1 || !s.Few {
		t.Errorf("count %d, total %v, truncated %d, few %v; want 9, 9, 1, true", s.Count, s.Total, s.Truncated, s.Few)
	}
}

// What a recording says it does not hold is missing in the report: --strict fails
// for each kind of it, and the JSON has the numbers.
func TestStrictOnWhatARecordingLacks(t *testing.T) {
	for want, s := range map[string]record.Summary{
		"":                                       {Spans: 3},
		"2 bad records":                          {BadRecords: 2},
		"the end is incomplete":                  {IncompleteTail: true},
		"7 items not in the recording":           {Missing: 7},
		"1 item not in the recording":            {Older: 1},
		"1,234 items not in the recording":       {Older: 1230, Missing: 4},
		"2 files of the recording not there":     {MissingFiles: 2},
		"1 item left out, the end is incomplete": {Rejected: 1, IncompleteTail: true},
	} {
		if got := lost(reportSource(s)); got != want {
			t.Errorf("%+v: %q, want %q", s, got, want)
		}
	}
	dir := filepath.Join(t.TempDir(), "rec")
	for i := range 2 {
		w, err := record.Create(record.Options{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		line := tr(res(0), sp("00000000000000a"+string(rune('1'+i)), "", "train", 0, 1))
		if err := w.Append(context.Background(), run.Traces, 1, run.Receipt{At: 1, Raw: []byte(line), JSON: true}); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, errs := cli(t, "", "report", "--strict", dir); code != exitOK {
		t.Fatalf("exit %d, %s", code, errs)
	}
	if err := os.Remove(filepath.Join(dir, "lensview-000001.rec")); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := cli(t, "", "report", "--strict", dir); code != exitFailed || !strings.Contains(errs, "1 file of the recording not there") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

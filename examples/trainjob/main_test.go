package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	if os.Getenv("TRAINJOB_TEST") != "" {
		if err := run(context.Background(), os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// job runs this binary as the job, with the console exporter, and returns what it
// wrote.
func job(t *testing.T, args []string, env ...string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append([]string{"TRAINJOB_TEST=1", "PATH=" + os.Getenv("PATH"), "CUDA_VISIBLE_DEVICES=0,1,2,3",
		"NEMO_LENS_ENABLED=1", "NEMO_LENS_EXPORTER=console", "TRAINJOB_SPAN_GROUPS=all", "TRAINJOB_LOGS_ENABLED=1"}, env...)
	// A file, opened to append: lines of several processes mix in a pipe.
	out, err := os.OpenFile(filepath.Join(t.TempDir(), "out.jsonl"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = out.Close() }()
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = out, &errs
	if err := cmd.Run(); err != nil || errs.Len() > 0 {
		t.Fatalf("%v: %s", err, &errs)
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// process is what the test looks at of one process.
type process struct {
	resource map[string]any
	spans    map[string]int
	metrics  map[string]int
	logs     int
}

// line is one line of OTLP JSON, as far as the test reads it.
type line struct {
	ResourceSpans []struct {
		Resource   attributes
		ScopeSpans []struct{ Spans []struct{ Name string } }
	}
	ResourceMetrics []struct {
		Resource     attributes
		ScopeMetrics []struct{ Metrics []struct{ Name string } }
	}
	ResourceLogs []struct {
		Resource  attributes
		ScopeLogs []struct{ LogRecords []json.RawMessage }
	}
}

type attributes struct {
	Attributes []struct {
		Key   string
		Value map[string]any
	}
}

// values is the attributes with integers as "int 3", so that types show.
func (a attributes) values() map[string]any {
	all := map[string]any{}
	for _, kv := range a.Attributes {
		for kind, v := range kv.Value {
			all[kv.Key] = v
			if kind == "intValue" {
				all[kv.Key] = fmt.Sprint("int ", v)
			}
		}
	}
	return all
}

// processes reads what a job wrote, by service.instance.id.
func processes(t *testing.T, text string) map[string]*process {
	t.Helper()
	all := map[string]*process{}
	of := func(a attributes) *process {
		values := a.values()
		id := values["service.instance.id"].(string)
		if all[id] == nil {
			all[id] = &process{resource: values, spans: map[string]int{}, metrics: map[string]int{}}
		}
		return all[id]
	}
	for text := range strings.Lines(text) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		for _, r := range l.ResourceSpans {
			for _, s := range r.ScopeSpans {
				for _, span := range s.Spans {
					of(r.Resource).spans[span.Name]++
				}
			}
		}
		for _, r := range l.ResourceMetrics {
			for _, s := range r.ScopeMetrics {
				for _, m := range s.Metrics {
					of(r.Resource).metrics[m.Name]++
				}
			}
		}
		for _, r := range l.ResourceLogs {
			for _, s := range r.ScopeLogs {
				of(r.Resource).logs += len(s.LogRecords)
			}
		}
	}
	return all
}

// TestEightRanks: eight processes with the variables of a launcher are one run of
// eight ranks, each with all its attributes and their types.
func TestEightRanks(t *testing.T) {
	for _, as := range []string{"torchrun", "slurm"} {
		t.Run(as, func(t *testing.T) {
			all := processes(t, job(t, []string{"-launch", "8", "-as", as, "-step", "1ms"}, "NEMO_LENS_EXPORT_STRATEGY=all_ranks"))
			if len(all) != 8 {
				t.Fatalf("processes %v", slices.Collect(maps.Keys(all)))
			}
			runs := map[any]bool{}
			for _, p := range all {
				run := p.resource["nemo.run.id"]
				runs[run] = true
				checkRank(t, as, p, run.(string))
			}
			if len(runs) != 1 {
				t.Errorf("runs %v", runs)
			}
		})
	}
}

func checkRank(t *testing.T, as string, p *process, run string) {
	t.Helper()
	var rank int
	if _, err := fmt.Sscanf(fmt.Sprint(p.resource["nv.dl.rank"]), "int %d", &rank); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"service.name": "nemo", "service.instance.id": fmt.Sprintf("%s-rank%d", run, rank), "host.gpu.count": "int 4",
		"nv.dl.rank": fmt.Sprint("int ", rank), "dl.rank": fmt.Sprint("int ", rank), "nv.dl.world_size": "int 8", "dl.world_size": "int 8",
		"nv.dl.local_rank": fmt.Sprint("int ", rank%4), "dl.local_rank": fmt.Sprint("int ", rank%4), "nv.dl.role": "trainer",
		"nv.dl.topology.size.tp": "int 2", "nv.dl.topology.size.dp": "int 4", "nv.dl.training.config.optimizer": "adam",
	}
	if as == "slurm" {
		maps.Copy(want, map[string]any{
			"slurm.job.id": run, "slurm.job.id.raw": run, "slurm.array.job_id": run, "slurm.array.task_id": "0", "slurm.array.count": "int 1",
			"slurm.job.name": "trainjob", "slurm.cluster.name": "local", "slurm.partition": "all", "slurm.nnodes": "int 2", "slurm.ntasks": "int 8",
			"slurm.nodelist": "node[0-1]", "slurm.restart_count": "int 0",
		})
	}
	got := map[string]any{}
	for key := range want {
		got[key] = p.resource[key]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rank %d: %s", rank, diff)
	}
	for _, key := range []string{"host.name", "process.pid", "service.version", "nv.dl.run.uuid"} {
		if p.resource[key] == nil {
			t.Errorf("rank %d has no %s", rank, key)
		}
	}
	spans := map[string]int{"train": 1, "train.step": 10, "train.forward_backward": 10, "train.optimizer": 10, "train.checkpoint.save": 2}
	if diff := cmp.Diff(spans, p.spans); diff != "" || p.metrics["dl.loss"] == 0 || p.logs != 2 {
		t.Errorf("rank %d: %s, metrics %v, %d logs", rank, diff, p.metrics, p.logs)
	}
}

// TestDefaultStrategy: only the last rank exports.
func TestDefaultStrategy(t *testing.T) {
	all := processes(t, job(t, []string{"-launch", "8", "-step", "1ms", "-iterations", "1"}))
	if len(all) != 1 {
		t.Fatalf("processes %v", slices.Collect(maps.Keys(all)))
	}
	for _, p := range all {
		if p.resource["nv.dl.rank"] != "int 7" {
			t.Errorf("rank %v", p.resource["nv.dl.rank"])
		}
	}
}

// TestSampled: exactly the ranks of the Python library.
func TestSampled(t *testing.T) {
	all := processes(t, job(t, []string{"-launch", "8", "-step", "1ms", "-iterations", "1"}, "NEMO_LENS_EXPORT_STRATEGY=sampled", "TRAINJOB_EXPORT_SAMPLE_RATE=0.1"))
	var ranks []string
	for _, p := range all {
		ranks = append(ranks, fmt.Sprint(p.resource["nv.dl.rank"]))
	}
	slices.Sort(ranks)
	if !slices.Equal(ranks, []string{"int 3", "int 5", "int 6"}) {
		t.Errorf("ranks %v", ranks)
	}
}

func TestMistakes(t *testing.T) {
	for _, args := range [][]string{{"-nonsense"}, {"-launch", "2", "-as", "mpi"}} {
		if err := run(t.Context(), args); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

// TestTrainsWithoutTelemetry: a mistake in its configuration stops no training.
func TestTrainsWithoutTelemetry(t *testing.T) {
	t.Setenv("TRAINJOB_ENABLED", "perhaps")
	if err := run(t.Context(), []string{"-iterations", "1", "-step", "1ms"}); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run(ctx, []string{"-iterations", "1"}); err == nil {
		t.Error("trained on after the end")
	}
}

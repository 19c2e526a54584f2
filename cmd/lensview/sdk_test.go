package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"

	"github.com/beamline-hpc/lensview/internal/ingest"
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/report"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// linesSink writes what is received as OTLP JSON lines.
type linesSink struct {
	mu   sync.Mutex
	file *os.File
}

func (s *linesSink) Put(_ context.Context, b *otlp.Batch, r run.Receipt) (run.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	line, err := otlp.AppendJSON(nil, b.Signal, r.Raw)
	if err == nil {
		_, err = s.file.Write(append(line, '\n'))
	}
	return run.Outcome{}, err
}

// throughReceiver lets a program send to our own receiver, and reports what came.
func throughReceiver(t *testing.T, program func(endpoint telemetry.Option)) report.Report {
	t.Helper()
	return reportOf(t, "--processes", receivedFrom(t, program))
}

// receivedFrom is the file of what a program sends to our own receiver.
func receivedFrom(t *testing.T, program func(endpoint telemetry.Option)) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "received.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	srv, err := ingest.Start(t.Context(), ingest.Config{GRPC: "127.0.0.1:0", HTTP: ingest.Off}, &linesSink{file: f})
	if err != nil {
		t.Fatal(err)
	}
	program(telemetry.WithEndpoint("http://" + srv.Addrs()[0].Addr))
	if err := srv.Stop(context.Background()); err != nil {
		t.Fatal(err)
	}
	return path
}

// variablesOf is a lookup of variables, as "NAME=value" lines.
func variablesOf(lines string) telemetry.Lookup {
	vars := map[string]string{}
	for line := range strings.Lines(lines) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			vars[name] = value
		}
	}
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

// everyVariable is a process of a Slurm job in a Kubernetes pod, which has all that
// detectors look for.
const everyVariable = `
	NEMO_LENS_ENABLED=1
	NEMO_LENS_USER_ID=team
	DEPLOYMENT_ENV=prod
	ENVIRONMENT=BATCH
	WANDB_ENTITY=lab
	WANDB_PROJECT=llm
	CUDA_VISIBLE_DEVICES=0,1,-1,2
	LENS_SLURM_SLUID=s1a
	NV_LAUNCH_ARRAY_SLUID=s1
	SLURMD_NODENAME=gpu07
	SLURM_ARRAY_JOB_ID=900
	SLURM_ARRAY_TASK_ID=007
	SLURM_ARRAY_TASK_COUNT=16
	SLURM_CLUSTER_NAME=cluster-a
	SLURM_JOB_ACCOUNT=acc
	SLURM_JOB_ID=12345
	SLURM_JOB_NAME=pretrain
	SLURM_JOB_NODELIST=gpu[07-08]
	SLURM_JOB_NUM_NODES=2
	SLURM_JOB_PARTITION=batch
	SLURM_JOB_QOS=high
	SLURM_JOB_RESERVATION=res
	SLURM_JOB_USER=ada
	SLURM_NTASKS=64
	SLURM_RESTART_COUNT=2
	SLURM_SEGMENT=8
	SLURM_TOPOLOGY_ADDR=s0.s1.gpu07
	SLURM_TOPOLOGY_ADDR_PATTERN=switch.switch.node
	KUBERNETES_SERVICE_HOST=10.0.0.1
	K8S_NAMESPACE=train
	K8S_POD_NAME=trainer-0
	K8S_POD_UID=0001
	K8S_NODE_NAME=gpu-17
	K8S_CONTAINER_NAME=main
	K8S_JOB_NAME=pretrain-job
`

// everyAttribute is what SEMCONV §6 makes of it: a type and a value for each name.
func everyAttribute() map[string]report.Typed {
	texts := map[string]string{
		"service.name": "nemo", "service.version": telemetry.Version, "service.instance.id": "12345-rank3",
		"nemo.run.id": "12345", "nemo.user.id": "team", "deployment.environment": "prod", "wandb.entity": "lab", "wandb.project": "llm",
		"host.name": "node7", "nv.dl.role": "trainer", "megatron.precision": "bf16",
		"slurm.job.id": "900_007", "slurm.job.id.raw": "12345", "slurm.array.job_id": "900", "slurm.array.task_id": "007",
		"slurm.sluid": "s1a", "slurm.array.sluid": "s1", "slurm.job.name": "pretrain", "slurm.cluster.name": "cluster-a", "slurm.partition": "batch",
		"slurm.nodelist": "gpu[07-08]", "slurm.head_node.name": "gpu07", "slurm.job.user": "ada", "slurm.job.account": "acc", "slurm.job.qos": "high",
		"slurm.job.reservation": "res", "slurm.segment": "8", "slurm.topology.addr": "s0.s1.gpu07", "slurm.topology.addr_pattern": "switch.switch.node",
		"nv.dl.job.uuid": uuidOf("nemo.lens.job/cluster-a/900"), "nv.dl.run.uuid": uuidOf("nemo.lens.run/cluster-a/900"),
		"k8s.namespace.name": "train", "k8s.pod.name": "trainer-0", "k8s.pod.uid": "0001", "k8s.node.name": "gpu-17",
		"k8s.container.name": "main", "k8s.job.name": "pretrain-job",
		"nv.gpu.uuid": "GPU-2", "nv.gpu.pci_bus_id": "00000000:0B:00.0", "nv.gpu.serial": "007", "nv.gpu.model": "H100",
		"nv.gpu.driver_version": "550.54", "nv.gpu.compute_capability": "9.0",
		"telemetry.sdk.name": "opentelemetry", "telemetry.sdk.language": "go", "telemetry.sdk.version": otel.Version(),
	}
	numbers := map[string]float64{
		"process.pid": 42, "host.gpu.count": 2, "slurm.array.count": 16, "slurm.nnodes": 2, "slurm.ntasks": 64, "slurm.restart_count": 2,
		"nv.dl.rank": 3, "nv.dl.world_size": 64, "nv.dl.local_rank": 1, "dl.rank": 3, "dl.world_size": 64, "dl.local_rank": 1,
		"dl.tensor_parallel.size": 4, "dl.pipeline_parallel.size": 2, "dl.data_parallel.size": 8, "megatron.num_layers": 32,
		"nv.gpu.index": 1, "nv.gpu.memory_total": 81559 << 20,
	}
	all := map[string]report.Typed{}
	for key, v := range texts {
		all[key] = report.Typed{Type: "string", Value: v}
	}
	for key, v := range numbers {
		all[key] = report.Typed{Type: "int", Value: v}
	}
	return all
}

// uuidOf is the identity of a name.
func uuidOf(name string) string { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String() }

// seedSetup is the seed's own set-up example: rank, world size and five attributes.
func seedSetup(t *testing.T, endpoint telemetry.Option) {
	t.Helper()
	env := variablesOf(everyVariable)
	cfg, err := telemetry.ConfigFromLookup(env, "MEGATRON_OTEL", "NEMO_LENS")
	if err != nil {
		t.Fatal(err)
	}
	cfg.ExportStrategy = "all_ranks"
	handle, err := telemetry.New(t.Context(), cfg, endpoint,
		telemetry.WithEnv(env), telemetry.WithRank(3, 64), telemetry.WithLocalRank(1), telemetry.WithRole("trainer"), telemetry.WithGPU(),
		telemetry.WithDetection(resources.WithHostname(func() (string, error) { return "node7", nil }), resources.WithPID(42),
			resources.WithRoot(fstest.MapFS{}), resources.WithRunner(twoDevices)),
		telemetry.WithWarnings(func(w telemetry.Warning) { t.Error(w.Text) }),
		telemetry.WithResourceAttributes(
			attribute.Int("dl.tensor_parallel.size", 4), attribute.Int("dl.pipeline_parallel.size", 2), attribute.Int("dl.data_parallel.size", 8),
			attribute.Int("megatron.num_layers", 32), attribute.String("megatron.precision", "bf16")))
	if err != nil {
		t.Fatal(err)
	}
	if err := handle.Do(t.Context(), telemetry.Job, "train", func(context.Context) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if err := handle.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// twoDevices is nvidia-smi on a node of two.
func twoDevices(context.Context, string, ...string) ([]byte, error) {
	return []byte("0, GPU-1, 00000000:07:00.0, 006, H100, 550.54, 81559, 9.0\n1, GPU-2, 00000000:0B:00.0, 007, H100, 550.54, 81559, 9.0\n"), nil
}

// TestSeedSetup: the seed's example, read back through report --processes: every
// attribute that there can be, each with its type, and no other.
func TestSeedSetup(t *testing.T) {
	r := throughReceiver(t, func(endpoint telemetry.Option) { seedSetup(t, endpoint) })
	if len(r.Runs) != 1 || len(r.Runs[0].Processes) != 1 {
		t.Fatalf("runs %+v", r.Runs)
	}
	got := r.Runs[0].Processes[0]
	if diff := cmp.Diff(everyAttribute(), got.Resource); diff != "" {
		t.Errorf("(-want +got) %s", diff)
	}
	if *got.Rank != 3 || *got.Role != "trainer" || *r.Runs[0].WorldSize != 64 || *r.Runs[0].Topology.TP != 4 {
		text, _ := json.Marshal(r.Runs[0])
		t.Errorf("run %s", text)
	}
}

// TestServiceBesideARank: a service that inherits RANK=5 and runs beside the trainer of
// rank 5 is a process of the run, and no rank: the trainer's row stays as it is.
func TestServiceBesideARank(t *testing.T) {
	const inherited = `
		RANK=5
		WORLD_SIZE=8
		LOCAL_RANK=1
		TORCHELASTIC_RUN_ID=job-1
		CUDA_VISIBLE_DEVICES=-1
	`
	program := func(service bool) func(telemetry.Option) {
		return func(endpoint telemetry.Option) {
			work(t, "train_step", endpoint, telemetry.WithEnv(variablesOf(inherited)), telemetry.WithRankFromEnv(), telemetry.WithRole("trainer"))
			if service {
				work(t, "train_step", endpoint, telemetry.WithEnv(variablesOf(inherited)))
			}
		}
	}
	alone, both := throughReceiver(t, program(false)).Runs, throughReceiver(t, program(true)).Runs
	if len(alone) != 1 || len(both) != 1 || len(both[0].Processes) != 2 || both[0].RanksSeen != 1 || *both[0].WorldSize != 8 {
		t.Fatalf("runs %+v and %+v", alone, both)
	}
	row := func(r report.Run) (p report.Process) {
		for _, p = range r.Processes {
			if p.Rank != nil {
				break
			}
		}
		p.First, p.Last = nil, nil
		return p
	}
	if diff := cmp.Diff(row(alone[0]), row(both[0])); diff != "" || *row(both[0]).Rank != 5 || row(both[0]).Sibling {
		t.Errorf("the row of rank 5 differs: %s", diff)
	}
	for _, p := range both[0].Processes {
		if _, ok := p.Resource["nv.dl.rank"]; p.Rank == nil && (ok || p.Spans != 3 || p.Resource["nemo.run.id"].Value != "job-1") {
			t.Errorf("the service is %+v", p)
		}
	}
}

// TestLocalRuns: without Slurm and Kubernetes each program is a run of its own, whose id
// is a UUID by which it is found among the others.
func TestLocalRuns(t *testing.T) {
	path := receivedFrom(t, func(endpoint telemetry.Option) {
		for range 2 {
			work(t, "step", endpoint, telemetry.WithEnv(variablesOf("CUDA_VISIBLE_DEVICES=-1")))
		}
	})
	all := reportOf(t, path).Runs
	if len(all) != 2 || all[0].ID == all[1].ID {
		t.Fatalf("runs %+v", all)
	}
	for _, one := range all {
		if id, err := uuid.Parse(one.ID); err != nil || id.Version() != 4 {
			t.Errorf("run %s: %v", one.ID, err)
		}
		for _, args := range [][]string{{"--run", one.ID}, {"--filter", "nemo.run.id=" + one.ID}} {
			var found []string
			for _, r := range reportOf(t, append(args, path)...).Runs {
				if r.Spans.Kept > 0 && len(r.SpanStats) > 0 {
					found = append(found, r.ID)
				}
			}
			if diff := cmp.Diff([]string{one.ID}, found); diff != "" {
				t.Errorf("%v: %s", args, diff)
			}
		}
	}
}

// work is a program of three steps.
func work(t *testing.T, name string, opts ...telemetry.Option) {
	t.Helper()
	cfg := telemetry.DefaultConfig()
	cfg.Enabled, cfg.ExportStrategy, cfg.SpanGroups = true, "all_ranks", "all"
	h, err := telemetry.New(t.Context(), cfg, append(opts, telemetry.WithDetection(resources.WithPID(42)))...)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		_, span := h.Start(t.Context(), telemetry.Step, name)
		span.Iteration(i).End()
	}
	if err := h.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestConsoleOpens: the viewer reads what the console exporter writes, all of it.
func TestConsoleOpens(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "job.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	cfg := telemetry.DefaultConfig()
	cfg.Enabled, cfg.LogsEnabled, cfg.RunID, cfg.Exporter = true, true, "console-run", "console"
	h, err := telemetry.New(t.Context(), cfg, telemetry.WithConsole(file), telemetry.WithRank(0, 1), telemetry.WithEnv(variablesOf("CUDA_VISIBLE_DEVICES=-1")))
	if err != nil {
		t.Fatal(err)
	}
	counter, _ := h.Meter().Int64Counter("n")
	for range 20 {
		ctx, span := h.Start(t.Context(), telemetry.Job, "job")
		h.Logger().InfoContext(ctx, "two\nlines")
		counter.Add(ctx, 1)
		span.Str("text", "a\nb").End()
	}
	if err := errors.Join(h.Shutdown(t.Context()), file.Close()); err != nil {
		t.Fatal(err)
	}
	r := reportOf(t, "--strict", "--processes", file.Name())
	s := r.Sources[0]
	if r.Runs[0].ID != "console-run" || *r.Runs[0].Processes[0].Rank != 0 || s.Spans != 20 || s.Logs != 20 || s.Points != 1 || s.BadRecords != 0 {
		t.Errorf("source %+v of run %s", s, r.Runs[0].ID)
	}
}

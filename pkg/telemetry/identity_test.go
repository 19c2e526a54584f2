package telemetry_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// resourceOf is the resource of a set-up as Go values.
func resourceOf(t *testing.T, cfg telemetry.Config, opts ...telemetry.Option) map[string]any {
	t.Helper()
	cfg.ExportStrategy, cfg.MetricsEnabled = "all_ranks", false
	base := []telemetry.Option{telemetry.WithSpanExporter(discard{}), telemetry.WithDetection(
		resources.WithPID(42), resources.WithHostname(func() (string, error) { return "node7", nil }))}
	h := newHandle(t, nil, cfg, append(base, opts...)...)
	return resources.FromKeyValues(h.Resource().Attributes()...)
}

// pick is some attributes; those that are absent are absent.
func pick(all map[string]any, keys ...string) map[string]any {
	some := map[string]any{}
	for _, k := range keys {
		if v, ok := all[k]; ok {
			some[k] = v
		}
	}
	return some
}

// TestEverything: each attribute that an exporting process has, with its type.
func TestEverything(t *testing.T) {
	cfg := enabled()
	cfg.RunID, cfg.UserID = "007", "team"
	got := resourceOf(t, cfg, telemetry.WithRank(3, 8), telemetry.WithLocalRank(1), telemetry.WithRole("trainer"),
		telemetry.WithEnv(env("ENVIRONMENT=staging", "WANDB_ENTITY=me", "WANDB_PROJECT=p", "CUDA_VISIBLE_DEVICES=0,1")),
		telemetry.WithResourceAttributes(
			attribute.Int("dl.tensor_parallel.size", 4), attribute.Int("dl.pipeline_parallel.size", 2),
			attribute.Int("dl.data_parallel.size", 8), attribute.Int("megatron.num_layers", 32), attribute.String("megatron.precision", "bf16")))
	want := map[string]any{
		"service.name": "nemo", "service.version": telemetry.Version, "service.instance.id": "007-rank3",
		"nemo.run.id": "007", "nemo.user.id": "team", "deployment.environment": "staging",
		"wandb.entity": "me", "wandb.project": "p", "host.name": "node7", "process.pid": int64(42), "host.gpu.count": int64(2),
		"nv.dl.rank": int64(3), "nv.dl.world_size": int64(8), "nv.dl.local_rank": int64(1), "nv.dl.role": "trainer",
		"dl.rank": int64(3), "dl.world_size": int64(8), "dl.local_rank": int64(1),
		"nv.dl.run.uuid":          "nemo.lens.run/local/007/te0",
		"dl.tensor_parallel.size": int64(4), "dl.pipeline_parallel.size": int64(2), "dl.data_parallel.size": int64(8),
		"megatron.num_layers": int64(32), "megatron.precision": "bf16",
		"telemetry.sdk.name": "opentelemetry", "telemetry.sdk.language": "go", "telemetry.sdk.version": otel.Version(),
	}
	want["nv.dl.run.uuid"] = resources.RunUUID(resources.WithLookup(env()), resources.WithRunID("007"))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestPrecedence is the table of CASES: explicit, variable, carrier, detected.
func TestPrecedence(t *testing.T) {
	const name, carrier = "OTEL_SERVICE_NAME=a", "OTEL_RESOURCE_ATTRIBUTES=service.name=b,team=x+y"
	tests := []struct {
		name    string
		env     []string
		cfg     string
		opts    []telemetry.Option
		key     string
		want    any
		without bool
	}{
		{name: "variable before carrier", env: []string{name, carrier}, key: "service.name", want: "a"},
		{name: "carrier", env: []string{carrier}, key: "service.name", want: "b"},
		{name: "default", key: "service.name", want: "nemo"},
		{name: "explicit before both", env: []string{name, carrier}, cfg: "c", key: "service.name", want: "c"},
		{name: "explicit attribute", env: []string{name, carrier}, opts: []telemetry.Option{
			telemetry.WithResourceAttributes(attribute.String("service.name", "c"))}, key: "service.name", want: "c"},
		{name: "explicit host", opts: []telemetry.Option{
			telemetry.WithResourceAttributes(attribute.String("host.name", "x"))}, key: "host.name", want: "x"},
		{name: "carrier before detected", env: []string{"OTEL_RESOURCE_ATTRIBUTES=host.name=y"}, key: "host.name", want: "y"},
		{name: "plus is plus", env: []string{carrier}, key: "team", want: "x+y"},
		{name: "integer in the carrier", env: []string{"OTEL_RESOURCE_ATTRIBUTES=nv.dl.topology.size.tp=4"}, key: "nv.dl.topology.size.tp", want: int64(4)},
		{name: "job of the carrier before all", env: []string{"OTEL_RESOURCE_ATTRIBUTES=slurm.job.name=real"}, opts: []telemetry.Option{
			telemetry.WithResourceAttributes(attribute.String("slurm.job.name", "mine"))}, key: "slurm.job.name", want: "real"},
		{name: "text for an integer", opts: []telemetry.Option{
			telemetry.WithResourceAttributes(attribute.String("nv.dl.topology.size.tp", " +04 "))}, key: "nv.dl.topology.size.tp", want: int64(4)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg := enabled()
			cfg.ServiceName = tt.cfg
			got := resourceOf(t, cfg, append(tt.opts, telemetry.WithEnv(env(tt.env...)))...)
			if got[tt.key] != tt.want {
				t.Errorf("%s is %v, want %v", tt.key, got[tt.key], tt.want)
			}
		})
	}
}

// TestRankFromEnv is the table of mixed environments.
func TestRankFromEnv(t *testing.T) {
	tests := []struct {
		name string
		env  []string
		want string // rank of world, "" for none
		err  string
	}{
		{"allocation without a step", []string{"SLURM_JOB_ID=77", "SLURM_JOB_NAME=interactive", "SLURM_NTASKS=8"}, "", ""},
		{"torchrun in one task", []string{"RANK=5", "WORLD_SIZE=8", "LOCAL_RANK=1", "SLURM_PROCID=0", "SLURM_NTASKS=1"}, "5 of 8, 1", ""},
		{"step", []string{"SLURM_JOB_ID=77", "SLURM_PROCID=3", "SLURM_STEP_ID=42", "SLURM_NTASKS=8", "SLURM_STEP_NUM_TASKS=4"}, "3 of 4", ""},
		{"empty", []string{"RANK="}, "", ""},
		{"nonsense", []string{"RANK=x", "WORLD_SIZE=2"}, "", "RANK"},
		{"nothing", nil, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			opts := []telemetry.Option{telemetry.WithEnv(env(tt.env...)), telemetry.WithRankFromEnv()}
			if tt.err != "" {
				if _, err := telemetry.New(t.Context(), enabled(), opts...); err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v", err)
				}
				return
			}
			checkRank(t, resourceOf(t, enabled(), opts...), tt.want)
		})
	}
}

func checkRank(t *testing.T, attrs map[string]any, want string) {
	t.Helper()
	got := ""
	if rank, ok := attrs[semconv.NVDLRank]; ok {
		got = fmt.Sprintf("%d of %d", rank, attrs[semconv.NVDLWorldSize])
		if local, ok := attrs[semconv.NVDLLocalRank]; ok {
			got += fmt.Sprintf(", %d", local)
		}
	}
	if got != want {
		t.Errorf("rank %q, want %q", got, want)
	}
	for newest, older := range map[string]string{
		semconv.NVDLRank: semconv.DLRank, semconv.NVDLWorldSize: semconv.DLWorldSize, semconv.NVDLLocalRank: semconv.DLLocalRank,
	} {
		if attrs[newest] != attrs[older] {
			t.Errorf("%s is %v and %s is %v", newest, attrs[newest], older, attrs[older])
		}
	}
}

// TestNotAsked: a service beside rank 5 inherits its variables and is not rank 5.
func TestNotAsked(t *testing.T) {
	got := resourceOf(t, enabled(), telemetry.WithRole("dataloader"), telemetry.WithEnv(env("RANK=5", "WORLD_SIZE=8", "LOCAL_RANK=5")))
	checkRank(t, got, "")
	if id := got["service.instance.id"].(string); !regexp.MustCompile(`^[0-9a-f-]{36}$`).MatchString(id) || got[semconv.NVDLRole] != "dataloader" {
		t.Errorf("instance %s, role %v", id, got[semconv.NVDLRole])
	}
}

func TestRoles(t *testing.T) {
	tests := []struct {
		name     string
		env      []string
		role     string
		instance string
		want     any
	}{
		{"none", nil, "", "r-rank1", nil},
		{"trainer", nil, "trainer", "r-rank1", "trainer"},
		{"other", nil, "generation", "r-generation-rank1", "generation"},
		{"of the carrier", []string{"OTEL_RESOURCE_ATTRIBUTES=nv.dl.role=policy"}, "", "r-policy-rank1", "policy"},
		{"given before it", []string{"OTEL_RESOURCE_ATTRIBUTES=nv.dl.role=policy"}, "reward", "r-reward-rank1", "reward"},
	}
	for _, tt := range tests {
		got := resourceOf(t, enabled(), telemetry.WithRank(1, 2), telemetry.WithRole(tt.role), telemetry.WithEnv(env(tt.env...)))
		if got["service.instance.id"] != tt.instance || got[semconv.NVDLRole] != tt.want {
			t.Errorf("%s: instance %v, role %v", tt.name, got["service.instance.id"], got[semconv.NVDLRole])
		}
	}
}

// TestOlderNames: an option leaves them out, and those of a carrier with them.
func TestOlderNames(t *testing.T) {
	keys := []string{semconv.NVDLRank, semconv.DLRank, semconv.DLWorldSize, semconv.DLLocalRank}
	carrier := env("OTEL_RESOURCE_ATTRIBUTES=dl.rank=7,dl.world_size=9,dl.local_rank=7")
	got := resourceOf(t, enabled(), telemetry.WithRank(1, 2), telemetry.WithoutOlderNames(), telemetry.WithEnv(carrier))
	if diff := cmp.Diff(map[string]any{semconv.NVDLRank: int64(1)}, pick(got, keys...)); diff != "" {
		t.Error(diff)
	}
	got = resourceOf(t, enabled(), telemetry.WithEnv(carrier))
	if got[semconv.DLRank] != "7" && got[semconv.DLRank] != int64(7) {
		t.Errorf("the carrier's rank of a process that gives none: %v", got[semconv.DLRank])
	}
}

func TestRanksThatCannotBe(t *testing.T) {
	for _, opts := range [][]telemetry.Option{
		{telemetry.WithRank(-1, 8)}, {telemetry.WithRank(8, 8)}, {telemetry.WithRank(0, 0)}, {telemetry.WithRank(0, 1), telemetry.WithLocalRank(-1)},
	} {
		if _, err := telemetry.New(t.Context(), enabled(), append(opts, telemetry.WithEnv(env()))...); err == nil || !strings.Contains(err.Error(), "rank") {
			t.Errorf("error %v", err)
		}
	}
}

// TestRunID: the order of its sources, and one warning where ranks share nothing.
func TestRunID(t *testing.T) {
	tests := []struct {
		name     string
		env      []string
		run      string
		opts     []telemetry.Option
		want     string
		warnings int
	}{
		{"given", []string{"SLURM_JOB_ID=5"}, "g", nil, "g", 0},
		{"attribute", nil, "g", []telemetry.Option{telemetry.WithResourceAttributes(attribute.String("nemo.run.id", "a"))}, "a", 0},
		{"carrier", []string{"SLURM_JOB_ID=5", "OTEL_RESOURCE_ATTRIBUTES=nemo.run.id=007"}, "", nil, "007", 0},
		{"slurm", []string{"SLURM_JOB_ID=5", "TORCHELASTIC_RUN_ID=t"}, "", nil, "5", 0},
		{"torchrun", []string{"TORCHELASTIC_RUN_ID=t"}, "", nil, "t", 0},
		{"nothing shared", []string{"TORCHELASTIC_RUN_ID=none"}, "", nil, "", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var w told
			cfg := enabled()
			cfg.RunID = tt.run
			got := resourceOf(t, cfg, append(tt.opts, telemetry.WithEnv(env(tt.env...)), telemetry.WithRank(0, 2), w.option())...)
			id, _ := got["nemo.run.id"].(string)
			if tt.want != "" && id != tt.want || len(id) == 0 || got["service.instance.id"] != id+"-rank0" {
				t.Errorf("run %q, instance %v", id, got["service.instance.id"])
			}
			if n := w.with("nemo.run.id", "share no run id"); n != tt.warnings {
				t.Errorf("warnings %v", w.texts())
			}
			if _, attempt := got["nv.dl.run.uuid"]; attempt == (tt.warnings > 0) {
				t.Errorf("attempt %v", got["nv.dl.run.uuid"])
			}
		})
	}
	var w told
	cfg := enabled()
	cfg.RunID = ""
	if got := resourceOf(t, cfg, w.option()); got["nemo.run.id"] == "" || len(w.texts()) != 0 {
		t.Errorf("alone: %v, %v", got["nemo.run.id"], w.texts())
	}
}

// detector finds something and fails.
type detector struct{}

func (detector) Detect(context.Context) (*resource.Resource, error) {
	return resource.NewWithAttributes("https://opentelemetry.io/schemas/1.20.0", attribute.String("found", "yes"), attribute.String("host.name", "theirs")),
		fmt.Errorf("%w: a part is missing", resource.ErrPartialResource)
}

// TestOtherResources: schema URLs that differ and detectors that fail stop nothing
// and lose nothing.
func TestOtherResources(t *testing.T) {
	var w told
	got := resourceOf(t, enabled(), w.option(),
		telemetry.WithResource(resource.NewWithAttributes("https://opentelemetry.io/schemas/1.26.0", attribute.String("mine", "yes"), attribute.StringSlice("list", []string{"a"}))),
		telemetry.WithDetectors(detector{}))
	if got["mine"] != "yes" || got["found"] != "yes" || got["host.name"] != "theirs" {
		t.Errorf("%v", got)
	}
	if v, ok := got["list"].(attribute.Value); !ok || len(v.AsStringSlice()) != 1 {
		t.Errorf("list %v", got["list"])
	}
	if w.with("1.26.0") != 1 || w.with("a part is missing") != 1 || len(w.texts()) != 2 {
		t.Errorf("warnings %v", w.texts())
	}
}

// TestCarrierWithMistakes: the good pairs count, each bad one is told once, and none
// of it comes back by way of the SDK, which reads the variable too.
func TestCarrierWithMistakes(t *testing.T) {
	const carrier = "a=1,bad,k=%ZZ,b=2,slurm.nnodes=many,nv.dl.topology.size.tp=x"
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", carrier)
	b, w := newBackend(t), told{}
	h := setup(t, b, enabled(), w.option(), telemetry.WithEnv(env("OTEL_RESOURCE_ATTRIBUTES="+carrier)))
	_, s := h.Start(t.Context(), telemetry.Job, "job")
	s.End()
	if err := h.ForceFlush(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := b.resource(t)
	want := map[string]any{"a": "1", "b": "2", "nv.dl.topology.size.tp": "x"}
	if diff := cmp.Diff(want, pick(got, "a", "b", "k", "bad", "slurm.nnodes", "nv.dl.topology.size.tp")); diff != "" {
		t.Error(diff)
	}
	if w.with("slurm.nnodes") != 1 || w.with("nv.dl.topology.size.tp") != 1 {
		t.Errorf("warnings %v", w.texts())
	}
}

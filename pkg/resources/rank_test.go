package resources_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// step is the variables of one task of a Slurm step.
func step(lines ...string) []string {
	return append([]string{"SLURM_JOB_ID=77", "SLURM_STEP_ID=42", "SLURM_NTASKS=8", "SLURM_PROCID=3", "SLURM_STEP_NUM_TASKS=4"}, lines...)
}

// TestRankFromEnv begins with row 47 of the cases.
func TestRankFromEnv(t *testing.T) {
	for _, c := range []struct {
		why  string
		env  []string
		want resources.Rank
		none bool
	}{
		{"(a) an allocation without a step", []string{"SLURM_JOB_ID=77", "SLURM_JOB_NAME=interactive", "SLURM_NTASKS=8"}, resources.Rank{}, true},
		{"(b) torchrun inside one task", []string{"RANK=5", "WORLD_SIZE=8", "LOCAL_RANK=1", "SLURM_PROCID=0", "SLURM_NTASKS=1"},
			resources.Rank{Rank: 5, WorldSize: 8, LocalRank: 1, HasLocalRank: true}, false},
		{"(c) a step smaller than its job", step(), resources.Rank{Rank: 3, WorldSize: 4}, false},
		{"(d) empty is unset", []string{"RANK=", "WORLD_SIZE=8"}, resources.Rank{}, true},
		{"and falls back", step("RANK= "), resources.Rank{Rank: 3, WorldSize: 4}, false},
		{"nothing at all", nil, resources.Rank{}, true},
		{"a batch script has a SLURM_PROCID", []string{"SLURM_JOB_ID=77", "SLURM_PROCID=0", "SLURM_LOCALID=0", "SLURM_NTASKS=8"}, resources.Rank{}, true},
		{"and newer Slurm a step id for it", []string{"SLURM_JOB_ID=77", "SLURM_STEP_ID=4294967291", "SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=1"}, resources.Rank{}, true},
		{"as for an interactive shell", []string{"SLURM_STEP_ID=4294967290", "SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=1"}, resources.Rank{}, true},
		{"the older name of the step", []string{"SLURM_STEPID=0", "SLURM_PROCID=1", "SLURM_STEP_NUM_TASKS=2", "SLURM_LOCALID=1"},
			resources.Rank{Rank: 1, WorldSize: 2, LocalRank: 1, HasLocalRank: true}, false},
		{"a step without SLURM_PROCID", []string{"SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=2"}, resources.Rank{}, true},
		{"LOCAL_RANK before SLURM_LOCALID", step("LOCAL_RANK=2", "SLURM_LOCALID=0"),
			resources.Rank{Rank: 3, WorldSize: 4, LocalRank: 2, HasLocalRank: true}, false},
		{"a wrapper that sets RANK in a step", step("RANK=1", "WORLD_SIZE=2", "SLURM_LOCALID=1"),
			resources.Rank{Rank: 1, WorldSize: 2, LocalRank: 1, HasLocalRank: true}, false},
		{"the batch script's SLURM_LOCALID is nobody's", []string{"RANK=1", "WORLD_SIZE=2", "SLURM_LOCALID=0", "SLURM_PROCID=0"},
			resources.Rank{Rank: 1, WorldSize: 2}, false},
		{"blanks and zeros", []string{"RANK= 007 ", "WORLD_SIZE=08"}, resources.Rank{Rank: 7, WorldSize: 8}, false},
		{"the role travels in the carrier", []string{"RANK=0", "WORLD_SIZE=1", "OTEL_RESOURCE_ATTRIBUTES=nv.dl.role=trainer,nv.dl.rank=5"},
			resources.Rank{WorldSize: 1, Role: "trainer"}, false},
	} {
		got, ok, err := resources.RankFromEnv(variables(c.env...))
		if diff := cmp.Diff(c.want, got); diff != "" || ok == c.none || err != nil {
			t.Errorf("%s: %v, %v (-want +got)\n%s", c.why, ok, err, diff)
		}
	}
}

// TestRankFromEnvErrors: never a silent rank 0.
func TestRankFromEnvErrors(t *testing.T) {
	for _, c := range []struct {
		names string
		env   []string
	}{
		{"RANK", []string{"RANK=x", "WORLD_SIZE=8"}}, // (e)
		{"RANK", step("RANK=x", "WORLD_SIZE=8")},     // not hidden by the step
		{"RANK", []string{"RANK=-1", "WORLD_SIZE=8"}},
		{"RANK", []string{"RANK=1.0", "WORLD_SIZE=8"}},
		{"RANK", []string{"RANK=99999999999", "WORLD_SIZE=8"}},
		{"WORLD_SIZE", []string{"RANK=0", "WORLD_SIZE=eight"}},
		{"WORLD_SIZE", []string{"RANK=0"}},
		{"WORLD_SIZE", []string{"RANK=0", "WORLD_SIZE=0"}},
		{"WORLD_SIZE", []string{"RANK=8", "WORLD_SIZE=8"}},
		{"LOCAL_RANK", []string{"RANK=0", "WORLD_SIZE=8", "LOCAL_RANK=a"}},
		{"SLURM_PROCID", []string{"SLURM_STEP_ID=0", "SLURM_PROCID=x", "SLURM_STEP_NUM_TASKS=4"}},
		{"SLURM_STEP_NUM_TASKS", []string{"SLURM_STEP_ID=0", "SLURM_PROCID=0", "SLURM_NTASKS=8"}},
		{"SLURM_STEP_NUM_TASKS", []string{"SLURM_STEP_ID=0", "SLURM_PROCID=4", "SLURM_STEP_NUM_TASKS=4", "SLURM_NTASKS=8"}},
		{"SLURM_LOCALID", step("SLURM_LOCALID=-2")},
	} {
		_, ok, err := resources.RankFromEnv(variables(c.env...))
		wantError(t, err, c.names)
		if ok {
			t.Errorf("%v: a rank all the same", c.env)
		}
		if got, err := resources.DetectRank(t.Context(), variables(c.env...)); err == nil || len(got.Attributes) > 0 {
			t.Errorf("%v: the detector says %v, %v", c.env, got.Attributes, err)
		}
	}
}

func TestLocalRankFromEnv(t *testing.T) {
	for _, c := range []struct {
		env  []string
		want int
		ok   bool
	}{
		{nil, 0, false},
		{[]string{"LOCAL_RANK=3", "SLURM_LOCALID=1"}, 3, true},
		{[]string{"LOCAL_RANK=", "SLURM_LOCALID=1"}, 1, true},
		{[]string{"SLURM_LOCALID=0"}, 0, true},
	} {
		got, ok, err := resources.LocalRankFromEnv(variables(c.env...))
		if got != c.want || ok != c.ok || err != nil {
			t.Errorf("%v: %d, %v, %v", c.env, got, ok, err)
		}
	}
	_, ok, err := resources.LocalRankFromEnv(variables("LOCAL_RANK=first", "SLURM_LOCALID=0"))
	if wantError(t, err, "LOCAL_RANK"); ok {
		t.Error("a bad LOCAL_RANK must not be replaced in silence")
	}
}

func TestRankAttributes(t *testing.T) {
	whole := resources.Rank{Rank: 0, WorldSize: 8, LocalRank: 0, HasLocalRank: true, Role: "worker"}
	newest := map[string]any{semconv.NVDLRank: int64(0), semconv.NVDLWorldSize: int64(8), semconv.NVDLLocalRank: int64(0), semconv.NVDLRole: "worker"}
	older := map[string]any{semconv.DLRank: int64(0), semconv.DLWorldSize: int64(8), semconv.DLLocalRank: int64(0)}
	for _, c := range []struct {
		got, want map[string]any
	}{
		{whole.Attributes(), semconv.Compose(newest, older, nil)},
		{whole.Attributes(resources.WithoutOlderNames()), newest},
		{resources.Rank{Rank: 1}.Attributes(), map[string]any{semconv.NVDLRank: int64(1), semconv.DLRank: int64(1)}},
	} {
		if diff := cmp.Diff(c.want, c.got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	}
}

func TestDetectRank(t *testing.T) {
	if got := found(t, resources.DetectRank, variables("SLURM_JOB_ID=7", "SLURM_PROCID=0")); len(got.Attributes) > 0 {
		t.Errorf("a batch script is rank %v", got.Attributes)
	}
	got := found(t, resources.DetectRank, variables(step()...), resources.WithoutOlderNames())
	want := map[string]any{semconv.NVDLRank: int64(3), semconv.NVDLWorldSize: int64(4)}
	if diff := cmp.Diff(want, got.Attributes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestInstanceID(t *testing.T) {
	for role, want := range map[string]string{"": "r-rank5", "trainer": "r-rank5", "checkpoint": "r-checkpoint-rank5"} {
		if got := (resources.Rank{Rank: 5, Role: role}).InstanceID("r"); got != want {
			t.Errorf("role %q: %q, want %q", role, got, want)
		}
	}
}

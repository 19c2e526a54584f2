package resources_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// of is the UUID of a name, by the library alone.
func of(name string) string { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String() }

// TestKnownIdentities are answers of the Python library.
func TestKnownIdentities(t *testing.T) {
	job := variables("SLURM_CLUSTER_NAME=cluster-a", "SLURM_JOB_ID=12345")
	for _, c := range []struct{ got, want string }{
		{resources.JobUUID(job), "be34ba0f-41ed-5d53-84c1-e3f3dd25bfd7"},
		{resources.RunUUID(job), "1a280c0a-71d2-54bd-bd00-fa82efd94290"},
		{resources.RunUUID(variables(), resources.WithRunID("local-1")), "b7bfb81b-f66c-50d8-a79e-8a703cdad745"},
		{resources.RunUUID(variables("TORCHELASTIC_RUN_ID=local-1")), "b7bfb81b-f66c-50d8-a79e-8a703cdad745"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func TestIdentities(t *testing.T) {
	for _, c := range []struct {
		why      string
		env      []string
		job, run string
	}{
		{"no cluster", []string{"SLURM_JOB_ID=7"}, "nemo.lens.job/nocluster/7", "nemo.lens.run/nocluster/7/sr0"},
		{"an empty cluster is none", []string{"SLURM_JOB_ID=7", "SLURM_CLUSTER_NAME="}, "nemo.lens.job/nocluster/7", "nemo.lens.run/nocluster/7/sr0"},
		{"a requeue is a new attempt of one job", []string{"SLURM_CLUSTER_NAME=c", "SLURM_JOB_ID=7", "SLURM_RESTART_COUNT=2"},
			"nemo.lens.job/c/7", "nemo.lens.run/c/7/sr2"},
		{"so is a restart by torchrun", []string{"SLURM_CLUSTER_NAME=c", "SLURM_JOB_ID=7", "TORCHELASTIC_RESTART_COUNT=1"},
			"nemo.lens.job/c/7", "nemo.lens.run/c/7/sr0/te1"},
		{"torchrun's 0 is said when it is said", []string{"SLURM_CLUSTER_NAME=c", "SLURM_JOB_ID=7", "TORCHELASTIC_RESTART_COUNT=0"},
			"nemo.lens.job/c/7", "nemo.lens.run/c/7/sr0/te0"},
		{"and not when it is empty", []string{"SLURM_CLUSTER_NAME=c", "SLURM_JOB_ID=7", "TORCHELASTIC_RESTART_COUNT="},
			"nemo.lens.job/c/7", "nemo.lens.run/c/7/sr0"},
		{"an array has its base id, and no requeue count",
			[]string{"SLURM_CLUSTER_NAME=c", "SLURM_JOB_ID=9", "SLURM_ARRAY_JOB_ID=7", "SLURM_ARRAY_TASK_ID=2", "SLURM_RESTART_COUNT=1"},
			"nemo.lens.job/c/7", "nemo.lens.run/c/7"},
		{"an array restarted by torchrun",
			[]string{"SLURM_CLUSTER_NAME=c", "SLURM_JOB_ID=9", "SLURM_ARRAY_JOB_ID=7", "SLURM_ARRAY_TASK_ID=0", "TORCHELASTIC_RESTART_COUNT=3"},
			"nemo.lens.job/c/7", "nemo.lens.run/c/7/te3"},
		{"a heterogeneous job has its leader's id",
			[]string{"SLURM_CLUSTER_NAME=c", "SLURM_JOB_ID=8", "SLURM_HET_SIZE=2", "SLURM_JOB_ID_HET_GROUP_0=7", "SLURM_JOB_ID_HET_GROUP_1=8"},
			"nemo.lens.job/c/7", "nemo.lens.run/c/7/sr0"},
		{"the group's id alone makes none heterogeneous",
			[]string{"SLURM_CLUSTER_NAME=c", "SLURM_JOB_ID=8", "SLURM_JOB_ID_HET_GROUP_0=7"}, "nemo.lens.job/c/8", "nemo.lens.run/c/8/sr0"},
		{"torchrun's default id is shared by all runs", []string{"TORCHELASTIC_RUN_ID=none", "TORCHELASTIC_RESTART_COUNT=1"}, "", ""},
		{"nor does it name one in a job", []string{"TORCHELASTIC_RUN_ID=r", "SLURM_JOB_ID=7"}, "nemo.lens.job/nocluster/7", "nemo.lens.run/nocluster/7/sr0"},
		{"torchrun outside of a job", []string{"TORCHELASTIC_RUN_ID=r", "TORCHELASTIC_RESTART_COUNT=1"}, "", "nemo.lens.run/local/r/te1"},
		{"the carrier's run id", []string{"TORCHELASTIC_RUN_ID=r", "OTEL_RESOURCE_ATTRIBUTES=nemo.run.id=q"}, "", "nemo.lens.run/local/q/te0"},
		{"nothing at all", nil, "", ""},
	} {
		want := [2]string{}
		if c.job != "" {
			want[0] = of(c.job)
		}
		if c.run != "" {
			want[1] = of(c.run)
		}
		env := variables(c.env...)
		if got := [2]string{resources.JobUUID(env), resources.RunUUID(env)}; got != want {
			t.Errorf("%s: %v, want %v", c.why, got, want)
		}
	}
}

func TestDetectAttempt(t *testing.T) {
	got := found(t, resources.DetectAttempt, variables("SLURM_CLUSTER_NAME=c", "SLURM_JOB_ID=7",
		"OTEL_RESOURCE_ATTRIBUTES=nv.dl.run.uuid=from-the-launcher,nv.dl.job.uuid="))
	want := map[string]any{semconv.NVDLRunUUID: "from-the-launcher", semconv.NVDLJobUUID: of("nemo.lens.job/c/7")}
	if diff := cmp.Diff(want, got.Attributes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := found(t, resources.DetectAttempt, variables()); len(got.Attributes) > 0 {
		t.Errorf("from nothing: %v", got.Attributes)
	}
}

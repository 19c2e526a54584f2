package resources_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// recorded is the variables in a file, one a line.
func recorded(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}

// place is what a process knows of itself from the variables of its job.
type place struct {
	Job, RunID string
	Rank       resources.Rank
	IsRank     bool
	Job5, Run5 string // the names behind the UUIDs
	NTasks     any
	HeadNode   any
	Nodes      string
}

func placeOf(t *testing.T, env []string) place {
	t.Helper()
	opt := variables(env...)
	slurm := found(t, resources.DetectSlurm, opt)
	wantWarnings(t, slurm.Warnings)
	rank, isRank, err := resources.RankFromEnv(opt)
	if err != nil {
		t.Fatal(err)
	}
	list, _ := slurm.Attributes[semconv.SlurmNodelist].(string)
	nodes, err := resources.ExpandNodeList(list)
	if err != nil {
		t.Fatal(err)
	}
	job, _ := slurm.Attributes[semconv.SlurmJobID].(string)
	return place{
		Job: job, RunID: resources.RunIDFromEnv(opt).ID, Rank: rank, IsRank: isRank,
		Job5: slurm.Attributes[semconv.NVDLJobUUID].(string), Run5: slurm.Attributes[semconv.NVDLRunUUID].(string),
		NTasks: slurm.Attributes[semconv.SlurmNTasks], HeadNode: slurm.Attributes[semconv.SlurmHeadNodeName], Nodes: strings.Join(nodes, " "),
	}
}

func local(rank, world, localRank int) resources.Rank {
	return resources.Rank{Rank: rank, WorldSize: world, LocalRank: localRank, HasLocalRank: true}
}

// TestRecordedJobs reads the variables of a real one-node Slurm.
func TestRecordedJobs(t *testing.T) {
	const dir = "../../../shared/data/slurm-env"
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no recordings: %v", err)
	}
	job6, run6 := of("nemo.lens.job/trial/6"), func(restart string) string { return of("nemo.lens.run/trial/6/sr" + restart) }
	for file, want := range map[string]place{
		"array-task2":               {Job: "3_2", RunID: "3", Job5: of("nemo.lens.job/trial/3"), Run5: of("nemo.lens.run/trial/3"), Nodes: "vm"},
		"batch-script-restart0":     {Job: "6", RunID: "6", Job5: job6, Run5: run6("0"), NTasks: int64(2), Nodes: "vm"},
		"batch-script-restart1":     {Job: "6", RunID: "6", Job5: job6, Run5: run6("1"), NTasks: int64(2), Nodes: "vm"},
		"batch-step-task0-restart0": {Job: "6", RunID: "6", Job5: job6, Run5: run6("0"), NTasks: int64(2), Nodes: "vm", Rank: local(0, 2, 0), IsRank: true},
		"batch-step-task1-restart0": {Job: "6", RunID: "6", Job5: job6, Run5: run6("0"), NTasks: int64(2), Nodes: "vm", Rank: local(1, 2, 1), IsRank: true},
		"batch-step-task0-restart1": {Job: "6", RunID: "6", Job5: job6, Run5: run6("1"), NTasks: int64(2), Nodes: "vm", Rank: local(0, 2, 0), IsRank: true},
		"batch-step-task1-restart1": {Job: "6", RunID: "6", Job5: job6, Run5: run6("1"), NTasks: int64(2), Nodes: "vm", Rank: local(1, 2, 1), IsRank: true},
		"salloc-shell":              {Job: "7", RunID: "7", Job5: of("nemo.lens.job/trial/7"), Run5: of("nemo.lens.run/trial/7/sr0"), NTasks: int64(1), Nodes: "vm"},
		"srun-task0":                {Job: "5", RunID: "5", Job5: of("nemo.lens.job/trial/5"), Run5: of("nemo.lens.run/trial/5/sr0"), NTasks: int64(4), Nodes: "vm", Rank: local(0, 4, 0), IsRank: true},
		"srun-task3":                {Job: "5", RunID: "5", Job5: of("nemo.lens.job/trial/5"), Run5: of("nemo.lens.run/trial/5/sr0"), NTasks: int64(4), Nodes: "vm", Rank: local(3, 4, 3), IsRank: true},
	} {
		got := placeOf(t, recorded(t, filepath.Join(dir, file+".txt")))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", file, diff)
		}
	}
}

// TestMadeJobs is the same for what the recordings do not have: steps of an array and
// a requeued job with the node's name, from a real Slurm too, and two of our making.
func TestMadeJobs(t *testing.T) {
	for file, want := range map[string]place{
		"het-step": {Job: "100", RunID: "100", Job5: of("nemo.lens.job/lab/100"), Run5: of("nemo.lens.run/lab/100/sr0"),
			NTasks: int64(5), Nodes: "cpu1", Rank: local(4, 5, 0), IsRank: true},
		"slurm-array-step": {Job: "16_2", RunID: "16", Job5: of("nemo.lens.job/trial/16"), Run5: of("nemo.lens.run/trial/16"),
			NTasks: int64(2), Nodes: "vm", Rank: local(1, 2, 1), IsRank: true},
		"slurm-requeued-script": {Job: "15", RunID: "15", Job5: of("nemo.lens.job/trial/15"), Run5: of("nemo.lens.run/trial/15/sr1"),
			NTasks: int64(2), HeadNode: "vm", Nodes: "vm"},
		"slurm-requeued-step": {Job: "15", RunID: "15", Job5: of("nemo.lens.job/trial/15"), Run5: of("nemo.lens.run/trial/15/sr1"),
			NTasks: int64(2), Nodes: "vm", Rank: local(1, 2, 1), IsRank: true},
		"requeued-batch": {Job: "41", RunID: "41", Job5: of("nemo.lens.job/lab/41"), Run5: of("nemo.lens.run/lab/41/sr1"),
			NTasks: int64(16), HeadNode: "gpu01", Nodes: "gpu01 gpu02"},
	} {
		got := placeOf(t, recorded(t, filepath.Join("testdata", file+".txt")))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", file, diff)
		}
	}
}

// TestRestartsAreAttempts: a requeue keeps run and job, and is another attempt; the
// tasks of one step share all three.
func TestRestartsAreAttempts(t *testing.T) {
	first := recorded(t, "testdata/requeued-batch.txt")
	again := append(recorded(t, "testdata/requeued-batch.txt"), "SLURM_RESTART_COUNT=2")
	task := append(recorded(t, "testdata/requeued-batch.txt"), "SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=16", "SLURM_PROCID=9")
	a, b, c := placeOf(t, first), placeOf(t, again), placeOf(t, task)
	if a.RunID != b.RunID || a.Job5 != b.Job5 || a.Run5 == b.Run5 {
		t.Errorf("%+v and %+v, want two attempts of one run", a, b)
	}
	if a.RunID != c.RunID || a.Job5 != c.Job5 || a.Run5 != c.Run5 {
		t.Errorf("%+v and %+v, want one attempt", a, c)
	}
	if a.IsRank || !c.IsRank || c.HeadNode != nil {
		t.Errorf("%+v is a script, %+v is rank 9", a, c)
	}
}

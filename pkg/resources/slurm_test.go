package resources_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

func TestDetectSlurm(t *testing.T) {
	got := found(t, resources.DetectSlurm, variables(
		"SLURM_JOB_ID=12350", "SLURM_ARRAY_JOB_ID=12345", "SLURM_ARRAY_TASK_ID=5", "SLURM_ARRAY_TASK_COUNT=10",
		"SLURM_JOB_NAME=pretrain", "SLURM_CLUSTER_NAME=cluster-a", "SLURM_JOB_PARTITION=batch", "SLURM_PARTITION=old",
		"SLURM_JOB_NUM_NODES=2", "SLURM_NNODES=1", "SLURM_NTASKS=16", "SLURM_JOB_NODELIST=n[1-2]", "SLURM_NODELIST=n1",
		"SLURM_RESTART_COUNT=3", "SLURM_JOB_USER=ada", "SLURM_JOB_ACCOUNT=lab", "SLURM_JOB_QOS=high", "SLURM_JOB_RESERVATION=maint",
		"SLURM_SEGMENT=4", "SLURM_TOPOLOGY_ADDR=s1.n1", "SLURM_TOPOLOGY_ADDR_PATTERN=switch.node", "SLURMD_NODENAME=n1",
		"LENS_SLURM_SLUID=", "NV_LAUNCH_SLUID=s2", "LENS_SLURM_ARRAY_SLUID=a1", "NV_LAUNCH_ARRAY_SLUID=a2"))
	want := map[string]any{
		semconv.SlurmJobID: "12345_5", semconv.SlurmJobIDRaw: "12350", semconv.SlurmArrayJobID: "12345",
		semconv.SlurmArrayTaskID: "5", semconv.SlurmArrayCount: int64(10),
		semconv.SlurmJobName: "pretrain", semconv.SlurmClusterName: "cluster-a", semconv.SlurmPartition: "batch",
		semconv.SlurmNNodes: int64(2), semconv.SlurmNTasks: int64(16), semconv.SlurmNodelist: "n[1-2]",
		semconv.SlurmRestartCount: int64(3), semconv.SlurmJobUser: "ada", semconv.SlurmJobAccount: "lab",
		semconv.SlurmJobQOS: "high", semconv.SlurmJobReservation: "maint", semconv.SlurmSegment: "4",
		semconv.SlurmTopologyAddr: "s1.n1", semconv.SlurmTopologyAddrPattern: "switch.node", semconv.SlurmHeadNodeName: "n1",
		semconv.SlurmSLUID: "s2", semconv.SlurmArraySLUID: "a1",
		semconv.NVDLJobUUID: of("nemo.lens.job/cluster-a/12345"), semconv.NVDLRunUUID: of("nemo.lens.run/cluster-a/12345"),
	}
	if diff := cmp.Diff(want, got.Attributes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, f := range semconv.SlurmFields() { // every name of the table is found
		if _, ok := want[f.Key]; !ok {
			t.Errorf("%s is in the table and not in this test", f.Key)
		}
	}
}

func plain(more map[string]any) map[string]any {
	return semconv.Compose(nil, map[string]any{
		semconv.SlurmJobID: "7", semconv.SlurmJobIDRaw: "7", semconv.SlurmArrayJobID: "7",
		semconv.SlurmArrayTaskID: "0", semconv.SlurmArrayCount: int64(1), semconv.SlurmRestartCount: int64(0),
		semconv.NVDLJobUUID: of("nemo.lens.job/nocluster/7"), semconv.NVDLRunUUID: of("nemo.lens.run/nocluster/7/sr0"),
	}, more)
}

func TestSlurmFallbacks(t *testing.T) {
	for _, c := range []struct {
		why   string
		env   string
		more  map[string]any
		warns []string
	}{
		{"the job id alone", "", nil, nil},
		{"older variables", "SLURM_PARTITION=p SLURM_NNODES=3 SLURM_NODELIST=n[1-3]",
			map[string]any{semconv.SlurmPartition: "p", semconv.SlurmNNodes: int64(3), semconv.SlurmNodelist: "n[1-3]"}, nil},
		{"newer variable alone", "SLURM_JOB_NODELIST=n1", map[string]any{semconv.SlurmNodelist: "n1"}, nil},
		{"empty is unset", "SLURM_JOB_PARTITION= SLURM_PARTITION=p SLURM_JOB_QOS= SLURM_RESTART_COUNT= SLURM_ARRAY_TASK_ID=",
			map[string]any{semconv.SlurmPartition: "p"}, nil},
		{"so is Slurm's word for nothing", "SLURM_JOB_RESERVATION=(null) SLURM_SEGMENT=(null)", nil, nil},
		{"no count is dropped", "SLURM_NTASKS=many SLURM_NNODES=1.0", nil, []string{semconv.SlurmNNodes, semconv.SlurmNTasks}},
		{"a broken list stays as it is", "SLURM_NODELIST=n[1", map[string]any{semconv.SlurmNodelist: "n[1"}, nil},
		{"the head node outside of a step", "SLURMD_NODENAME=n1", map[string]any{semconv.SlurmHeadNodeName: "n1"}, nil},
		{"and not inside of one", "SLURMD_NODENAME=n2 SLURM_STEP_ID=0", nil, nil},
		{"in its older name", "SLURMD_NODENAME=n2 SLURM_STEPID=0", nil, nil},
		{"an array's id alone makes no array", "SLURM_ARRAY_JOB_ID=6", map[string]any{semconv.SlurmArrayJobID: "6"}, nil},
		{"bytes that are no text", "SLURM_JOB_NAME=a\xffb", map[string]any{semconv.SlurmJobName: "a\uFFFDb"}, nil},
	} {
		got := found(t, resources.DetectSlurm, variables(append(strings.Split(c.env, " "), "SLURM_JOB_ID=7")...))
		if diff := cmp.Diff(plain(c.more), got.Attributes); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.why, diff)
		}
		wantWarnings(t, got.Warnings, c.warns...)
	}
}

func TestSlurmCarrier(t *testing.T) {
	const here = "SLURM_JOB_ID=7"
	for _, c := range []struct {
		why   string
		env   []string
		want  map[string]any
		warns []string
	}{
		{"neither", nil, nil, nil},
		{"nothing of the job in it", []string{"OTEL_RESOURCE_ATTRIBUTES=service.name=x,nv.dl.rank=1,slurm.made.up=1"}, nil, nil},
		{"it alone, without defaults beside it", []string{"OTEL_RESOURCE_ATTRIBUTES=slurm.job.id=12,slurm.nnodes= 02 ,service.name=x"},
			map[string]any{semconv.SlurmJobID: "12", semconv.SlurmNNodes: int64(2)}, nil},
		{"an identity alone", []string{"OTEL_RESOURCE_ATTRIBUTES=nv.dl.run.uuid=u"}, map[string]any{semconv.NVDLRunUUID: "u"}, nil},
		{"it wins", []string{here, "OTEL_RESOURCE_ATTRIBUTES=slurm.job.id=007,slurm.ntasks=8,nv.dl.job.uuid=u,nv.dl.rank=1", "SLURM_NTASKS=2"},
			plain(map[string]any{semconv.SlurmJobID: "007", semconv.SlurmNTasks: int64(8), semconv.NVDLJobUUID: "u"}), nil},
		{"empty is ignored", []string{here, "OTEL_RESOURCE_ATTRIBUTES=slurm.job.id=,slurm.ntasks=,nv.dl.job.uuid="}, plain(nil), nil},
		{"an invalid count leaves the one found here", []string{here, "SLURM_NTASKS=2", "OTEL_RESOURCE_ATTRIBUTES=slurm.ntasks=3.5,slurm.nnodes=x"},
			plain(map[string]any{semconv.SlurmNTasks: int64(2)}), []string{semconv.SlurmNNodes, semconv.SlurmNTasks}},
		{"a malformed pair costs no other", []string{"OTEL_RESOURCE_ATTRIBUTES=bad,slurm.job.id=12,slurm.job.name=%ZZ"},
			map[string]any{semconv.SlurmJobID: "12"}, nil}, // told by DetectCarrier
	} {
		got := found(t, resources.DetectSlurm, variables(c.env...))
		if diff := cmp.Diff(semconv.Compose(nil, nil, c.want), got.Attributes); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.why, diff)
		}
		wantWarnings(t, got.Warnings, c.warns...)
	}
}

func TestCarrierWins(t *testing.T) {
	for key, want := range map[string]bool{
		semconv.SlurmJobID: true, semconv.SlurmNodelist: true, semconv.NVDLJobUUID: true, semconv.NVDLRunUUID: true,
		semconv.NVDLRank: false, semconv.NemoRunID: false, semconv.SlurmCluster: false, "slurm.made.up": false, "": false,
	} {
		if got := resources.CarrierWins(key); got != want {
			t.Errorf("%q: %v", key, got)
		}
	}
}

package semconv_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// written is the names that are written, said once more in the short form of
// the conventions and apart from the table: a name that is renamed there by
// accident is found here.
const written = `
gen_ai.{operation.name,provider.name,request.model,token.type}
service.{name,instance.id} process.pid host.name
k8s.{namespace.name,pod.name,pod.uid,node.name,container.name,job.name}
nv.dl.{rank,world_size,local_rank,role,provider.name,job.uuid,run.uuid,launch.container.image}
nv.dl.topology.size.{tp,pp,dp}
nv.dl.training.config.{global_batch_size,micro_batch_size,sequence_length,optimizer,recompute_granularity}
nv.dl.training.target.{train_iters,train_samples,train_tokens}
nv.dl.software.{torch,cuda,nccl,transformer_engine}
dl.{rank,world_size,local_rank,iteration,microbatch_id,batch_size,sequence_length}
dl.tensor_parallel.{rank,size} dl.pipeline_parallel.{rank,size} dl.data_parallel.{rank,size}
dl.{loss,grad_norm,learning_rate,throughput_tflops,throughput_tokens_per_sec}
nv.gpu.{index,memory_total,uuid,pci_bus_id,serial,model,compute_capability,driver_version}
rl.{algorithm,reward,generation.backend,num_rollouts}
gym.{server.name,server.type,num_servers,rollout.batch_size,verify.success_rate}
slurm.{job.id,job.id.raw,array.job_id,array.task_id,sluid,array.sluid,job.name,cluster.name,partition,head_node.name}
slurm.{job.user,job.account,job.qos,job.reservation,segment,topology.addr,topology.addr_pattern}
slurm.{array.count,nnodes,ntasks,restart_count,nodelist}
nemo.{run.id,user.id,span.truncated} wandb.{entity,project}
`

const readOnly = `
nv.dl.training.step rl.{iteration,worker_group,bucket} megatron.iteration iteration
nemo.lens.{run_uuid,job_uuid} nemo.gym.server.{name,type} dl.gpu.{index,name,uuid}
slurm.{cluster,torchelastic.restart_count}
`

// expand writes out the braces of a list of names.
func expand(list string) []string {
	var names []string
	for _, word := range strings.Fields(list) {
		head, rest, _ := strings.Cut(word, "{")
		for _, tail := range strings.Split(strings.TrimSuffix(rest, "}"), ",") {
			names = append(names, head+tail)
		}
	}
	slices.Sort(names)
	return names
}

func TestNames(t *testing.T) {
	got := map[bool][]string{}
	for _, f := range semconv.Fields() {
		ro := f.Presence == semconv.ReadOnly
		got[ro] = append(got[ro], f.Key)
	}
	for ro, want := range map[bool][]string{false: expand(written), true: expand(readOnly)} {
		slices.Sort(got[ro])
		if diff := cmp.Diff(want, got[ro]); diff != "" {
			t.Errorf("read only %t (-want +got):\n%s", ro, diff)
		}
	}
}

func TestVersion(t *testing.T) {
	if semconv.Version != "1.29.0" {
		t.Errorf("Version is %s: see the upgrade steps in docs/semconv.md", semconv.Version)
	}
}

func TestNamespaces(t *testing.T) {
	for _, n := range semconv.Namespaces() {
		want := semconv.Stable
		if n.Prefix == "gen_ai." {
			want = semconv.Experimental
		}
		if n.Stability != want || n.Doc == "" {
			t.Errorf("%s is %s", n.Prefix, n.Stability)
		}
		for _, o := range semconv.Namespaces() {
			if n != o && strings.HasPrefix(o.Prefix, n.Prefix) {
				t.Errorf("%s begins %s", n.Prefix, o.Prefix)
			}
		}
	}
	nine := "gen_ai. k8s. nv.dl. dl. rl. gym. slurm. nemo. wandb." // the markers of the seed
	for prefix := range strings.FieldsSeq(nine) {
		if n, ok := semconv.NamespaceOf(prefix + "x"); !ok || n.Prefix != prefix || n.Upstream != (prefix == "gen_ai." || prefix == "k8s.") {
			t.Errorf("%s is marked as %+v", prefix, n)
		}
	}
	for _, key := range []string{"iteration", "megatron.iteration", "dl.", "dlrank", ""} {
		if n, ok := semconv.NamespaceOf(key); ok {
			t.Errorf("%q is in %s", key, n.Prefix)
		}
	}
}

// TestForeignMetricsStayForeign keeps the metric names of RL producers out: they
// declare their own.
func TestForeignMetricsStayForeign(t *testing.T) {
	for _, f := range semconv.Fields() {
		if strings.HasPrefix(f.Key, "rl.") && f.Where.Has(semconv.AsMetric) {
			t.Errorf("%s is a metric of the RL producer", f.Key)
		}
	}
}

func TestWords(t *testing.T) {
	words := []string{
		semconv.StringType.String(), semconv.IntType.String(), semconv.FloatType.String(), semconv.BoolType.String(),
		semconv.Stable.String(), semconv.Experimental.String(), semconv.Unspecified.String(),
		semconv.Optional.String(), semconv.Always.String(), semconv.ReadOnly.String(), semconv.Where(0).String(),
	}
	want := "string int float bool stable experimental unspecified optional always there read only nowhere"
	if got := strings.Join(words, " "); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, ok := semconv.Lookup("no.such.name"); ok {
		t.Error("a name that is not there is found")
	}
}

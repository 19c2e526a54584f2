package resources_test

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing/fstest"

	"go.opentelemetry.io/otel/sdk/resource"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// A program with a provider of its own adds the detectors to its resource.
func Example() {
	job := resources.MapEnvironment{"SLURM_JOB_ID": "12345", "SLURM_CLUSTER_NAME": "cluster-a", "SLURM_NTASKS": "16"}
	res, err := resource.New(context.Background(),
		resource.WithDetectors(resources.Detector(resources.DetectSlurm, resources.WithLookup(job.LookupEnv))))
	if err != nil {
		fmt.Println("partial:", err)
	}
	for _, kv := range res.Attributes() {
		if kv.Key == semconv.SlurmJobID || kv.Key == semconv.SlurmNTasks || kv.Key == semconv.NVDLJobUUID {
			fmt.Println(kv.Key, kv.Value.Type(), kv.Value.String())
		}
	}
	// Output:
	// nv.dl.job.uuid STRING be34ba0f-41ed-5d53-84c1-e3f3dd25bfd7
	// slurm.job.id STRING 12345
	// slurm.ntasks INT64 16
}

func ExampleDetect() {
	pod := resources.MapEnvironment{"KUBERNETES_SERVICE_HOST": "10.0.0.1", "K8S_POD_NAME": "$(POD_NAME)", "CUDA_VISIBLE_DEVICES": "0,1"}
	found, err := resources.Detect(context.Background(),
		resources.WithLookup(pod.LookupEnv), resources.WithRoot(fstest.MapFS{}), resources.WithPID(1),
		resources.WithHostname(func() (string, error) { return "node1", nil }))
	fmt.Println(found.Attributes, err)
	for _, w := range found.Warnings {
		fmt.Println(w.Key)
	}
	// Output:
	// map[host.gpu.count:2 host.name:node1 process.pid:1] <nil>
	// k8s.pod.name
}

func ExampleDetectGPU() {
	env := resources.MapEnvironment{"LOCAL_RANK": "1", "CUDA_VISIBLE_DEVICES": "2,3"}
	smi := func(context.Context, string, ...string) ([]byte, error) {
		return []byte("3, GPU-5a5a, 00000000:0B:00.0, [N/A], NVIDIA H100 80GB HBM3, 550.54.15, 81559, 9.0\n"), nil
	}
	found, _ := resources.DetectGPU(context.Background(), resources.WithLookup(env.LookupEnv), resources.WithRunner(smi))
	fmt.Println(found.Attributes[semconv.NVGPUIndex], found.Attributes[semconv.NVGPUModel])
	// Output: 3 NVIDIA H100 80GB HBM3
}

func ExampleParse() {
	attrs, warnings := resources.Parse("team = blue team ,note=a%2Cb,bad,nv.dl.rank=3")
	fmt.Printf("%q\n", attrs)
	for _, w := range warnings {
		fmt.Println(w.Text)
	}
	typed, _ := semconv.Normalize(map[string]any{semconv.NVDLRank: attrs[semconv.NVDLRank]}, semconv.ResourceTypes())
	fmt.Printf("%T\n", typed[semconv.NVDLRank])
	// Output:
	// map["note":"a,b" "nv.dl.rank":"3" "team":"blue team"]
	// OTEL_RESOURCE_ATTRIBUTES: pair 3 of 4 has no "="; it is left out, the others are kept
	// int64
}

func ExampleFormat() {
	text, warnings := resources.Format(map[string]any{"note": "a,b=c%", "ratio": 0.5, "list": []int{1}})
	fmt.Println(text)
	fmt.Println(warnings[0].Text)
	// Output:
	// note=a%2Cb%3Dc%25,ratio=0.5
	// OTEL_RESOURCE_ATTRIBUTES cannot carry the attribute "list": its value is a []int, not a string, bool, integer or float; it is left out
}

// A launcher that starts several children at once gives each its own carrier.
func ExampleExtend() {
	inherited := "team=blue,nv.dl.role=launcher"
	for rank := range 2 {
		carrier, _ := resources.Extend(inherited, map[string]any{"site": "lab"}, map[string]any{semconv.NVDLRole: "worker", "index": rank})
		cmd := exec.Command("worker")
		cmd.Env = []string{resources.CarrierVariable + "=" + carrier}
		fmt.Println(cmd.Env)
	}
	// Output:
	// [OTEL_RESOURCE_ATTRIBUTES=index=0,nv.dl.role=worker,site=lab,team=blue]
	// [OTEL_RESOURCE_ATTRIBUTES=index=1,nv.dl.role=worker,site=lab,team=blue]
}

// Publish does this in the environment of the process itself.
func ExamplePublishTo() {
	env := resources.MapEnvironment{}
	restore, _, err := resources.PublishTo(env, map[string]any{semconv.NemoRunID: "007"})
	fmt.Println(env, err)
	fmt.Println(restore(), env)
	// Output:
	// map[OTEL_RESOURCE_ATTRIBUTES:nemo.run.id=007] <nil>
	// <nil> map[]
}

// torchrun's variables go before those of the Slurm task it runs in.
func ExampleRankFromEnv() {
	env := resources.MapEnvironment{"RANK": "5", "WORLD_SIZE": "8", "LOCAL_RANK": "1", "SLURM_STEP_ID": "0", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1"}
	rank, ok, err := resources.RankFromEnv(resources.WithLookup(env.LookupEnv))
	fmt.Println(rank.Rank, rank.WorldSize, rank.LocalRank, ok, err)
	env["RANK"] = "five"
	_, ok, err = resources.RankFromEnv(resources.WithLookup(env.LookupEnv))
	fmt.Println(ok, err)
	// Output:
	// 5 8 1 true <nil>
	// false rank: RANK="five" is not a whole number from 0 to 2147483647: correct it, or unset it
}

func ExampleRank_Attributes() {
	rank := resources.Rank{Rank: 3, WorldSize: 8, Role: "checkpoint"}
	fmt.Println(rank.Attributes(), rank.InstanceID("nightly"))
	// Output: map[dl.rank:3 dl.world_size:8 nv.dl.rank:3 nv.dl.role:checkpoint nv.dl.world_size:8] nightly-checkpoint-rank3
}

func ExampleRunIDFromEnv() {
	array := resources.MapEnvironment{"SLURM_JOB_ID": "12350", "SLURM_ARRAY_JOB_ID": "12345", "SLURM_ARRAY_TASK_ID": "5"}
	run := resources.RunIDFromEnv(resources.WithLookup(array.LookupEnv))
	fmt.Println(run.ID, run.Source, run.Shared())
	// Output: 12350 SLURM_JOB_ID true
}

func ExampleRunUUID() {
	for _, env := range []resources.MapEnvironment{
		{"SLURM_CLUSTER_NAME": "cluster-a", "SLURM_JOB_ID": "12345"},
		{"SLURM_CLUSTER_NAME": "cluster-a", "SLURM_JOB_ID": "12345", "SLURM_RESTART_COUNT": "1"},
	} {
		fmt.Println(resources.JobUUID(resources.WithLookup(env.LookupEnv)), resources.RunUUID(resources.WithLookup(env.LookupEnv)))
	}
	// Output:
	// be34ba0f-41ed-5d53-84c1-e3f3dd25bfd7 1a280c0a-71d2-54bd-bd00-fa82efd94290
	// be34ba0f-41ed-5d53-84c1-e3f3dd25bfd7 be42db52-ed95-5653-b035-190f2392e702
}

func ExampleExpandNodeList() {
	names, _ := resources.ExpandNodeList("rack[0-1]n[00-02],login")
	fmt.Println(strings.Join(names, " "))
	names, err := resources.ExpandNodeList("n[1-999999999]")
	fmt.Println(names, err)
	// Output:
	// rack0n00 rack0n01 rack0n02 rack1n00 rack1n01 rack1n02 login
	// [n[1-999999999]] node list too long to expand: 999999999 names, more than 65536 or 8388608 bytes
}

func ExampleVisibleDevices() {
	fmt.Printf("%q %q\n", resources.VisibleDevices("0,1,-1,2"), resources.VisibleDevices("NoDevFiles"))
	// Output: ["0" "1"] []
}

func ExampleLayers() {
	fmt.Println(resources.Layers{
		Explicit: map[string]any{semconv.HostName: "mine", semconv.SlurmJobID: "9"},
		Carrier:  map[string]any{semconv.SlurmJobID: "7", semconv.ServiceName: "loader"},
		Detected: map[string]any{semconv.HostName: "node1"},
		Default:  map[string]any{semconv.ServiceName: "nemo"},
	}.Merge())
	// Output: map[host.name:mine service.name:loader slurm.job.id:7]
}

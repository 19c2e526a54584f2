package semconv_test

import (
	"fmt"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// A constant is an untyped string: it fits every API that takes a name.
func Example() {
	attrs := map[string]any{semconv.NVDLRank: 5, semconv.DLRank: 5, semconv.NemoRunID: "nightly-42"}
	fmt.Println(attrs)
	// Output: map[dl.rank:5 nemo.run.id:nightly-42 nv.dl.rank:5]
}

func ExampleLookup() {
	f, ok := semconv.Lookup("dl.throughput_tokens_per_sec")
	fmt.Println(ok, f.Name, f.Type, f.Unit, f.Where, f.Stability())
	_, ok = semconv.Lookup("dl.thruput")
	fmt.Println(ok)
	// Output:
	// true DLThroughputTokensPerSec float {token}/s metric stable
	// false
}

func ExampleNamespaceOf() {
	for _, key := range []string{semconv.GenAIRequestModel, semconv.NVDLRank, "megatron.num_layers"} {
		ns, ok := semconv.NamespaceOf(key)
		fmt.Println(key, ok, ns.Upstream, ns.Stability)
	}
	// Output:
	// gen_ai.request.model true true experimental
	// nv.dl.rank true false stable
	// megatron.num_layers false false unspecified
}

func ExampleCompose() {
	inherited := map[string]string{"team": "blue", "stage": "pretrain"}
	all := semconv.Compose(inherited, map[string]string{"team": "none", "site": "lab"}, map[string]string{"stage": ""})
	fmt.Printf("%q\n", all)
	// Output: map["site":"lab" "stage":"" "team":"blue"]
}

func ExampleConvert() {
	types := semconv.ResourceTypes()
	rank, err := semconv.Convert(semconv.NVDLRank, " +007 ", types)
	fmt.Println(rank, err)
	id, err := semconv.Convert("example.id", "007", types)
	fmt.Println(id, err)
	_, err = semconv.Convert(semconv.NVDLRank, "3.5", types)
	fmt.Println(err)
	// Output:
	// 7 <nil>
	// 007 <nil>
	// attribute nv.dl.rank: "3.5" is not an integer: write a whole number in base 10 within 64 bits
}

func ExampleNormalize() {
	inherited := map[string]any{
		semconv.NVDLTrainingTargetTrainTokens: "9007199254740993",
		semconv.NVDLRank:                      "five",
		semconv.SlurmNNodes:                   "two",
	}
	attrs, warnings := semconv.Normalize(inherited, semconv.ResourceTypes())
	fmt.Println(attrs)
	for _, w := range warnings {
		fmt.Println(w.Key)
	}
	// Output:
	// map[nv.dl.rank:five nv.dl.training.target.train_tokens:9007199254740993]
	// nv.dl.rank
	// slurm.nnodes
}

package run_test

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

func ExampleIdentify() {
	id := run.Identify([]run.Attr{
		{Key: "service.name", Value: run.StringValue("megatron-lm")},
		{Key: "nemo.run.id", Value: run.StringValue("nightly-42")},
		{Key: "dl.rank", Value: run.StringValue("17")}, // an older producer, and a string
	})
	fmt.Println(id.Run, id.RunBy, id.Rank, id.WorldSize == run.Unknown)
	// Output: nightly-42 nemo.run.id 17 true
}

func ExamplePhases_Of() {
	phases, err := run.NewPhases([]run.PhaseRow{{Glob: "*.my_{attention,mlp}", Phase: "layer", Class: run.Compute}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, name := range []string{"megatron.train_step", "nv.mcore.grad_sync.finish", "x.my_mlp", "GET /"} {
		p := phases.Of(name)
		fmt.Printf("%s: %q, %s\n", name, p.Name, p.Class)
	}
	// Output:
	// megatron.train_step: "iteration", step
	// nv.mcore.grad_sync.finish: "grad_sync", wait
	// x.my_mlp: "layer", compute
	// GET /: "", other
}

func ExampleAliases() {
	for _, key := range []string{"rank", "dl.rank", "user.session.id"} {
		a := run.Aliases(key)
		fmt.Printf("%q %v\n", a.Short, a.Keys)
	}
	// Output:
	// "rank" [nv.dl.rank dl.rank]
	// "rank" [nv.dl.rank dl.rank]
	// "" [user.session.id]
}

func ExampleNewLayout() {
	sent := run.UnknownSizes()
	sent.TP, sent.PP, sent.DP = 1, 1, 2
	l, err := run.NewLayout(sent, 32, run.Order{})
	if err != nil {
		fmt.Println(err)
		return
	}
	c, _ := l.Coord(17)
	fmt.Println("cp size", l.Sizes.CP, "inferred", l.Inferred, "rank 17: cp", c.CP, "dp", c.DP)

	sent.DP = 3
	_, err = run.NewLayout(sent, 32, run.Order{})
	fmt.Println(err)
	// Output:
	// cp size 16 inferred true rank 17: cp 1 dp 1
	// sizes do not multiply to world size: tp 1 × dp 3 × pp 1 = 3, world size 32
}

func ExampleSum() {
	var s run.Sum
	for range 3000 {
		s.Add(3_200_000_000_000_000) // 3.2e15 ns: the sum is beyond 2^63
	}
	fmt.Println(s.Mean(3000), s.Seconds())
	// Output: 3200000000000000 9.6e+09
}

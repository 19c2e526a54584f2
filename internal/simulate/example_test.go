package simulate_test

import (
	"encoding/json"
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
)

// A run of four ranks and five iterations, one rank computing twice as long.
func ExampleNew() {
	s, err := simulate.New(simulate.Config{
		Seed: 1, DP: 4, Iterations: 5, Detail: simulate.ForwardBackward,
		Faults: []simulate.Fault{simulate.Straggler{Rank: 2, Factor: 2}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	spans := map[int]int{}
	for r, ok := s.Next(); ok; r, ok = s.Next() {
		if r.Signal == run.Traces {
			spans[r.Rank] += r.Items
		}
	}
	truth, _ := json.Marshal(s.Truth().Injected)
	fmt.Println(spans)
	fmt.Println(string(truth))
	// Output:
	// map[0:32 1:32 2:32 3:32]
	// [{"kind":"straggler","rank":2,"pp":0,"dp":2,"host":"gpu-0000","iteration":1,"factor":2,"unit":"rank","shown":[2]}]
}

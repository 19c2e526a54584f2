package run

import "github.com/beamline-hpc/lensview/pkg/semconv"

// IterationKey is an attribute that says which iteration a span belongs to.
type IterationKey struct {
	Key  string
	Base int // the number of a run's first iteration, Unknown where producers differ
}

// IterationKeys lists them by precedence: of several on one span the first
// that IntLike reads counts. The namespaced ones are exact about what they
// count; the bare "iteration" may be anything's, so it comes last.
func IterationKeys() []IterationKey {
	return []IterationKey{
		{semconv.NVDLTrainingStep, 1},
		{semconv.RLIteration, Unknown},
		{semconv.DLIteration, Unknown},
		{semconv.MegatronIteration, 0},
		{semconv.Iteration, Unknown},
	}
}

func iterationAttributes() []string {
	var keys []string
	for _, k := range IterationKeys() {
		keys = append(keys, k.Key)
	}
	return keys
}

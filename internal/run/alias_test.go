package run_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

func TestAliases(t *testing.T) {
	rank := run.Alias{Short: "rank", Keys: []string{"nv.dl.rank", "dl.rank"}}
	tpSize := run.Alias{Short: "tp.size", Keys: []string{"nv.dl.topology.size.tp", "dl.tensor_parallel.size", "tp.size"}}
	iter := run.Alias{Short: "iter", Keys: []string{"nv.dl.training.step", "rl.iteration", "dl.iteration", "megatron.iteration", "iteration"}}
	tests := []struct {
		key  string
		want run.Alias
	}{
		{"rank", rank}, {"dl.rank", rank}, {"nv.dl.rank", rank},
		{"tp.size", tpSize},
		{"dl.tensor_parallel.size", run.Alias{Short: "tp.size", Keys: tpSize.Keys[:2]}},
		{"iter", iter}, {"megatron.iteration", iter}, {"iteration", iter}, {"dl.iteration", iter},
		{"tp", run.Alias{Short: "tp", Keys: []string{"dl.tensor_parallel.rank"}}},
		{"dl.pipeline_parallel.rank", run.Alias{Short: "pp", Keys: []string{"dl.pipeline_parallel.rank"}}},
		{"role", run.Alias{Short: "role", Keys: []string{"nv.dl.role", "rl.worker_group"}}},
		{"run", run.Alias{Short: "run", Keys: []string{"nemo.run.id"}}},
		{"host", run.Alias{Short: "host", Keys: []string{"host.name"}}},
		{"user", run.Alias{Short: "user", Keys: []string{"nemo.user.id", "slurm.job.user"}}},
		{"slurm.job.user", run.Alias{Keys: []string{"slurm.job.user"}}},
		{"job", run.Alias{Short: "job", Keys: []string{"slurm.job.id", "slurm.job.id.raw"}}},
		{"dl.gpu.name", run.Alias{Short: "gpu.model", Keys: []string{"nv.gpu.model", "dl.gpu.name"}}},
		{"nemo.lens.run_uuid", run.Alias{Short: "attempt", Keys: []string{"nv.dl.run.uuid", "nemo.lens.run_uuid"}}},
		{"cluster", run.Alias{Short: "cluster", Keys: []string{"slurm.cluster.name", "slurm.cluster", "cluster"}}},
		{"truncated", run.Alias{Short: "truncated", Keys: []string{"nemo.span.truncated"}}},
		{"dur", run.Alias{Short: "dur"}},
		{"cp", run.Alias{Short: "cp"}},
		{"user.session.id", run.Alias{Keys: []string{"user.session.id"}}},
		{"", run.Alias{Keys: []string{""}}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, run.Aliases(tt.key)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.key, diff)
		}
	}
}

// TestAliasesAgree says that all spellings of a fact have one answer.
func TestAliasesAgree(t *testing.T) {
	for _, f := range semconv.Fields() {
		a := run.Aliases(f.Key)
		if a.Short != f.Fact || !slices.Contains(a.Keys, f.Key) {
			t.Errorf("%s: %+v, want the fact %q and itself among the keys", f.Key, a, f.Fact)
		}
		for _, k := range a.Keys {
			if diff := cmp.Diff(a, run.Aliases(k)); diff != "" {
				t.Errorf("%s and %s differ:\n%s", f.Key, k, diff)
			}
		}
	}
}

func TestIterationKeys(t *testing.T) {
	base := map[string]int{}
	for _, k := range run.IterationKeys() {
		base[k.Key] = k.Base
		if f, ok := semconv.Lookup(k.Key); !ok || f.Fact != "iter" {
			t.Errorf("%s is no spelling of the iteration in the table", k.Key)
		}
	}
	want := map[string]int{"nv.dl.training.step": 1, "rl.iteration": -1, "dl.iteration": -1, "megatron.iteration": 0, "iteration": -1}
	if diff := cmp.Diff(want, base); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

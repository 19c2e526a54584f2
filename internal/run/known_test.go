package run_test

import (
	"slices"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestKnownKeys(t *testing.T) {
	keys := run.KnownKeys()
	for _, want := range []string{"dl.rank", "nv.dl.rank", "slurm.cluster", "slurm.nodelist", "slurm.torchelastic.restart_count", "rl.bucket", "megatron.iteration"} {
		if !slices.Contains(keys, want) {
			t.Errorf("%s is not known", want)
		}
	}
	if sorted := slices.Sorted(slices.Values(keys)); len(slices.Compact(sorted)) != len(keys) {
		t.Error("a key is there twice")
	}
}

package run_test

import (
	"slices"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestNearest(t *testing.T) {
	known := slices.Sorted(slices.Values(append(run.KnownKeys(), run.ShortKeys()...)))
	for key, want := range map[string]string{
		"dl.rnak": "dl.rank", "nv.dl.rnk": "nv.dl.rank", "nv.dl.world_sise": "nv.dl.world_size", "rnak": "rank", "iteration": "iteration",
		"dl.iteratoin": "dl.iteration", "slurm.job_id": "slurm.job.id", "nvdl.rank": "nv.dl.rank", "hots": "host", "gym.server_name": "gym.server.name",
		"nv.dl.topology.size.xp": "", "nv.dl.training.objective.name": "", "qp": "", "x": "", "": "", "dl.banana": "", "nv.dl.software.cudnn": "",
	} {
		if got := run.Nearest(key, known); got != want {
			t.Errorf("%q is near to %q, want %q", key, got, want)
		}
	}
}

// No known name is taken for another one: what is right is never corrected.
func TestKnownNamesAreNearToThemselves(t *testing.T) {
	known := run.KnownKeys()
	for _, k := range known {
		if got := run.Nearest(k, known); got != k {
			t.Errorf("%q is near to %q", k, got)
		}
	}
}

// Every single slip in a long name is found again.
func FuzzNearest(f *testing.F) {
	f.Add("dl.iteration", uint(4), byte('x'))
	f.Add("nv.dl.world_size", uint(9), byte(0))
	f.Fuzz(func(t *testing.T, name string, at uint, c byte) {
		if len(name) < 8 || len(name) > 200 {
			return
		}
		i := int(at % uint(len(name)))
		slip := name[:i] + name[i+1:]
		if c != 0 {
			slip = name[:i] + string(rune(c)) + name[i+1:]
		}
		got := run.Nearest(slip, []string{name, "something.else.entirely.long"})
		if got != name && got != "" && got != "something.else.entirely.long" {
			t.Errorf("%q is near to %q", slip, got)
		}
	})
}

package semconv_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

func TestNormalize(t *testing.T) {
	type m = map[string]any
	tests := []struct {
		name     string
		in, want m
		warned   []string
	}{
		{"a whole carrier", m{
			"nv.dl.rank": "7", "nv.dl.training.target.train_tokens": "9007199254740993", "slurm.nnodes": " 2 ",
			"nv.gpu.memory_total": "85899345920", "slurm.job.id": "0123", "software.version": "001", "nv.dl.role": "1",
		}, m{
			"nv.dl.rank": int64(7), "nv.dl.training.target.train_tokens": int64(9007199254740993), "slurm.nnodes": int64(2),
			"nv.gpu.memory_total": int64(85899345920), "slurm.job.id": "0123", "software.version": "001", "nv.dl.role": "1",
		}, nil},
		{"an invalid DL value stays", m{"nv.dl.rank": "3.5", "nv.dl.world_size": "8"}, m{"nv.dl.rank": "3.5", "nv.dl.world_size": int64(8)}, []string{"nv.dl.rank"}},
		{"an empty one too", m{"nv.dl.rank": ""}, m{"nv.dl.rank": ""}, []string{"nv.dl.rank"}},
		{"an invalid GPU value stays", m{"nv.gpu.index": "0x1"}, m{"nv.gpu.index": "0x1"}, []string{"nv.gpu.index"}},
		{"an invalid Slurm value goes", m{"slurm.ntasks": "many", "slurm.nnodes": "2"}, m{"slurm.nnodes": int64(2)}, []string{"slurm.ntasks"}},
		{"a bool is no integer", m{"nv.dl.rank": true, "slurm.array.count": true}, m{"nv.dl.rank": true}, []string{"nv.dl.rank", "slurm.array.count"}},
		{"nothing", nil, m{}, nil},
	}
	for _, tt := range tests {
		got, warnings := semconv.Normalize(tt.in, semconv.ResourceTypes())
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		var keys []string
		for _, w := range warnings {
			keys = append(keys, w.Key)
			if !strings.Contains(w.Text, w.Key) {
				t.Errorf("%s: the warning %q does not name %s", tt.name, w.Text, w.Key)
			}
		}
		if diff := cmp.Diff(tt.warned, keys); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestNormalizeChosenTable(t *testing.T) {
	in := map[string]any{"nv.dl.rank": "x", "slurm.nnodes": "2"}
	got, warnings := semconv.Normalize(in, semconv.SlurmTypes())
	want := map[string]any{"nv.dl.rank": "x", "slurm.nnodes": int64(2)}
	if diff := cmp.Diff(want, got); diff != "" || warnings != nil {
		t.Errorf("warnings %v (-want +got):\n%s", warnings, diff)
	}
	if in["slurm.nnodes"] != "2" {
		t.Error("the caller's map changed")
	}
}

// TestDroppedSlurmMakesRoom is the reason why an invalid Slurm value is dropped:
// what is detected here takes its place.
func TestDroppedSlurmMakesRoom(t *testing.T) {
	carried, _ := semconv.Normalize(map[string]any{semconv.SlurmNNodes: "two", semconv.SlurmNTasks: "8"}, semconv.SlurmTypes())
	detected := map[string]any{semconv.SlurmNNodes: int64(2), semconv.SlurmNTasks: int64(16)}
	want := map[string]any{semconv.SlurmNNodes: int64(2), semconv.SlurmNTasks: int64(8)}
	if diff := cmp.Diff(want, semconv.Compose(carried, detected, nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

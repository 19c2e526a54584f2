package resources_test

import (
	"testing"

	"github.com/google/uuid"

	"github.com/beamline-hpc/lensview/pkg/resources"
)

func TestRunIDFromEnv(t *testing.T) {
	all := []string{"OTEL_RESOURCE_ATTRIBUTES=nemo.run.id=007", "SLURM_JOB_ID=12350", "SLURM_ARRAY_JOB_ID=12345", "SLURM_ARRAY_TASK_ID=5", "TORCHELASTIC_RUN_ID=t"}
	for _, c := range []struct {
		given  string
		env    []string
		want   string
		source resources.RunIDSource
	}{
		{"mine", all, "mine", resources.GivenRunID},
		{" mine ", all, "mine", resources.GivenRunID},
		{" ", all, "007", resources.CarrierRunID},
		{"", all, "007", resources.CarrierRunID},
		{"", all[1:], "12350", resources.SlurmRunID}, // the raw id, as the Python library takes it
		{"", all[4:], "t", resources.TorchelasticRunID},
		{"", []string{"OTEL_RESOURCE_ATTRIBUTES=nemo.run.id=", "SLURM_JOB_ID=", "TORCHELASTIC_RUN_ID=t"}, "t", resources.TorchelasticRunID},
		{"", []string{"SLURM_JOB_ID=(null)", "TORCHELASTIC_RUN_ID=t"}, "t", resources.TorchelasticRunID},
	} {
		got := resources.RunIDFromEnv(variables(c.env...), resources.WithRunID(c.given))
		if want := (resources.RunID{ID: c.want, Source: c.source}); got != want {
			t.Errorf("%q, %v: %v, want %v", c.given, c.env, got, want)
		}
		if w, due := got.Warning(8); due || !got.Shared() {
			t.Errorf("%v is shared, and yet: %v", got, w)
		}
	}
}

func TestRandomRunID(t *testing.T) {
	for _, env := range [][]string{nil, {"TORCHELASTIC_RUN_ID=none"}, {"TORCHELASTIC_RUN_ID="}} {
		a, b := resources.RunIDFromEnv(variables(env...)), resources.RunIDFromEnv(variables(env...))
		id, err := uuid.Parse(a.ID)
		if err != nil || id.Version() != 4 || a == b || a.Source != resources.RandomRunID || a.Shared() {
			t.Errorf("%v: %v and %v, want two random UUIDs of version 4", env, a, b)
		}
		for world, due := range map[int]bool{0: false, 1: false, 2: true} {
			w, got := a.Warning(world)
			if got != due {
				t.Errorf("of %d ranks: %v", world, got)
			}
			if due {
				wantError(t, warning{w}, "2 ranks", "NEMO_LENS_RUN_ID")
			}
		}
	}
}

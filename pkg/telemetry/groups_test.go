package telemetry_test

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

func TestResolve(t *testing.T) {
	tests := []struct {
		list string
		want []telemetry.Group
	}{
		{"", nil},
		{" , ", nil},
		{"default", []telemetry.Group{telemetry.Job, telemetry.Checkpoint, telemetry.Evaluate}},
		{"step", []telemetry.Group{telemetry.Step}},
		{" Step , OPTIMIZER ", []telemetry.Group{telemetry.Step, telemetry.Optimizer}},
		{"per_step", everyGroup()},
		{"all", everyGroup()},
		{"default,model_init", []telemetry.Group{telemetry.Job, telemetry.Checkpoint, telemetry.Evaluate, telemetry.ModelInit}},
	}
	for _, tt := range tests {
		got, err := telemetry.NewGroups().Resolve(tt.list)
		if err != nil {
			t.Fatal(err)
		}
		var want telemetry.GroupSet
		for _, g := range tt.want {
			want |= 1 << g
		}
		if got != want {
			t.Errorf("%q: %b, want %b", tt.list, got, want)
		}
	}
}

func everyGroup() []telemetry.Group {
	return []telemetry.Group{telemetry.Job, telemetry.Checkpoint, telemetry.Evaluate, telemetry.ModelInit,
		telemetry.LoadCheckpoint, telemetry.Step, telemetry.ForwardBackward, telemetry.Optimizer}
}

func TestUnknownGroups(t *testing.T) {
	_, err := telemetry.NewGroups().Resolve("step,stepp,forward")
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range []string{"stepp", "forward", "all, checkpoint, default, evaluate, forward_backward, job, load_checkpoint, model_init, optimizer, per_step, step"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v does not name %s", err, part)
		}
	}
}

// TestOwnGroups: a program extends groups and presets, and its own are in "all".
func TestOwnGroups(t *testing.T) {
	groups := telemetry.NewGroups()
	rollout, err := groups.Add("rollout")
	if err != nil {
		t.Fatal(err)
	}
	if err := groups.AddPreset("rl", rollout, telemetry.Step); err != nil {
		t.Fatal(err)
	}
	cfg := enabled()
	cfg.SpanGroups = "rl"
	b := newBackend(t)
	h := newHandle(t, b, cfg, telemetry.WithGroups(groups))
	if !h.On(rollout) || !h.On(telemetry.Step) || h.On(telemetry.Job) {
		t.Error("the wrong groups are on")
	}
	if all, err := groups.Resolve("all"); err != nil || !all.Has(rollout) || !all.Has(telemetry.Job) {
		t.Errorf("all: %b, %v", all, err)
	}
	if per, err := groups.Resolve("per_step"); err != nil || per.Has(rollout) {
		t.Errorf("per_step: %b, %v", per, err)
	}
	if err := h.SetSpanGroups("job"); err != nil || h.On(rollout) || !h.On(telemetry.Job) {
		t.Errorf("changed while running: %v", err)
	}
	if err := h.SetSpanGroups("jobs"); err == nil || !h.On(telemetry.Job) {
		t.Errorf("an unknown word: %v", err)
	}
	if _, err := groups.Add("late"); err != nil {
		t.Fatal(err)
	}
	if err := h.SetSpanGroups("late"); err == nil {
		t.Error("a group of after the set-up is known")
	}
}

func TestGroupsRefuse(t *testing.T) {
	groups := telemetry.NewGroups()
	for _, name := range []string{"", "step", "default", "all", "Rollout", "a b", "a,b"} {
		if _, err := groups.Add(name); err == nil {
			t.Errorf("%q is taken", name)
		}
	}
	if err := groups.AddPreset("odd", 63); err == nil {
		t.Error("a preset of a group that is not registered")
	}
	if err := groups.AddPreset("step"); err == nil {
		t.Error("a preset with the name of a group")
	}
	n := 0
	for ; ; n++ {
		if _, err := groups.Add("g" + strings.Repeat("x", n)); err != nil {
			break
		}
	}
	if n != 64-8 {
		t.Errorf("%d groups of its own", n)
	}
}

package telemetry_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// TestTypesCrossTheBoundary: all integers and a run id of digits leave one process
// through the carrier, and the next one exports them as they were.
func TestTypesCrossTheBoundary(t *testing.T) {
	want := map[string]any{"nemo.run.id": "007", "megatron.precision": "bf16", "odd": "a,b=c%é"}
	for key := range semconv.ResourceTypes() {
		want[key] = int64(1<<53 + 1)
	}
	for _, own := range []string{"nv.dl.rank", "nv.dl.world_size", "nv.dl.local_rank", "nv.gpu.index", "nv.gpu.memory_total"} {
		delete(want, own)
	}
	cfg := enabled()
	cfg.RunID = "007"
	first := newHandle(t, newBackend(t), cfg, telemetry.WithRank(0, 1), telemetry.WithLocalRank(0), telemetry.WithResourceAttributes(resources.KeyValues(want)...))
	child := resources.MapEnvironment{}
	restore, warnings, err := resources.PublishTo(child, first.Inheritable())
	if err != nil || len(warnings) != 0 {
		t.Fatal(err, warnings)
	}
	b := newBackend(t)
	cfg.RunID = ""
	second := newHandle(t, b, cfg, telemetry.WithEnv(child.LookupEnv))
	_, s := second.Start(t.Context(), telemetry.Job, "job")
	s.End()
	end(t, second)
	got := b.resource(t)
	keys := make([]string, 0, len(want))
	for key := range want {
		keys = append(keys, key)
	}
	if diff := cmp.Diff(want, pick(got, keys...)); diff != "" {
		t.Error(diff)
	}
	if _, ranked := got["nv.dl.rank"]; ranked || got["service.instance.id"] == "007-rank0" {
		t.Errorf("the child is taken for its parent: %v", got)
	}
	if err := restore(); err != nil || len(child) != 0 {
		t.Errorf("restored %v, %v", child, err)
	}
}

// TestIntegersOfTheProcess are exported with their type, too.
func TestIntegersOfTheProcess(t *testing.T) {
	got := resourceOf(t, enabled(), telemetry.WithEnv(env("OTEL_RESOURCE_ATTRIBUTES=nv.gpu.index=3,nv.gpu.memory_total=85899345920,nv.dl.rank=5")))
	if got["nv.gpu.index"] != int64(3) || got["nv.gpu.memory_total"] != int64(85899345920) || got["nv.dl.rank"] != int64(5) {
		t.Errorf("%v", got)
	}
}

func TestInheritableOfLittle(t *testing.T) {
	var none *telemetry.Handle
	if len(none.Inheritable()) != 0 || len(newHandle(t, nil, telemetry.DefaultConfig()).Inheritable()) != 0 {
		t.Error("something of nothing")
	}
	quiet := newHandle(t, nil, enabled(), telemetry.WithRank(0, 2), telemetry.WithResourceAttributes(attribute.Int("x", 1)))
	if diff := cmp.Diff(map[string]any{"nemo.run.id": "r"}, quiet.Inheritable()); diff != "" {
		t.Error(diff)
	}
}

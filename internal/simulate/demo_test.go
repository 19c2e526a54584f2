package simulate

import (
	"slices"
	"testing"
	"time"

	resource "go.opentelemetry.io/proto/otlp/resource/v1"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestDemo(t *testing.T) {
	for seed := range uint64(50) {
		c := stream(t, Demo(seed)).Config()
		if c.Ranks() != 64 || c.TP != 2 || c.PP != 4 || c.DP != 8 || c.Iterations != 0 {
			t.Fatalf("seed %d: %+v", seed, c)
		}
		truth := truthOf(&c).Injected
		var kinds []string
		for _, f := range truth {
			kinds = append(kinds, f.Kind)
		}
		if !slices.Equal(kinds, []string{KindStraggler, KindHang, KindExplosion}) || truth[0].Rank == truth[1].Rank {
			t.Errorf("seed %d injects %+v", seed, truth)
		}
	}
	if Demo(1).Faults[0] == Demo(2).Faults[0] && Demo(2).Faults[0] == Demo(3).Faults[0] {
		t.Error("the seed does not choose the rank")
	}
}

// The screen must show moving ranks within five seconds.
func TestDemoMovesEarly(t *testing.T) {
	s := stream(t, Demo(1))
	ranks := map[int]bool{}
	got := &sent{}
	for {
		r, ok := s.Next()
		if !ok || r.At > 5*time.Second {
			break
		}
		if r.Signal != run.Traces {
			continue
		}
		got.spans = nil
		got.resources = map[int]*resource.Resource{}
		got.traces(t, &r)
		if len(got.named(stepName)) > 0 {
			ranks[r.Rank] = true
		}
	}
	if len(ranks) != 64 {
		t.Errorf("%d ranks sent a step in the first 5 s", len(ranks))
	}
}

func TestDemoHangsInTheEnd(t *testing.T) {
	c := Demo(1)
	c.Detail = ForwardBackward // the same run, with fewer spans to read
	s := stream(t, c)
	var last Request
	for r, ok := s.Next(); ok && r.At < 10*time.Minute; r, ok = s.Next() {
		last = r
	}
	if s.plan.last.index != 180 || !s.plan.done {
		t.Errorf("after %s the run is in iteration %d", last.At, s.plan.last.index)
	}
	if begin := time.Duration(s.plan.last.start); begin < 3*time.Minute || begin > 6*time.Minute {
		t.Errorf("the hang comes after %s", begin)
	}
}

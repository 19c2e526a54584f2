package otlp

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestSteadyStateAllocatesNothing decodes and builds with used storage.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	bodies := map[string]struct {
		signal run.Signal
		body   []byte
	}{
		"training": {run.Traces, trainingBatches()[0]},
		"traces":   {run.Traces, richBody(run.Traces)},
		"metrics":  {run.Metrics, richBody(run.Metrics)},
		"logs":     {run.Logs, richBody(run.Logs)},
	}
	for _, c := range wireCases() {
		if !c.bad {
			bodies[c.name] = struct {
				signal run.Signal
				body   []byte
			}{run.Traces, c.body(run.Traces)}
		}
	}
	var b Batch
	for name, c := range bodies {
		if n := testing.AllocsPerRun(10, func() {
			if err := b.Decode(c.signal, c.body); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations a request", name, n)
		}
	}
}

func TestBuilderAllocatesNothing(t *testing.T) {
	res, scope, span := richAttrs(), run.Scope{Name: "n"}, richSpan()
	w := NewBuilder(run.Traces)
	if n := testing.AllocsPerRun(10, func() {
		w.Reset(run.Traces)
		w.Resource(res, 0, "schema")
		w.Scope(scope)
		for range 100 {
			w.Span(&span)
		}
		w.Bytes()
	}); n != 0 {
		t.Errorf("%v allocations a request", n)
	}
}

// TestHasEventAllocatesNothing also pins the name that matters.
func TestHasEventAllocatesNothing(t *testing.T) {
	b := mustDecode(t, run.Traces, richBody(run.Traces))
	extra := b.Bytes(b.Spans[0].Extra)
	if n := testing.AllocsPerRun(10, func() {
		if !HasEvent(extra, "nemo.span.truncated") || HasEvent(extra, "nemo.span") || !HasEvent(extra, "") {
			t.Fatal("wrong answer")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

package run_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// recording is the little of an OTLP JSON line that identity and phases need.
type recording struct {
	ResourceSpans []struct {
		Resource struct {
			Attributes []struct {
				Key   string
				Value struct{ StringValue, IntValue *string }
			}
		}
		ScopeSpans []struct{ Spans []struct{ Name string } }
	}
}

// readRecording visits the resources of a file of ../shared/data.
func readRecording(t *testing.T, name string, visit func(attrs []run.Attr, names []string)) {
	t.Helper()
	f, err := os.Open("../../../shared/data/" + name)
	if os.IsNotExist(err) {
		t.Skip("no recordings here")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zr, err := gzip.NewReader(bufio.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	for dec := json.NewDecoder(zr); dec.More(); {
		var r recording
		if err := dec.Decode(&r); err != nil {
			t.Fatal(err)
		}
		for _, rs := range r.ResourceSpans {
			var attrs []run.Attr
			for _, a := range rs.Resource.Attributes {
				v := run.Value{}
				if a.Value.StringValue != nil {
					v = run.StringValue(*a.Value.StringValue)
				} else if a.Value.IntValue != nil {
					v, _ = intOf(*a.Value.IntValue)
				}
				attrs = append(attrs, run.Attr{Key: a.Key, Value: v})
			}
			var names []string
			for _, ss := range rs.ScopeSpans {
				for _, s := range ss.Spans {
					names = append(names, s.Name)
				}
			}
			visit(attrs, names)
		}
	}
}

func intOf(s string) (run.Value, bool) {
	n, ok := run.StringValue(s).IntLike()
	return run.IntValue(n), ok
}

// TestRecordings identifies every process of two production runs, one in each
// spelling, places its rank, and knows every one of their spans.
func TestRecordings(t *testing.T) {
	tests := []struct {
		file, id           string
		world, seen, spans int
		sizes              run.Sizes
		steps              int
	}{
		{"stage-imbalance.otlp.jsonl.gz", "st-2x4", 8, 8, 7040, run.Sizes{TP: 1, CP: 1, EP: 1, DP: 2, PP: 4}, 256},
		{"slow-worker.otlp.jsonl.gz", "ar-4x4x4", 64, 16, 117920, run.Sizes{TP: 4, CP: 1, EP: 1, DP: 4, PP: 4}, 704},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			ranks, spans, steps, unknown := map[int]bool{}, 0, 0, map[string]int{}
			phases := run.DefaultPhases()
			readRecording(t, tt.file, func(attrs []run.Attr, names []string) {
				id := run.Identify(attrs)
				l, err := run.NewLayout(id.Sizes, id.WorldSize, run.Order{})
				if err != nil || id.Run != tt.id || id.WorldSize != tt.world || l.Sizes != tt.sizes {
					t.Fatalf("%+v, %v", id, err)
				}
				if _, ok := l.Coord(id.Rank); !ok {
					t.Errorf("rank %d has no place", id.Rank)
				}
				ranks[id.Rank] = true
				spans += len(names)
				for _, n := range names {
					switch phases.Of(n) {
					case run.Phase{}:
						unknown[n]++
					case run.Phase{Name: run.PhaseIteration, Class: run.Step}:
						steps++
					}
				}
			})
			if len(ranks) != tt.seen || spans != tt.spans || steps != tt.steps {
				t.Errorf("%d ranks, %d spans, %d steps; want %d, %d, %d", len(ranks), spans, steps, tt.seen, tt.spans, tt.steps)
			}
			if diff := cmp.Diff(map[string]int{}, unknown); diff != "" {
				t.Errorf("spans without a phase:\n%s", diff)
			}
		})
	}
}

package analysis

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// load reads a recording of the shared data, or skips the test.
func load(t testing.TB, name string) *store.Snapshot {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", name))
	if err != nil {
		t.Skip("no shared data: ", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	st := store.New(store.Config{Files: true})
	for line := range bytes.Lines(all) {
		if len(bytes.TrimSpace(line)) > 0 {
			putJSON(t, st, line)
		}
	}
	return st.Snapshot()
}

func putJSON(t testing.TB, st *store.Store, line []byte) {
	t.Helper()
	tr := otlp.NewTranscoder(otlp.JSONOptions{})
	requests, err := tr.Transcode(line)
	if err != nil {
		t.Fatal(err)
	}
	for signal, body := range requests {
		if len(body) == 0 {
			continue
		}
		var b otlp.Batch
		if err := b.Decode(run.Signal(signal), body); err != nil {
			t.Fatal(err)
		}
		if _, err := st.Put(context.Background(), &b, run.Receipt{Sender: "file"}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestCollectorMixed(t *testing.T) {
	s := load(t, "collector-mixed.otlp.jsonl.gz")
	want := Traces{Count: 141, Orphans: 1, StartsBefore: 30}
	if diff := cmp.Diff(want, TraceCounts(s)); diff != "" {
		t.Error(diff)
	}
	nodes, orphans, early := 0, 0, 0
	seen := map[run.TraceID]bool{}
	for _, r := range s.Runs {
		r.EachSpan(func(c *store.Chunk, i int) bool {
			if id := c.TraceID(i); !seen[id] {
				seen[id] = true
				tr := TraceTree(s, id)
				check(t, tr)
				nodes, orphans, early = nodes+len(tr.Nodes), orphans+tr.Orphans, early+tr.Early
			}
			return true
		})
	}
	if nodes != 547 || orphans != 1 || early != 30 || len(seen) != 141 {
		t.Errorf("trees: %d spans, %d orphans, %d early in %d traces", nodes, orphans, early, len(seen))
	}
}

func TestRecordedRuns(t *testing.T) {
	for _, c := range []struct {
		file              string
		spans             uint64
		world, seen       int
		sizes             run.Sizes
		iterations, cells int
	}{
		{"stage-imbalance.otlp.jsonl.gz", 7_040, 8, 8, run.Sizes{TP: 1, PP: 4, DP: 2, CP: 1, EP: 1}, 32, 8},
		{"slow-worker.otlp.jsonl.gz", 117_920, 64, 16, run.Sizes{TP: 4, PP: 4, DP: 4, CP: 1, EP: 1}, 44, 64},
	} {
		s := load(t, c.file)
		if len(s.Runs) != 1 {
			t.Fatalf("%s: %d runs", c.file, len(s.Runs))
		}
		r := s.Runs[0]
		ps := MainRole(r)
		if ps.World != c.world || ps.Seen != c.seen || len(ps.NeverSeen) != c.world-c.seen {
			t.Errorf("%s: %d of %d ranks, never seen %v", c.file, ps.Seen, ps.World, ps.NeverSeen)
		}
		it := CountIterations(r)
		sum := it.Complete
		for _, n := range it.Excluded {
			sum += n
		}
		if it.Seen != c.iterations || sum != it.Seen || it.Complete != c.iterations-1 {
			t.Errorf("%s: %+v", c.file, it)
		}
		g := Topology(s, Scope{Run: r}, GridOptions{AnyRole: true})
		if g.Sizes != c.sizes || len(g.Cells) != c.cells {
			t.Errorf("%s: sizes %+v, %d cells, problems %q", c.file, g.Sizes, len(g.Cells), g.Problems)
		}
		tab, err := Durations(context.Background(), []Scope{{Run: r}}, nil)
		if err != nil || tab.All.N+tab.All.Invalid+tab.All.Truncated != c.spans {
			t.Errorf("%s: %d spans: %v", c.file, tab.All.N, err)
		}
		if StateOf(s, r) != Recorded {
			t.Errorf("%s: state %s", c.file, StateOf(s, r))
		}
	}
}

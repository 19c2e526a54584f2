package tracescreen

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/record"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// recorded is a store with a real recording. The test is skipped where the
// recordings are not.
func recorded(t *testing.T, name string) *store.Store {
	t.Helper()
	path := filepath.Join("../../../../shared/data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no recording: %v", err)
	}
	s := store.New(store.Config{Files: true})
	_, err := record.Import(context.Background(), record.Source{Path: path}, func(b *otlp.Batch, r run.Receipt) error {
		_, err := s.Put(context.Background(), b, r)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// computing is the cells of compute in the lane of each rank.
func computing(m *Model) map[int]int {
	out := map[int]int{}
	for i, at := range m.rows.list {
		if at.node < 0 {
			p := m.content.in.Processes[m.content.lanes[at.lane].process]
			out[p.ID.Rank] = strings.Count(m.rows.Cell(i, "bar").Text, m.theme.Glyphs.Compute)
		}
	}
	return out
}

// TestSlowWorkerIsSeen: in the recording of a run with one slow worker (dp 0,
// pp 0), that is the lane full of compute, in any step.
func TestSlowWorkerIsSeen(t *testing.T) {
	m := open(t, recorded(t, "slow-worker.otlp.jsonl.gz"), "")
	for m.content.question.peers != matching {
		uitest.Press(m, "v")
	}
	for range 10 {
		busy := computing(m)
		if len(busy) != 16 {
			t.Fatalf("%d lanes, want the 16 measured ranks", len(busy))
		}
		for rank, cells := range busy {
			if rank != 0 && 10*cells > 7*busy[0] {
				t.Errorf("%s: rank %d computes in %d cells, rank 0 in %d", spotText(m.content.at), rank, cells, busy[0])
			}
		}
		uitest.Press(m, "[")
	}
}

// TestLongStageIsSeen: in the recording of a run whose last pipeline stage is too
// long, the ranks of that stage compute most.
func TestLongStageIsSeen(t *testing.T) {
	m := open(t, recorded(t, "stage-imbalance.otlp.jsonl.gz"), "")
	for m.content.question.peers != matching {
		uitest.Press(m, "v")
	}
	for range 10 {
		busy := computing(m)
		if len(busy) != 8 {
			t.Fatalf("%d lanes, want 8", len(busy))
		}
		for rank, cells := range busy {
			if rank < 6 && cells >= min(busy[6], busy[7]) {
				t.Errorf("%s: rank %d computes in %d cells, the last stage in %d and %d", spotText(m.content.at), rank, cells, busy[6], busy[7])
			}
		}
		uitest.Press(m, "[")
	}
}

// TestAllTracesOfARecording opens each: together they hold what the oracle of
// CASES 17 says.
func TestAllTracesOfARecording(t *testing.T) {
	s := recorded(t, "collector-mixed.otlp.jsonl.gz").Snapshot()
	ids := map[run.TraceID]bool{}
	for _, r := range s.Runs {
		r.EachSpan(func(c *store.Chunk, i int) bool { ids[c.TraceID(i)] = true; return true })
	}
	m := New(plain())
	m.SetSize(120, 40)
	uitest.Give(t, m, uitest.Data(t, s, ""))
	spans, orphans, early := 0, 0, 0
	for id := range ids {
		uitest.Settle(m, m.SetTarget(screen.Target{TraceID: id}))
		uitest.Inside(t, m.View(), 120, 40)
		counts := m.content.counts()
		spans, orphans, early = spans+m.content.total, orphans+counts[orphanMark], early+counts[earlyMark]
		if m.rows.Len() != m.content.total {
			t.Errorf("trace %s: %d rows of %d spans", id, m.rows.Len(), m.content.total)
		}
	}
	if len(ids) != 141 || spans != 547 || orphans != 1 || early != 30 {
		t.Errorf("%d traces, %d spans, %d orphans, %d before their parent; want 141, 547, 1, 30", len(ids), spans, orphans, early)
	}
}

package store

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io/fs"
	"os"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// open reads a recording of ../shared/data line by line into a store.
func openRecording(t testing.TB, name string) *Store {
	t.Helper()
	f, err := os.Open("../../../shared/data/" + name)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no recordings here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{Files: true})
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 16<<20)
	b := new(otlp.Batch)
	for lines.Scan() {
		if err := b.DecodeJSON(run.Traces, lines.Bytes(), otlp.JSONOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(context.Background(), b, run.Receipt{Sender: name}); err != nil {
			t.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRecordings(t *testing.T) {
	tests := []struct {
		file                     string
		spans                    uint64
		world, ranks, iterations int
		sizes                    run.Sizes
	}{
		{"stage-imbalance.otlp.jsonl.gz", 7040, 8, 8, 32, run.Sizes{TP: 1, PP: 4, DP: 2, CP: run.Unknown, EP: run.Unknown}},
		{"slow-worker.otlp.jsonl.gz", 117920, 64, 16, 44, run.Sizes{TP: 4, PP: 4, DP: 4, CP: run.Unknown, EP: run.Unknown}},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			snap := openRecording(t, tt.file).Snapshot()
			checkBalanced(t, snap)
			if len(snap.Runs) != 1 {
				t.Fatalf("runs = %d", len(snap.Runs))
			}
			r := snap.Runs[0]
			if a := r.Accounts[run.Traces]; a.Kept != tt.spans || a.Received != tt.spans {
				t.Errorf("account = %+v, want %d spans", a, tt.spans)
			}
			if r.WorldSize != tt.world || len(r.Processes) != tt.ranks || r.Sizes != tt.sizes || len(r.Attempts) != 1 {
				t.Errorf("world %d, processes %d, sizes %+v, attempts %d", r.WorldSize, len(r.Processes), r.Sizes, len(r.Attempts))
			}
			if r.Seen.Seen != tt.iterations || len(r.Columns) != tt.iterations {
				t.Errorf("iterations = %+v in %d columns, want %d", r.Seen, len(r.Columns), tt.iterations)
			}
			checkColumns(t, r)
			if snap.Clock != SenderClock || snap.Now != int64(r.End) || snap.Live {
				t.Errorf("clock %v, now %d, want the latest end %d", snap.Clock, snap.Now, r.End)
			}
		})
	}
}

// checkColumns holds each cell against a plain computation from the retained
// spans: the recordings have one trace a step, whose root is the step.
func checkColumns(t *testing.T, r *Run) {
	t.Helper()
	type stepSpans struct {
		step        run.Span
		micro, wait []interval
	}
	byTrace := map[run.TraceID]*stepSpans{}
	r.EachSpan(func(c *Chunk, i int) bool {
		s := byTrace[c.TraceID(i)]
		if s == nil {
			s = &stepSpans{}
			byTrace[c.TraceID(i)] = s
		}
		iv := interval{c.Start(i), c.End(i)}
		switch ph := r.Names[c.NameID(i)].Phase; {
		case c.Parent(i).IsZero():
			s.step = c.Span(i)
		case ph.Name == run.PhaseMicrobatchForward || ph.Name == run.PhaseMicrobatchBackward:
			s.micro = append(s.micro, iv)
		case ph.Class == run.Wait:
			s.wait = append(s.wait, iv)
		}
		return true
	})
	cells := 0
	for _, s := range byTrace {
		n, _ := iterationAttr(s.step).IntLike()
		for _, col := range r.Columns {
			if col.Iteration != n {
				continue
			}
			c, ok := col.Cell(s.step.Process)
			if !ok {
				t.Fatalf("iteration %d of process %d has no cell", n, s.step.Process)
			}
			cells++
			want := Cell{Step: seconds(s.step.End - s.step.Start), Compute: seconds(union(s.micro)), Wait: seconds(union(s.wait))}
			if c.Step != want.Step || c.Compute != want.Compute || c.Wait != want.Wait {
				t.Fatalf("iteration %d of process %d: %+v, want %+v", n, s.step.Process, c, want)
			}
		}
	}
	if cells != len(byTrace) {
		t.Errorf("cells = %d, want one for each of %d steps", cells, len(byTrace))
	}
}

func iterationAttr(s run.Span) run.Value {
	for _, k := range run.IterationKeys() {
		for _, a := range s.Attrs {
			if a.Key == k.Key {
				return a.Value
			}
		}
	}
	return run.Value{}
}

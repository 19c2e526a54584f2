package store

import (
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// The table finds what a map finds, also when it is used again.
func TestIDTable(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var table idTable
	for _, n := range []int{0, 1, 2, 3, 500, chunkRows, 7, chunkRows} {
		table.reset(r.Uint64(), n)
		var list []run.SpanID
		want := map[run.SpanID]int{}
		for i := range n {
			list = append(list, spanID(r.Uint64N(uint64(n)))) // some are equal
			want[list[i]] = i
			table.set(list, i)
		}
		for id := range uint64(2*n + 2) {
			at, ok := want[spanID(id)]
			if !ok {
				at = -1
			}
			if got := table.find(list, spanID(id)); got != at {
				t.Fatalf("of %d: %d is at %d, want %d", n, id, got, at)
			}
		}
	}
}

// What packing holds between two chunks is what the budget is charged for it, also
// after a chunk that needed much more.
func TestPackerIsSmall(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector has its own memory")
	}
	for _, shape := range append(dataShapes(), dataShape{"long texts", longSpans}) {
		s := filled(t, shape, 64<<20, chunkRows+1)
		c := s.runs[0].chunks[0]
		before := heap()
		p := newPacker(t)
		for range 2 {
			p.seal(&c.cols, c.dict.shapes)
		}
		p.reset()
		held, charged := heap()-before, sealerBytes+p.held()
		if held > charged || held < charged/2 || charged > sealerBytes+3*mostKept {
			t.Errorf("%s: the packer holds %d bytes, charged are %d", shape.name, held, charged)
		}
		runtime.KeepAlive(p)
		runtime.KeepAlive(s)
	}
}

func longSpans(r *rand.Rand, rank int, iteration int64) []run.Span {
	spans := benchSpans(r, rank, iteration)
	for i := range spans {
		text := make([]byte, 900)
		for j := range text {
			text[j] = byte('a' + r.IntN(26))
		}
		spans[i].Attrs = append(spans[i].Attrs, str("text", string(text)))
	}
	return spans
}

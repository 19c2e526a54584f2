package analysis

import (
	"context"
	"fmt"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// fill sends about n spans of 64 ranks: steps with 8 spans beneath, 8 attributes
// each.
func fill(f *feed, n int) {
	steps := n / (64 * 9)
	for rank := range 64 {
		res := trainer(rank, 64, sizes(2, 4, 8)...)
		for i := 0; i < steps; {
			var batch []run.Span
			for ; i < steps && len(batch) < 450; i++ {
				batch = append(batch, f.oneStep(rank, i)...)
			}
			f.spans(res, batch...)
		}
	}
}

func (f *feed) oneStep(rank, i int) []run.Span {
	from := uint64(i) * sec
	attrs := []run.Attr{
		num("megatron.iteration", int64(i)), num("dl.batch_size", 512), num("dl.sequence_length", 4096),
		str("model", "gpt"), str("phase", "train"), dbl("loss", 1/float64(i+1)), yesno("flag", true), num("micro", int64(i%32)),
	}
	root := f.mk("megatron.train_step", from, from+sec-ms, attrs...)
	root.TraceID = traceID(uint64(rank+1)<<32 | uint64(i))
	out := []run.Span{}
	for k := range uint64(8) {
		s := under(root, f.mk(fmt.Sprintf("megatron.part%d.forward_backward", k), from+k*100*ms, from+k*100*ms+90*ms+uint64(rank*i%1000)*1000, attrs...))
		s.Parent = root.ID
		out = append(out, s)
	}
	return append(out, root)
}

func BenchmarkDurations1M(b *testing.B) {
	f := newFeed(b)
	fill(f, 1_000_000)
	_, r := f.look()
	every := fakeFilter{span: func(*store.Chunk, int) bool { return true }}
	for _, c := range []struct {
		name   string
		filter Filter
		by     []string
	}{
		{"rollups", nil, nil},
		{"rollups-by-pp", nil, []string{"pp"}},
		{"by-rank", nil, []string{"rank"}},
		{"spans", every, nil},
		{"spans-nested", every, []string{"run", "pp", "rank"}},
		{"spans-by-attribute", every, []string{"micro"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Durations(context.Background(), []Scope{{r, c.filter}}, c.by); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

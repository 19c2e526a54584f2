package store

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/klauspost/compress/zstd"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

func newPacker(t testing.TB) *packer {
	t.Helper()
	enc, err := newEncoder()
	if err != nil {
		t.Fatal(err)
	}
	return &packer{enc: enc}
}

func newDecoder(t testing.TB) *zstd.Decoder {
	t.Helper()
	c, err := newSealCache(0)
	if err != nil {
		t.Fatal(err)
	}
	return c.dec
}

// checkSealed seals the columns of a chunk and holds what comes back against
// them.
func checkSealed(t *testing.T, p *packer, dec *zstd.Decoder, c *chunkWriter) {
	t.Helper()
	shapes := c.dict.shapes
	got := unseal(p.seal(&c.cols, shapes), c.Len(), shapes, dec)
	if reflect.DeepEqual(&c.cols, got) {
		return // the difference is slow to find
	}
	if d := cmp.Diff(&c.cols, got, cmp.AllowUnexported(columns{}), cmpopts.EquateEmpty()); d != "" {
		t.Fatalf("columns differ (-want +got):\n%.3000s", d)
	}
}

// randomSpans is spans in which everything is random: times, ids, parents,
// states, events, links and attributes of all types.
func randomSpans(r *rand.Rand, n int) []run.Span {
	v := randomVersions{r: r}
	var out []run.Span
	for range n {
		s := v.next()
		switch r.IntN(6) {
		case 0:
			s.ID, s.Start, s.End = spanID(r.Uint64()|1), r.Uint64(), r.Uint64()
		case 1:
			s.Parent, s.TraceID[3], s.TraceState = spanID(r.Uint64()), byte(r.Uint32()), "k=v"
		case 2:
			s.Links = []run.Link{{TraceID: traceID(r.Uint64()), ID: spanID(r.Uint64()), Attrs: randomAttrs(r)}}
		case 3:
			s.Events = []run.Event{{Time: r.Uint64(), Name: "e", Attrs: randomAttrs(r)}, {Name: "f"}}
			s.StatusMessage, s.DroppedAttrs, s.DroppedEvents, s.DroppedLinks = "why", r.Uint32(), 1, 2
		}
		out = append(out, s)
	}
	return out
}

func TestSealedColumnsReadBackExactly(t *testing.T) {
	p, dec := newPacker(t), newDecoder(t)
	for seed := range uint64(6) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 77))
			f := newFixture(t)
			for left := 1 + r.IntN(chunkRows*5/4); left > 0; left -= 60 {
				f.send(rank(r.IntN(40)), randomSpans(r, min(left, 60))...)
			}
			for _, c := range f.runs[0].chunks {
				checkSealed(t, p, dec, c)
			}
		})
	}
}

// FuzzSeal seals whatever decodes.
func FuzzSeal(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	f.Add(request(rank(0), fullStep(1)[:2]...))
	f.Add(request(rank(0), randomSpans(r, 3)...)) // small, so that they are soon minimised
	f.Add(request(rank(1), benchSpans(r, 0, 1)[:3]...))
	p, dec := newPacker(f), newDecoder(f)
	f.Fuzz(func(t *testing.T, body []byte) {
		b := new(otlp.Batch)
		if b.Decode(run.Traces, body) != nil || len(b.Spans) == 0 {
			return
		}
		s := New(Config{Budget: 1 << 20})
		if _, err := s.Put(t.Context(), b, run.Receipt{Sender: "f", Raw: body}); err != nil {
			t.Fatal(err)
		}
		for _, w := range s.runs {
			for _, c := range w.chunks {
				checkSealed(t, p, dec, c)
			}
		}
	})
}

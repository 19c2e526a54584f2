package store

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// fill sends n spans of a run, 100 a request, and gives the next id.
func (f *fixture) fill(runID, sender string, id, n uint64) uint64 {
	res := []run.Attr{str("service.name", "s"), str("nemo.run.id", runID)}
	for sent := uint64(0); sent < n; sent += 100 {
		var spans []run.Span
		for range min(100, n-sent) {
			id++
			s := sp(id, 0, "op", id*1000, id*1000+500, num("i", int64(id)))
			s.TraceID = traceID(id / 50)
			spans = append(spans, s)
		}
		f.sendFrom(sender, res, spans...)
	}
	return id
}

func TestTheOldestGoFirst(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 4 << 20 })
	const n = 100_000
	f.fill("r", "a", 0, n)
	s := f.Snapshot()
	checkBalanced(t, s)
	r := s.Runs[0]
	a := r.Accounts[run.Traces]
	if a.Evicted == 0 || a.Kept+a.Evicted != n {
		t.Fatalf("account = %+v", a)
	}
	spans := live(r)
	if uint64(len(spans)) != a.Kept || spans[0].ID != spanID(a.Evicted+1) || spans[len(spans)-1].ID != spanID(n) {
		t.Errorf("%d spans from %s to %s, %d evicted", len(spans), spans[0].ID, spans[len(spans)-1].ID, a.Evicted)
	}
	if m := s.Memory; m.Used > m.Data || m.Budget != 4<<20 || m.Chunks != len(r.Chunks) || m.Fixed == 0 {
		t.Errorf("memory = %+v", m)
	}
	if st := total(r, "op"); st.Count != n {
		t.Errorf("the roll-up covers %d of %d", st.Count, n)
	}
	if refs := r.Trace(traceID(1)); len(refs) != 0 {
		t.Errorf("an evicted trace has %d spans", len(refs))
	}
	if _, ok := r.Span(Ref{Chunk: 1}); ok {
		t.Error("an evicted chunk is there")
	}
}

func TestEvictionIsFairBetweenRuns(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 8 << 20 })
	small := f.fill("small", "a", 0, 5_000)
	f.fill("big", "b", 0, 200_000)
	f.fill("small", "a", small, 1_000)
	s := f.Snapshot()
	checkBalanced(t, s)
	if a := s.Run("small").Accounts[run.Traces]; a.Evicted != 0 || a.Kept != 6_000 {
		t.Errorf("the small run paid for the big one: %+v", a)
	}
	if a := s.Run("big").Accounts[run.Traces]; a.Evicted == 0 {
		t.Errorf("the big run: %+v", a)
	}
	for _, snd := range s.Senders {
		if a := snd.Accounts[run.Traces]; (snd.Name == "b") != (a.Evicted > 0) {
			t.Errorf("sender %s: %+v", snd.Name, a)
		}
	}
}

func TestDictionariesDoNotOnlyGrow(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 16 << 20 })
	res := rank(0)
	for i := range 600 {
		var spans []run.Span
		for k := range 200 {
			id := uint64(i*200 + k + 1)
			spans = append(spans, sp(id, 0, "op", id*1000, id*1000+500, str(fmt.Sprint("key-", id%5000), strings.Repeat("v", 20)+fmt.Sprint(id))))
		}
		f.send(res, spans...)
	}
	w := f.runs[0]
	if w.dict.bytes > 3*dictBytes || f.used > f.spanShare() {
		t.Errorf("dictionary of %d bytes, %d of %d used", w.dict.bytes, f.used, f.spanShare())
	}
	if spans := live(f.only()); spans[len(spans)-1].Attrs[0].Value.Str() != strings.Repeat("v", 20)+"120000" {
		t.Errorf("last = %+v", spans[len(spans)-1])
	}
}

func TestPinnedChunksAreCharged(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 8 << 20 })
	id := f.fill("r", "a", 0, 60_000)
	paused := f.Snapshot()
	f.fill("r", "a", id, 60_000)
	runtime.GC()
	runtime.GC()
	f.Tick(f.now)
	held := f.Snapshot().Memory
	if f.pinnedNow == 0 || held.Used > held.Data {
		t.Errorf("pinned %d, memory %+v", f.pinnedNow, held)
	}
	if spans := live(paused.Runs[0]); spans[0].Name != "op" {
		t.Error("the paused snapshot lost its spans")
	}
	runtime.KeepAlive(paused)
	f.runs[0].view = nil
	runtime.GC()
	runtime.GC()
	f.Tick(f.now)
	if f.pinnedNow != 0 {
		t.Errorf("pinned %d after the snapshot was let go", f.pinnedNow)
	}
}

// TestBytesAreHonest compares what the store says it holds with the growth of
// the heap.
func TestBytesAreHonest(t *testing.T) {
	tests := []struct {
		name  string
		spans func(r *rand.Rand, i int) []run.Span
		ranks int
	}{
		{"8 attributes, steps", func(r *rand.Rand, i int) []run.Span { return benchSpans(r, 0, int64(i)) }, 16},
		{"no attributes, a trace each", func(r *rand.Rand, i int) (out []run.Span) {
			for range 32 {
				s := sp(r.Uint64(), 0, "op", uint64(i)*ms, uint64(i)*ms+500)
				s.TraceID = traceID(r.Uint64())
				out = append(out, s)
			}
			return out
		}, 16},
		{"unique values and events", func(r *rand.Rand, i int) (out []run.Span) {
			for range 32 {
				s := sp(r.Uint64(), 0, "op", uint64(i)*ms, uint64(i)*ms+500, str("id", fmt.Sprintf("%032x", r.Uint64())))
				s.Events = []run.Event{{Time: t0, Name: "exception", Attrs: []run.Attr{str("message", fmt.Sprint("failed ", r.Uint64()))}}}
				out = append(out, s)
			}
			return out
		}, 16},
		{"many ranks, few spans", func(r *rand.Rand, i int) []run.Span { return benchSpans(r, 0, int64(i/1024)) }, 1024},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(8, 9))
			b, k := new(otlp.Batch), otlp.NewBuilder(run.Traces)
			before := heap()
			s := New(Config{Budget: 256 << 20})
			f := &fixture{Store: s, t: t}
			for i := range 4096 {
				k.Reset(run.Traces)
				k.Resource(benchResource(i%tt.ranks, tt.ranks), 0, "")
				for _, span := range tt.spans(r, i/min(tt.ranks, 16)) {
					k.Span(&span)
				}
				if err := b.Decode(run.Traces, k.Bytes()); err != nil {
					t.Fatal(err)
				}
				if _, err := s.Put(t.Context(), b, run.Receipt{At: int64(t0), Sender: "h"}); err != nil {
					t.Fatal(err)
				}
			}
			grown := heap() - before
			m := f.Snapshot().Memory
			said := m.Used + m.Fixed
			if off := float64(said)/float64(grown) - 1; off < -.25 || off > .25 {
				t.Errorf("says %d (%d used, %d fixed), the heap grew by %d: off by %.0f %%", said, m.Used, m.Fixed, grown, 100*off)
			}
			runtime.KeepAlive(s)
		})
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestAnOversizedSpanClosesItsChunk(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 256 << 20 })
	huge := strings.Repeat("x", maxBlobBytes)
	for i := range uint64(3) {
		f.send(rank(0), sp(i+1, 0, "op", 0, 1, str("body", huge)), sp(i+100, 0, "op", 0, 1))
	}
	r := f.only()
	if len(r.Chunks) < 3 {
		t.Errorf("chunks = %d: the blob would outgrow its offsets", len(r.Chunks))
	}
	if spans := live(r); len(spans) != 6 || len(spans[4].Attrs[0].Value.Str()) != maxBlobBytes {
		t.Errorf("spans = %d", len(spans))
	}
}

func TestSmallRunsCostNoFullChunks(t *testing.T) {
	f := newFixture(t)
	for i := range 100 {
		f.send([]run.Attr{str("service.name", fmt.Sprint("s", i))}, sp(1, 0, "op", 0, 1))
	}
	if per := f.used / 100; per > 24<<10 {
		t.Errorf("a run of one span is charged %d bytes", per)
	}
}

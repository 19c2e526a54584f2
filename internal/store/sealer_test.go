package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// sealAll seals every chunk, the growing ones too: they are closed for it.
func (s *Store) sealAll(t testing.TB) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sealAnyway(t)
	for _, w := range s.runs {
		for w.coldChunks < len(w.chunks) {
			c := w.chunks[w.coldChunks]
			if !c.closed {
				w.closeChunk(c)
			}
			s.seal(w, c)
		}
	}
}

// sealAnyway lets a store of any budget seal.
func (s *Store) sealAnyway(t testing.TB) {
	t.Helper()
	if s.sealer.cache != nil {
		return
	}
	if err := s.sealer.make(s.budget); err != nil {
		t.Fatal(err)
	}
}

// fillHard sends n spans with values that no compression makes small, 100 a
// request.
func (f *fixture) fillHard(runID, sender string, id, n uint64) uint64 {
	f.t.Helper()
	r := rand.New(rand.NewPCG(id, n))
	res := []run.Attr{str("service.name", "s"), str("nemo.run.id", runID)}
	for sent := uint64(0); sent < n; sent += 100 {
		var spans []run.Span
		for range min(100, n-sent) {
			id++
			s := sp(id, 0, "op", id*1000, id*1000+500, num("a", int64(r.Uint64())), real64("b", math.Float64frombits(r.Uint64())), num("i", int64(id)))
			s.TraceID = traceID(id / 50)
			spans = append(spans, s)
		}
		f.sendFrom(sender, res, spans...)
	}
	return id
}

// TestASealedStoreEqualsThePlainModel seals between requests: versions and
// duplicates find the sealed rows.
func TestASealedStoreEqualsThePlainModel(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 21))
			f, m := newFixture(t), newModel()
			by := [3]randomVersions{{r: r}, {r: r}, {r: r}}
			for i := range 120 {
				n := r.IntN(3)
				var spans []run.Span
				for range 1 + r.IntN(30) {
					s := by[n].next()
					spans = append(spans, s)
					m.put(n, s)
				}
				f.send(rank(n), spans...)
				if i%15 == 14 {
					f.sealAll(t)
				}
			}
			f.sealAll(t)
			compare(t, f, m)
			if mem := f.Snapshot().Memory; mem.Sealed == 0 || mem.Sealed > mem.Chunks || mem.SealedBytes == 0 || mem.SealedBytes > mem.Used {
				t.Errorf("memory = %+v", mem)
			}
		})
	}
}

// reading is all that can be read of a run's spans, as one text.
func reading(r *Run) (out []string) {
	k := NewKey("k1", "k2")
	r.EachSpan(func(c *Chunk, i int) bool {
		v, ok := c.Value(i, k)
		ns, has := c.Duration(i)
		out = append(out, fmt.Sprint(c.Ref(i), c.Span(i), v, ok, ns, has, c.Kind(i), c.Status(i), c.Scope(i), c.Marks(i)))
		c.EachDouble(i, func(key string, v float64) { out = append(out, fmt.Sprint(key, math.Float64bits(v))) })
		return true
	})
	for _, c := range r.Chunks {
		from, to, ok := c.TimeRange()
		out = append(out, fmt.Sprint(c.Seq(), c.Len(), c.Live(), from, to, ok))
		c.EachEvent("e", func(row int, e run.Event) { out = append(out, fmt.Sprint(row, e)) })
	}
	for n := range uint64(40) {
		out = append(out, fmt.Sprint(r.Trace(traceID(n))))
	}
	for p := range r.Processes {
		out = append(out, fmt.Sprint(r.ProcessSpans(p, 0, math.MaxUint64), r.ProcessSpans(p, t0, t0+ms)))
	}
	return append(out, fmt.Sprint(r.SpanKeys(100), r.HasSpanKey(k)))
}

func TestSealingChangesNothingThatIsRead(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	f := newFixture(t)
	for range 90 {
		f.send(rank(r.IntN(9)), randomSpans(r, 50)...)
	}
	before := f.Snapshot()
	want := reading(before.Runs[0])
	f.sealAll(t)
	after := f.Snapshot()
	if d := cmp.Diff(want, reading(after.Runs[0])); d != "" {
		t.Errorf("differs (-hot +sealed):\n%.3000s", d)
	}
	if d := cmp.Diff(want, reading(before.Runs[0])); d != "" {
		t.Errorf("the earlier snapshot differs:\n%.3000s", d)
	}
	checkBalanced(t, after)
	if before.Accounts != after.Accounts {
		t.Errorf("accounts %+v, were %+v", after.Accounts, before.Accounts)
	}
}

func TestPressureSealsBeforeItEvicts(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 5 << 20 })
	f.sealAnyway(t)
	var id uint64
	for f.Snapshot().Memory.Sealed == 0 {
		id = f.fillHard("r", "a", id, 2_000)
	}
	if a := f.Snapshot().Accounts[run.Traces]; a.Evicted != 0 || a.Kept != id {
		t.Fatalf("something went before all was sealed: %+v", a)
	}
	first := id
	for f.Snapshot().Accounts[run.Traces].Evicted == 0 {
		id = f.fillHard("r", "a", id, 2_000)
	}
	id = f.fillHard("r", "a", id, 10_000)
	if id < first*3/2 {
		t.Errorf("sealing made room for %d spans more than %d", id-first, first)
	}
	s := f.Snapshot()
	checkBalanced(t, s)
	r := s.Runs[0]
	spans := live(r)
	if a := s.Accounts[run.Traces]; uint64(len(spans)) != a.Kept || a.Kept+a.Evicted != id || spans[0].ID != spanID(a.Evicted+1) {
		t.Errorf("%d spans from %s on, account %+v", len(spans), spans[0].ID, a)
	}
	if st := total(r, "op"); st.Count != id {
		t.Errorf("the roll-up covers %d of %d", st.Count, id)
	}
	checkSealedMemory(t, f)
}

// checkSealedMemory holds the figures of memory against the chunks.
func checkSealedMemory(t *testing.T, f *fixture) {
	t.Helper()
	f.Tick(f.now) // reading opened chunks
	m := f.Snapshot().Memory
	sealed, bytes, all := 0, uint64(0), uint64(0)
	for _, w := range f.runs {
		for i, c := range w.chunks {
			all += c.bytes
			if c.bytes != c.size() && c.closed {
				t.Errorf("chunk %d is charged %d, holds %d", i, c.bytes, c.size())
			}
			if c.cold != nil {
				sealed++
				bytes += c.bytes
			}
		}
	}
	if m.Sealed != sealed || m.SealedBytes != bytes || m.HotBytes != all-bytes || m.Used > m.Data || m.Used < all {
		t.Errorf("memory = %+v, %d chunks of %d bytes are sealed, all are %d", m, sealed, bytes, all)
	}
}

func TestSealingIsFairBetweenRuns(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 6 << 20 })
	f.sealAnyway(t)
	small := f.fillHard("small", "a", 0, 6_000)
	f.fillHard("big", "b", 0, 160_000)
	f.fillHard("small", "a", small, 1_000)
	s := f.Snapshot()
	checkBalanced(t, s)
	if a := s.Run("small").Accounts[run.Traces]; a.Evicted != 0 || a.Kept != 7_000 {
		t.Errorf("the small run paid for the big one: %+v", a)
	}
	if a := s.Run("big").Accounts[run.Traces]; a.Evicted == 0 || f.byID["big"].coldChunks == 0 {
		t.Errorf("the big run: %+v, %d sealed", a, f.byID["big"].coldChunks)
	}
	for _, snd := range s.Senders {
		if a := snd.Accounts[run.Traces]; (snd.Name == "b") != (a.Evicted > 0) {
			t.Errorf("sender %s: %+v", snd.Name, a)
		}
	}
	checkSealedMemory(t, f)
}

func TestASnapshotKeepsWhatWasSealedAndIsCharged(t *testing.T) {
	f := newFixture(t)
	f.fillHard("r", "a", 0, 40_000)
	paused := f.Snapshot()
	want := live(paused.Runs[0])
	hot := f.used
	f.sealAll(t)
	runtime.GC()
	runtime.GC()
	f.Tick(f.now)
	if f.pinnedNow < hot*3/4 || f.used > hot/2 {
		t.Errorf("pinned %d, used %d of %d before", f.pinnedNow, f.used, hot)
	}
	if got := live(paused.Runs[0]); len(got) != len(want) || !sameSpan(got[0], want[0]) {
		t.Error("the paused snapshot changed")
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

func TestResentSpansAreFoundInSealedChunks(t *testing.T) {
	f := newFixture(t)
	const n = 5_000
	f.fillHard("r", "a", 0, n)
	f.sealAll(t)
	f.fillHard("r", "a", n, 2*n) // the table of recent spans grows meanwhile
	f.fillHard("r", "a", 0, n)
	s := f.Snapshot()
	checkBalanced(t, s)
	if a := s.Accounts[run.Traces]; a.Duplicates != n || a.Kept != 3*n {
		t.Errorf("account = %+v", a)
	}
}

func TestAVersionReplacesASealedRow(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), sp(1, 0, "op", 0, 5), sp(2, 0, "op", 0, 9))
	open := sp(3, 0, "op", 0, 0)
	open.End = 0
	f.send(rank(0), open)
	f.sealAll(t)
	f.send(rank(0), sp(1, 0, "op", 0, 7), sp(3, 0, "op", 0, 8))
	s := f.Snapshot()
	checkBalanced(t, s)
	if a := s.Accounts[run.Traces]; a.Replaced != 2 || a.Kept != 3 {
		t.Errorf("account = %+v", a)
	}
	var ends []uint64
	for _, span := range live(s.Runs[0]) {
		ends = append(ends, span.End-t0)
	}
	if !slices.Equal(ends, []uint64{9, 7, 8}) {
		t.Errorf("ends = %v", ends)
	}
}

func TestAChunkThatWentWhileItWasPacked(t *testing.T) {
	f := newFixture(t)
	f.fillHard("r", "a", 0, 10_000)
	w := f.runs[0]
	f.sealAnyway(t)
	c := w.chunks[0]
	f.mu.Lock()
	w.evict()
	used, cold := f.used, w.coldChunks
	f.seal(w, c)
	f.mu.Unlock()
	if c.cold != nil || f.used != used || w.coldChunks != cold || f.sealer.busy {
		t.Errorf("an evicted chunk was sealed: used %d, was %d", f.used, used)
	}
	checkBalanced(t, f.Snapshot())
}

func TestOpenChunksAreFew(t *testing.T) {
	f := newFixture(t)
	f.fillHard("r", "a", 0, 60_000)
	f.sealAll(t)
	cache := f.sealer.cache
	r := f.only()
	live(r)
	if held := cache.held(); held == 0 || held > cache.limit {
		t.Errorf("%d bytes are open, limit %d", held, cache.limit)
	}
	f.mu.Lock()
	for len(f.runs[0].chunks) > 0 {
		f.runs[0].evict()
	}
	f.mu.Unlock()
	if held := cache.held(); held != 0 || len(cache.list) != 0 {
		t.Errorf("%d bytes of %d chunks are open after all went", held, len(cache.list))
	}
	if got := live(r); len(got) != 60_000 {
		t.Errorf("the snapshot has %d spans", len(got))
	}
}

func TestWhatIsReadStaysOpen(t *testing.T) {
	cache := &sealCache{limit: 30}
	all := []*sealed{{}, {}, {}, {}}
	for _, s := range all {
		s.opened.Store(&columns{})
		cache.add(s, 10)
		all[0].open() // between all others
	}
	var open []bool
	for _, s := range all {
		open = append(open, s.opened.Load() != nil)
	}
	if !slices.Equal(open, []bool{true, false, true, true}) || cache.held() != 30 {
		t.Errorf("open %v, %d bytes", open, cache.held())
	}
	cache.add(all[1], 100)
	if len(cache.list) != 1 || cache.held() != 100 {
		t.Errorf("one that is larger than all of the cache: %d open, %d bytes", len(cache.list), cache.held())
	}
}

// TestReadersWhileChunksAreSealed has readers go over everything while writers
// fill chunks, which are sealed and evicted.
func TestReadersWhileChunksAreSealed(t *testing.T) {
	const writers, requests, each = 4, 250, 100
	s := New(Config{Budget: 6 << 20})
	s.sealAnyway(t)
	var writing, reading sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		reading.Go(func() {
			for {
				walk(t, s.Snapshot())
				s.Tick(int64(t0))
				runtime.Gosched()
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for who := range uint64(writers) {
		writing.Go(func() {
			f := &fixture{Store: s, t: t, now: int64(t0)}
			for i := range uint64(requests) {
				f.fillHard(fmt.Sprint("run-", who%2), fmt.Sprint("host-", who), who<<40|i*each, each)
			}
		})
	}
	writing.Wait()
	close(done)
	reading.Wait()
	snap := s.Snapshot()
	walk(t, snap)
	if a := snap.Accounts[run.Traces]; a.Received != writers*requests*each || a.Evicted == 0 || snap.Memory.Sealed == 0 {
		t.Errorf("account %+v, memory %+v", a, snap.Memory)
	}
}

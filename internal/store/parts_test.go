package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

func TestRangeSetIsASet(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s rangeSet
	plain := map[int64]bool{}
	for range 20000 {
		n := int64(r.IntN(300)) - 100
		if r.IntN(3) == 0 {
			s.remove(n)
			delete(plain, n)
		} else if fresh := s.add(n); fresh == plain[n] {
			t.Fatalf("add(%d) says new: %v", n, fresh)
		} else {
			plain[n] = true
		}
		if s.len() != len(plain) {
			t.Fatalf("len = %d, want %d", s.len(), len(plain))
		}
	}
	for i := 1; i < len(s.ranges); i++ {
		if s.ranges[i-1].to+1 >= s.ranges[i].from {
			t.Fatalf("ranges touch: %v", s.ranges[i-1:i+1])
		}
	}
	low, high := int64(1000), int64(-1000)
	for n := range plain {
		low, high = min(low, n), max(high, n)
	}
	if s.low != low || s.high != high {
		t.Errorf("low, high = %d, %d, want %d, %d", s.low, s.high, low, high)
	}
}

func TestRangeSetIsBounded(t *testing.T) {
	var s rangeSet
	const n = maxRanges + 1000
	for i := range int64(n) {
		s.add(2 * i)
	}
	if len(s.ranges) > maxRanges || s.len() != n || s.low != 0 || s.high != 2*(n-1) {
		t.Errorf("%d ranges, %d numbers, %d … %d", len(s.ranges), s.len(), s.low, s.high)
	}
	if s.add(4) {
		t.Error("a forgotten number counts again")
	}
}

func TestUnion(t *testing.T) {
	tests := []struct {
		name string
		in   []interval
		want uint64
	}{
		{"none", nil, 0},
		{"one", []interval{{5, 9}}, 4},
		{"apart", []interval{{5, 9}, {20, 21}}, 5},
		{"overlapping, in order of end", []interval{{5, 9}, {0, 10}}, 10},
		{"nested", []interval{{0, 100}, {10, 20}, {30, 120}}, 120},
		{"touching", []interval{{0, 5}, {5, 10}}, 10},
		{"empty ones", []interval{{5, 5}, {7, 7}}, 0},
	}
	for _, tt := range tests {
		if got := union(tt.in); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestBloomNeverDenies(t *testing.T) {
	var ids []run.TraceID
	for i := range uint64(5000) {
		ids = append(ids, traceID(i*i+1))
	}
	b := newBloom(ids[:4000])
	for _, id := range ids[:4000] {
		if !b.has(id) {
			t.Fatalf("%s is denied", id)
		}
	}
	wrong := 0
	for _, id := range ids[4000:] {
		if b.has(id) {
			wrong++
		}
	}
	if wrong > 50 {
		t.Errorf("%d of 1000 false positives, want few", wrong)
	}
	if newBloom(nil).has(traceID(1)) {
		t.Error("an empty filter has a trace")
	}
}

// TestWindowFindsTheNewest fills a table far beyond its limit.
func TestWindowFindsTheNewest(t *testing.T) {
	w := window{limit: 4096}
	hashOf := func(i int) uint64 { tr := traceID(uint64(i)); return spanHash(1, i%7, &tr, spanID(uint64(i))) }
	refOf := func(i int) Ref { return Ref{Chunk: uint32(1 + i/chunkRows), Row: uint16(i % chunkRows)} }
	const n = 100_000
	for i := range n {
		w.add(hashOf(i), refOf(i), 0)
	}
	found := func(from, to int) (k int) {
		for i := from; i < to; i++ {
			if r, ok := w.find(hashOf(i), func(r Ref) bool { return r == refOf(i) }); ok && r == refOf(i) {
				k++
			}
		}
		return k
	}
	if k := found(n-1000, n); k != 1000 {
		t.Errorf("found %d of the newest 1000", k)
	}
	if k := found(0, n/2); k != 0 {
		t.Errorf("found %d long after they left", k)
	}
	if len(w.slots) != 4096 {
		t.Errorf("slots = %d, want the limit", len(w.slots))
	}
}

func TestWindowGrowsWithoutForgetting(t *testing.T) {
	w := window{limit: 1 << 20}
	hashOf := func(i int) uint64 { tr := traceID(uint64(i)); return spanHash(1, 0, &tr, spanID(uint64(i))) }
	for i := range chunkRows {
		w.add(hashOf(i), Ref{Chunk: 1, Row: uint16(i)}, 0)
	}
	lost := 0
	for i := range chunkRows {
		if _, ok := w.find(hashOf(i), func(r Ref) bool { return int(r.Row) == i }); !ok {
			lost++
		}
	}
	if lost > 0 || len(w.slots) > 32*chunkRows {
		t.Errorf("%d of %d lost in %d slots", lost, chunkRows, len(w.slots))
	}
}

// TestWindowDoesNotGrowForWhatIsGone adds spans of which only the newest chunk is
// retained.
func TestWindowDoesNotGrowForWhatIsGone(t *testing.T) {
	w := window{limit: 1 << 20}
	for i := range 100 * chunkRows {
		chunk := uint32(i / chunkRows)
		w.add(uint64(i)*0x9e3779b97f4a7c15, Ref{Chunk: chunk, Row: uint16(i % chunkRows)}, chunk)
	}
	if len(w.slots) > 16*chunkRows {
		t.Errorf("%d slots for the %d spans of one chunk", len(w.slots), chunkRows)
	}
	for i := 99 * chunkRows; i < 100*chunkRows; i++ {
		h, want := uint64(i)*0x9e3779b97f4a7c15, uint16(i%chunkRows)
		if r, ok := w.find(h, func(r Ref) bool { return r.Row == want }); !ok || r.Chunk != 99 {
			t.Fatalf("span %d of the newest chunk is found as %+v (%v)", i, r, ok)
		}
	}
}

// TestWindowTellsApartAtAnySize counts the rows that a full table offers for
// hashes that are not in it: next to none costs a look at a row, which may be sealed.
func TestWindowTellsApartAtAnySize(t *testing.T) {
	for _, limit := range []int{firstSlots, 1 << 12, 1 << 17, 1 << 20} {
		w := window{limit: limit}
		hash := func(i int) uint64 { tr := traceID(uint64(i)); return spanHash(7, 3, &tr, spanID(uint64(i))) }
		for i := range 2 * limit {
			w.add(hash(i), Ref{Chunk: uint32(i / chunkRows), Row: uint16(i % chunkRows)}, 0)
		}
		looks := 0
		for i := 2 * limit; i < 2*limit+10_000; i++ {
			w.find(hash(i), func(Ref) bool { looks++; return false })
		}
		if len(w.slots) != limit || looks > 3 {
			t.Errorf("%d slots of %d: %d looks for 10,000 hashes", len(w.slots), limit, looks)
		}
	}
}

func TestSpanHashTellsPartsApart(t *testing.T) {
	seen := map[uint64]string{}
	for p := range 20 {
		for tr := range uint64(20) {
			for id := range uint64(20) {
				trace := traceID(tr)
				h := spanHash(42, p, &trace, spanID(id))
				if other, ok := seen[h]; ok {
					t.Fatalf("%d/%d/%d has the hash of %s", p, tr, id, other)
				}
				seen[h] = fmt.Sprint(p, tr, id)
			}
		}
	}
}

func attrsBatch(t testing.TB, attrs ...run.Attr) (*otlp.Batch, []otlp.Attr) {
	b := decode(t, run.Traces, request(rank(0), sp(1, 0, "x", 0, 1, attrs...)))
	return b, b.Attributes(b.Spans[0].Attrs)
}

func TestDictionaryInternsShapesAndValues(t *testing.T) {
	d := newDict(run.IterationKeys())
	b, attrs := attrsBatch(t, str("a", "x"), num("b", 1))
	_, first := d.encode(nil, b, attrs)
	_, again := d.encode(nil, b, attrs)
	b2, other := attrsBatch(t, str("a", "x"), str("b", "1"))
	_, typed := d.encode(nil, b2, other)
	b3, prefix := attrsBatch(t, str("a", "y"))
	_, short := d.encode(nil, b3, prefix)
	if first != again || first == typed || first == short || len(d.shapes) != 3 {
		t.Errorf("shapes %d, %d, %d, %d of %d", first, again, typed, short, len(d.shapes))
	}
	d.encode(nil, b3, prefix)
	if want := []string{"", "x", "y"}; !slices.Equal(d.values, want) {
		t.Errorf("values = %q, want %q", d.values, want)
	}
}

func TestDictionaryIsCapped(t *testing.T) {
	d := newDict(nil)
	for i := range dictValues + 1000 {
		for range 2 {
			d.intern([]byte(fmt.Sprint("value ", i)))
		}
	}
	b, attrs := attrsBatch(t, str("k", "never seen before, and no room"), str("k", "value 7"))
	blob, at := d.encode(nil, b, attrs)
	v, n := d.value(blob, d.shapes[at].types[0])
	w, m := d.value(blob[n:], d.shapes[at].types[1])
	if v.Str() != "never seen before, and no room" || w.Str() != "value 7" {
		t.Errorf("values = %q, %q", v.Str(), w.Str())
	}
	if n < len(v.Str()) || m > 3 {
		t.Errorf("%d bytes written for a value without a place, %d for one with", n, m)
	}
	if len(d.values) > dictValues {
		t.Errorf("values = %d, want at most %d", len(d.values), dictValues)
	}
	if _, ok := d.intern(make([]byte, longValue+1)); ok {
		t.Error("a long value was interned")
	}
}

// What comes only once, such as an id, takes no place from what comes again.
func TestValuesThatComeOnceAreNotInterned(t *testing.T) {
	d := newDict(nil)
	for i := range 50_000 {
		d.intern([]byte(fmt.Sprintf("id %032d", i)))
	}
	if len(d.values) > 100 {
		t.Errorf("%d of 50,000 ids are in the dictionary", len(d.values))
	}
	missed := 0
	for i := range 2_000 {
		v := []byte(fmt.Sprint("host ", i))
		d.intern(v)
		if _, ok := d.intern(v); !ok {
			missed++
		}
	}
	if missed > 0 {
		t.Errorf("%d of 2,000 values that came again are not in the dictionary", missed)
	}
	before := d.bytes
	d.retire()
	if d.once != nil || d.ids != nil || d.bytes >= before || d.values[len(d.values)-1] == "" {
		t.Errorf("a retired dictionary holds %d bytes, was %d", d.bytes, before)
	}
}

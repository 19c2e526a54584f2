package store

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// FuzzRangeSet adds and removes numbers and compares with a map.
func FuzzRangeSet(f *testing.F) {
	f.Add([]byte{1, 2, 3, 0x81, 2, 4})
	f.Fuzz(func(t *testing.T, ops []byte) {
		var s rangeSet
		plain := map[int64]bool{}
		for _, op := range ops {
			n := int64(op & 0x3f)
			if op&0x80 != 0 {
				s.remove(n)
				delete(plain, n)
				continue
			}
			if s.add(n) == plain[n] {
				t.Fatalf("add(%d) does not know whether it is new", n)
			}
			plain[n] = true
		}
		if s.len() != len(plain) {
			t.Fatalf("%d numbers, want %d", s.len(), len(plain))
		}
		for n := range plain {
			if at := s.search(n); at == len(s.ranges) || s.ranges[at].from > n {
				t.Fatalf("%d is lost", n)
			}
		}
	})
}

// FuzzWindow adds hashes, many of them in one bucket, and looks for the newest of
// each bucket.
func FuzzWindow(f *testing.F) {
	f.Add([]byte("some bytes that make hashes"), uint8(3))
	f.Fuzz(func(t *testing.T, raw []byte, grow uint8) {
		w := window{limit: firstSlots << (grow % 4)}
		var hashes []uint64
		for len(raw) >= 2 && len(hashes) < chunkRows {
			// Few top bits differ, so buckets fill; the rest of the tag is the place.
			hashes = append(hashes, uint64(binary.LittleEndian.Uint16(raw)%256)<<56|uint64(len(hashes)+1)<<35)
			raw = raw[2:]
		}
		for i, h := range hashes {
			w.add(h, Ref{Chunk: 1, Row: uint16(i)}, 0)
		}
		if len(w.slots) > w.limit && len(hashes) > 0 {
			t.Fatalf("%d slots, limit %d", len(w.slots), w.limit)
		}
		kept := map[uint64]int{}
		for i := len(hashes) - 1; i >= 0; i-- {
			b := hashes[i] >> (64 - w.bits)
			if kept[b]++; kept[b] > bucketSlots {
				continue // older than the newest of its bucket
			}
			if r, ok := w.find(hashes[i], func(Ref) bool { return true }); !ok || int(r.Row) != i {
				t.Fatalf("span %d, one of the newest of its bucket, is found as %+v (%v)", i, r, ok)
			}
		}
	})
}

// FuzzQuantile compares percentiles of any durations with those of a sorted list.
func FuzzQuantile(f *testing.F) {
	f.Add([]byte{1, 0, 0, 0, 2, 0, 0, 0}, uint16(500), uint16(1))
	f.Add([]byte{0, 0, 0, 0, 9, 9, 9, 9}, uint16(990), uint16(3000))
	f.Fuzz(func(t *testing.T, raw []byte, perMille, repeat uint16) {
		var st StageStat
		var all []uint64
		for len(raw) >= 4 && len(all) < 1<<14 {
			d := uint64(binary.LittleEndian.Uint32(raw)) << (raw[0] % 24)
			raw = raw[4:]
			for range 1 + repeat%4096 {
				all = append(all, d)
				st.NameStat.add(d)
				st.quantiles.add(d)
			}
		}
		if len(all) == 0 {
			return
		}
		slices.Sort(all)
		q := float64(perMille) / 1000
		got, exact := st.Quantile(q)
		want := all[nearestRank(q, uint64(len(all)))-1]
		off := math.Abs(float64(got) - float64(want))
		if got < all[0] || got > all[len(all)-1] || exact && got != want || off > 1.01*sketchAccuracy*float64(want)+1 {
			t.Fatalf("q%g of %d is %d (exact %v), want %d", q, len(all), got, exact, want)
		}
	})
}

// FuzzBloom never denies a trace that was put in.
func FuzzBloom(f *testing.F) {
	f.Add([]byte("0123456789abcdef0123456789abcdeF"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		var ids []run.TraceID
		for len(raw) >= 16 {
			ids = append(ids, run.TraceID(raw[:16]))
			raw = raw[16:]
		}
		b := newBloom(ids)
		for _, id := range ids {
			if !b.has(id) {
				t.Fatalf("%s is denied", id)
			}
		}
	})
}

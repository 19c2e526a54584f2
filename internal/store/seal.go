package store

import (
	"encoding/binary"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/beamline-hpc/lensview/internal/run"
)

// seal packs the columns of a closed chunk. The streams are: times, ids,
// parents, traces, the small columns, what few rows have, attributes.
func (p *packer) seal(k *columns, shapes []*shape) []byte {
	p.reset()
	packNumbers(p, k.start)
	packNumbers(p, p.durations(k))
	p.ids(k.id)
	p.parents(k)
	p.put(traceBytes(k.traces))
	for _, col := range [][]uint16{k.trace, k.proc, k.name, k.form, k.shape} {
		packNumbers(p, col)
	}
	packNumbers(p, k.marks)
	p.extras(k)
	p.attributes(k, shapes)
	return p.blob()
}

func (p *packer) durations(k *columns) []int64 {
	d := slices.Grow(p.nums[:0], len(k.start))[:len(k.start)]
	for i, end := range k.end {
		d[i] = int64(end - k.start[i])
	}
	p.nums = d
	return d
}

// unseal is the columns of a sealed chunk of n rows.
func unseal(blob []byte, n int, shapes []*shape, dec *zstd.Decoder) *columns {
	u := newUnpacker(blob, dec)
	k := &columns{}
	k.start = unsigned[uint64](u.numbers(n))
	k.end = unsigned[uint64](u.numbers(n))
	for i, start := range k.start {
		k.end[i] += start
	}
	k.id = wordIDs(u.words(n))
	k.parent = u.parents(k.id)
	k.traces = bytesTraces(u.next())
	for _, col := range []*[]uint16{&k.trace, &k.proc, &k.name, &k.form, &k.shape} {
		*col = unsigned[uint16](u.numbers(n))
	}
	k.marks = unsigned[run.Mark](u.numbers(n))
	u.extras(k)
	u.attributes(k, shapes)
	return k
}

func unsigned[T ~uint16 | ~uint32 | ~uint64](vals []int64) []T {
	out := make([]T, len(vals))
	for i, v := range vals {
		out[i] = T(v)
	}
	return out
}

func wordIDs(words []int64) []run.SpanID {
	out := make([]run.SpanID, len(words))
	for i, w := range words {
		binary.BigEndian.PutUint64(out[i][:], uint64(w))
	}
	return out
}

func traceBytes(traces []run.TraceID) []byte {
	out := make([]byte, 0, len(traces)*len(run.TraceID{}))
	for _, t := range traces {
		out = append(out, t[:]...)
	}
	return out
}

func bytesTraces(b []byte) []run.TraceID {
	out := make([]run.TraceID, len(b)/len(run.TraceID{}))
	for i := range out {
		copy(out[i][:], b[i*len(out[i]):])
	}
	return out
}

// extras writes what few rows have beside the columns.
func (p *packer) extras(k *columns) {
	length := make([]int64, len(k.extraRow))
	for i := range length {
		length[i] = int64(len(k.extraBytes(i)))
	}
	packNumbers(p, []int{len(length)})
	packNumbers(p, k.extraRow)
	packNumbers(p, length)
	p.put(k.extra)
}

func (u *unpacker) extras(k *columns) {
	n := int(u.numbers(1)[0])
	k.extraRow = unsigned[uint16](u.numbers(n))
	k.extraAt = make([]uint32, n)
	at := uint32(0)
	for i, length := range u.numbers(n) {
		k.extraAt[i] = at
		at += uint32(length)
	}
	k.extra = append([]byte(nil), u.next()...)
}

package otlp

import (
	"encoding/binary"
	"math"
)

func (b *Builder) histogram(d *DataPoint) {
	b.times(d)
	p := appendFixed64Field(b.buf, 4, d.Count)
	p = appendOptional(p, 5, d.Sum, d.HasSum)
	if n := len(d.Buckets.Counts); n > 0 {
		p = appendVarint(appendTag(p, 6, bytesType), uint64(8*n))
		for _, v := range d.Buckets.Counts {
			p = binary.LittleEndian.AppendUint64(p, v)
		}
	}
	if n := len(d.Buckets.Bounds); n > 0 {
		p = appendVarint(appendTag(p, 7, bytesType), uint64(8*n))
		for _, v := range d.Buckets.Bounds {
			p = binary.LittleEndian.AppendUint64(p, math.Float64bits(v))
		}
	}
	b.buf = p
	b.exemplars(8, d.Exemplars)
	p = appendAttrs(b.buf, 9, d.Attrs)
	p = appendVarintField(p, 10, uint64(d.Flags))
	p = appendOptional(p, 11, d.Min, d.HasMin)
	b.buf = appendOptional(p, 12, d.Max, d.HasMax)
}

// appendOptional writes the field when it is there, zero included.
func appendOptional(p []byte, num uint32, v float64, has bool) []byte {
	if !has {
		return p
	}
	return appendDouble(p, num, v)
}

func (b *Builder) exponential(d *DataPoint) {
	b.buf = appendAttrs(b.buf, 1, d.Attrs)
	b.times(d)
	p := appendFixed64Field(b.buf, 4, d.Count)
	p = appendOptional(p, 5, d.Sum, d.HasSum)
	p = appendVarintField(p, 6, unzigzag(d.Buckets.Scale))
	b.buf = appendFixed64Field(p, 7, d.Buckets.ZeroCount)
	b.bucketSpan(8, &d.Buckets.Positive)
	b.bucketSpan(9, &d.Buckets.Negative)
	b.buf = appendVarintField(b.buf, 10, uint64(d.Flags))
	b.exemplars(11, d.Exemplars)
	p = appendOptional(b.buf, 12, d.Min, d.HasMin)
	p = appendOptional(p, 13, d.Max, d.HasMax)
	b.buf = appendFixed64Field(p, 14, math.Float64bits(d.Buckets.ZeroThreshold))
}

// unzigzag is v as it is sent in a sint32.
func unzigzag(v int32) uint64 { return uint64(uint32(v<<1) ^ uint32(v>>31)) }

func (b *Builder) bucketSpan(num uint32, s *BucketSpan) {
	if s.Offset == 0 && len(s.Counts) == 0 {
		return
	}
	at := b.message(num)
	b.buf = appendVarintField(b.buf, 1, unzigzag(s.Offset))
	if len(s.Counts) > 0 {
		list := b.message(2)
		for _, v := range s.Counts {
			b.buf = appendVarint(b.buf, v)
		}
		b.end(list)
	}
	b.end(at)
}

func (b *Builder) summary(d *DataPoint) {
	b.times(d)
	b.buf = appendFixed64Field(b.buf, 4, d.Count)
	b.buf = appendFixed64Field(b.buf, 5, math.Float64bits(d.Sum))
	for _, q := range d.Buckets.Quantiles {
		at := b.message(6)
		b.buf = appendFixed64Field(b.buf, 1, math.Float64bits(q.Q))
		b.buf = appendFixed64Field(b.buf, 2, math.Float64bits(q.Value))
		b.end(at)
	}
	b.buf = appendAttrs(b.buf, 7, d.Attrs)
	b.buf = appendVarintField(b.buf, 8, uint64(d.Flags))
}

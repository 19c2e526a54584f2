package otlp

import (
	"encoding/binary"
	"math"
	"math/bits"

	"github.com/beamline-hpc/lensview/internal/run"
)

// sizeVarint is the number of bytes of v as a varint.
func sizeVarint(v uint64) int { return (bits.Len64(v|1) + 6) / 7 }

// putVarint writes v to the front of p.
func putVarint(p []byte, v uint64) { binary.PutUvarint(p, v) }

func appendVarint(p []byte, v uint64) []byte {
	if v < 0x80 {
		return append(p, byte(v))
	}
	return binary.AppendUvarint(p, v)
}

func appendTag(p []byte, num uint32, wire uint8) []byte {
	return appendVarint(p, uint64(num)<<3|uint64(wire))
}

// The append…Field functions leave out zero values, as proto3 does.

func appendVarintField(p []byte, num uint32, v uint64) []byte {
	if v == 0 {
		return p
	}
	return appendVarint(appendTag(p, num, varintType), v)
}

func appendFixed64Field(p []byte, num uint32, v uint64) []byte {
	if v == 0 {
		return p
	}
	return appendFixed64(p, num, v)
}

// appendFixed64 writes the field even when v is zero.
func appendFixed64(p []byte, num uint32, v uint64) []byte {
	return binary.LittleEndian.AppendUint64(appendTag(p, num, fixed64Type), v)
}

func appendFixed32Field(p []byte, num, v uint32) []byte {
	if v == 0 {
		return p
	}
	return binary.LittleEndian.AppendUint32(appendTag(p, num, fixed32Type), v)
}

func appendStringField(p []byte, num uint32, s string) []byte {
	if s == "" {
		return p
	}
	return appendString(p, num, s)
}

// appendString writes the field even when s is empty.
func appendString(p []byte, num uint32, s string) []byte {
	p = appendVarint(appendTag(p, num, bytesType), uint64(len(s)))
	return append(p, s...)
}

// appendDouble writes the field even when v is zero.
func appendDouble(p []byte, num uint32, v float64) []byte {
	return appendFixed64(p, num, math.Float64bits(v))
}

// appendAttrs writes each attribute as a KeyValue in field num.
func appendAttrs(p []byte, num uint32, attrs []run.Attr) []byte {
	for i := range attrs {
		n := sizePair(&attrs[i])
		p = appendVarint(appendTag(p, num, bytesType), uint64(n))
		p = appendPair(p, &attrs[i])
	}
	return p
}

// appendPair writes the content of a KeyValue. The value is written even when
// it is empty, as SDKs do.
func appendPair(p []byte, a *run.Attr) []byte {
	p = appendStringField(p, 1, a.Key)
	p = appendVarint(append(p, 2<<3|bytesType), uint64(sizeValue(&a.Value)))
	return appendValue(p, &a.Value)
}

// appendValue writes the content of an AnyValue.
func appendValue(p []byte, v *run.Value) []byte {
	switch v.Type {
	case run.String, run.Bytes:
		p = appendString(p, uint32(v.Type), v.Str())
	case run.Bool:
		p = append(p, 2<<3|varintType, byte(truth(uint64(v.Int()))))
	case run.Int:
		p = appendVarint(append(p, 3<<3|varintType), uint64(v.Int()))
	case run.Double:
		p = appendDouble(p, 4, v.Double())
	case run.Array, run.KVList:
		p = appendVarint(appendTag(p, uint32(v.Type), bytesType), uint64(sizeList(v)))
		p = appendList(p, v)
	}
	return p
}

// appendList writes the content of an ArrayValue or KeyValueList.
func appendList(p []byte, v *run.Value) []byte {
	if v.Type == run.KVList {
		return appendAttrs(p, 1, v.Attrs())
	}
	list := v.List()
	for i := range list {
		p = appendVarint(append(p, 1<<3|bytesType), uint64(sizeValue(&list[i])))
		p = appendValue(p, &list[i])
	}
	return p
}

// sizePair, sizeValue and sizeList are the lengths of what the append functions
// of the same names write.
func sizePair(a *run.Attr) int {
	n := sizeField(sizeValue(&a.Value))
	if a.Key != "" {
		n += sizeField(len(a.Key))
	}
	return n
}

func sizeValue(v *run.Value) int {
	switch v.Type {
	case run.String, run.Bytes:
		return sizeField(len(v.Str()))
	case run.Bool:
		return 2
	case run.Int:
		return 1 + sizeVarint(uint64(v.Int()))
	case run.Double:
		return 9
	case run.Array, run.KVList:
		return sizeField(sizeList(v))
	}
	return 0
}

// sizeField is the size of a bytes field of n bytes with a tag of one byte.
func sizeField(n int) int { return 1 + sizeVarint(uint64(n)) + n }

func sizeList(v *run.Value) int {
	n := 0
	if v.Type == run.KVList {
		kvs := v.Attrs()
		for i := range kvs {
			n += sizeField(sizePair(&kvs[i]))
		}
		return n
	}
	list := v.List()
	for i := range list {
		n += sizeField(sizeValue(&list[i]))
	}
	return n
}

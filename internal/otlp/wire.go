package otlp

import "encoding/binary"

// Wire types of protobuf.
const (
	varintType  = 0
	fixed64Type = 1
	bytesType   = 2
	groupStart  = 3
	groupEnd    = 4
	fixed32Type = 5
)

const (
	maxField      = 1<<29 - 1 // highest field number of a message
	maxGroupField = 1<<31 - 1 // highest that protobuf lets pass inside a skipped group
)

// field is one field of a message: its number, wire type and payload.
type field struct {
	num     uint32
	wire    uint8
	v       uint64 // payload of varint, fixed32 and fixed64
	at, end int    // payload of bytes is p[at:end]; end is the index after the field for all
}

// key is number and wire type together, so that a known number with a foreign
// wire type is skipped like an unknown field, as protobuf does.
func (f *field) key() uint64 { return uint64(f.num)<<3 | uint64(f.wire) }

// ref is the payload of a bytes field.
func (f *field) ref() Ref { return Ref{uint32(f.at), uint32(f.end - f.at)} }

// read reads the field at p[i:]. Indexes stay those of the whole request, so p
// is always a prefix of it that ends with the message.
func (f *field) read(p []byte, i int) error {
	tag, j := varint(p, i)
	if j < 0 {
		return wireError(-j)
	}
	if n := tag >> 3; n == 0 || n > maxField {
		return errFieldNumber
	}
	f.num, f.wire = uint32(tag>>3), uint8(tag&7)
	if e := f.payload(p, j); e != noError {
		return e
	}
	return nil
}

// payload reads what follows the tag.
func (f *field) payload(p []byte, i int) wireError {
	if f.wire == bytesType {
		return f.bytes(p, i)
	}
	return f.number(p, i)
}

func (f *field) bytes(p []byte, i int) wireError {
	n, j := varint(p, i)
	if j < 0 {
		return wireError(-j)
	}
	if n > uint64(len(p)-j) {
		return errTruncated
	}
	f.at, f.end = j, j+int(n)
	return noError
}

func (f *field) number(p []byte, i int) wireError {
	switch f.wire {
	case varintType:
		f.v, f.end = varint(p, i)
	case fixed64Type:
		if len(p)-i < 8 {
			return errTruncated
		}
		f.v, f.end = binary.LittleEndian.Uint64(p[i:]), i+8
	case fixed32Type:
		if len(p)-i < 4 {
			return errTruncated
		}
		f.v, f.end = uint64(binary.LittleEndian.Uint32(p[i:])), i+4
	case groupStart:
		f.end = skipGroup(p, i, uint64(f.num), 1)
	case groupEnd:
		return errEndGroup
	default:
		return errWireType
	}
	if f.end < 0 {
		return wireError(-f.end)
	}
	return noError
}

// varint reads the number at p[i:] and gives the index after it, or a negated
// wireError.
func varint(p []byte, i int) (uint64, int) {
	if i < len(p) && p[i] < 0x80 {
		return uint64(p[i]), i + 1
	}
	return longVarint(p, i)
}

func longVarint(p []byte, i int) (uint64, int) {
	var x uint64
	for shift := uint(0); shift < 64; shift += 7 {
		if i >= len(p) {
			return 0, -int(errVarint)
		}
		c := p[i]
		i++
		if c < 0x80 {
			if shift == 63 && c > 1 {
				break
			}
			return x | uint64(c)<<shift, i
		}
		x |= uint64(c&0x7f) << shift
	}
	return 0, -int(errOverflow)
}

// skipGroup gives the index after the group num whose start tag ends at i, or
// a negated wireError. OTLP has no groups; they can only be unknown fields.
func skipGroup(p []byte, i int, num uint64, depth int) int {
	if depth > MaxDepth {
		return -int(errDepth)
	}
	for {
		tag, j := varint(p, i)
		if j < 0 {
			return j
		}
		n, wire := tag>>3, uint8(tag&7)
		if n == 0 || n > maxGroupField {
			return -int(errFieldNumber)
		}
		if wire == groupEnd {
			if n != num {
				return -int(errEndGroup)
			}
			return j
		}
		if i = skipMember(p, j, n, wire, depth); i < 0 {
			return i
		}
	}
}

// skipMember gives the index after the payload at i of a field in a group.
func skipMember(p []byte, i int, num uint64, wire uint8, depth int) int {
	if wire == groupStart {
		return skipGroup(p, i, num, depth+1)
	}
	f := field{wire: wire}
	if e := f.payload(p, i); e != noError {
		return -int(e)
	}
	return f.end
}

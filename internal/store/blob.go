package store

import (
	"encoding/binary"
	"math"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// An attribute value in a chunk's blob, by the type that its shape says:
// a string is a uvarint whose low bit tells a place in the dictionary (0) from a
// length with the bytes after it (1); an int is a zigzag varint, a double eight
// bytes, a bool one; bytes, arrays and lists are a length and the wire bytes.

// blobLen is the length of the value of type t at the start of b.
func blobLen(b []byte, t run.Type) int {
	switch t {
	case run.Empty:
		return 0
	case run.Bool:
		return 1
	case run.Double:
		return 8
	}
	if t == run.Int {
		return varintLen(b)
	}
	u, n := uint64(b[0]), 1 // most are one byte
	if u >= 0x80 {
		u, n = binary.Uvarint(b)
	}
	switch {
	case t != run.String:
		return n + int(u)
	case u&1 != 0:
		return n + int(u>>1)
	}
	return n
}

// varintLen is the length of the varint at the start of b.
func varintLen(b []byte) int {
	n := 1
	for b[n-1] >= 0x80 {
		n++
	}
	return n
}

// value reads the value of type t at the start of b and says how long it is.
func (d *dictView) value(b []byte, t run.Type) (run.Value, int) {
	n := blobLen(b, t)
	switch t {
	case run.Empty:
		return run.Value{}, 0
	case run.Bool:
		return run.BoolValue(b[0] != 0), n
	case run.Double:
		return run.DoubleValue(math.Float64frombits(binary.LittleEndian.Uint64(b))), n
	case run.Int:
		v, _ := binary.Varint(b)
		return run.IntValue(v), n
	case run.String:
		u, head := binary.Uvarint(b)
		if u&1 == 0 {
			return run.StringValue(d.values[u>>1]), n
		}
		return run.StringValue(string(b[head:n])), n
	}
	_, head := binary.Uvarint(b)
	return otlp.ExpandValue(t, 0, b[head:n]), n
}

// appendValue writes the value of a at the end of blob.
func (d *dict) appendValue(blob []byte, b *otlp.Batch, a *otlp.Attr) []byte {
	switch a.Type {
	case run.Empty:
		return blob
	case run.Bool:
		return append(blob, byte(a.Num))
	case run.Double:
		return binary.LittleEndian.AppendUint64(blob, a.Num)
	case run.Int:
		return appendUvarint(blob, a.Num<<1^uint64(int64(a.Num)>>63))
	}
	v := b.Bytes(a.Val)
	if a.Type != run.String {
		return append(binary.AppendUvarint(blob, uint64(len(v))), v...)
	}
	if id, ok := d.intern(v); ok {
		return appendUvarint(blob, uint64(id)<<1)
	}
	return append(binary.AppendUvarint(blob, uint64(len(v))<<1|1), v...)
}

// appendUvarint is binary's, in line for what is short: most values are.
func appendUvarint(blob []byte, u uint64) []byte {
	if u < 0x80 {
		return append(blob, byte(u))
	}
	return binary.AppendUvarint(blob, u)
}

// appendExtra writes an entry of a chunk's extra bytes: the length of an own
// name and the name, then wire bytes.
func appendExtra(dst, name, fields []byte) []byte {
	dst = append(binary.AppendUvarint(dst, uint64(len(name))), name...)
	return append(dst, fields...)
}

// splitExtra takes an entry of a chunk's extra bytes apart.
func splitExtra(b []byte) (name string, fields []byte) {
	n, head := binary.Uvarint(b)
	return string(b[head : head+int(n)]), b[head+int(n):]
}

package otlp

import (
	"encoding/binary"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// attr reads the KeyValue at p[i:] into a new row of Attrs.
func (b *Batch) attr(p []byte, i int) error {
	a := b.newAttr()
	if fastAttr(p, i, a) {
		return nil
	}
	*a = Attr{}
	if err := b.room(); err != nil {
		return err
	}
	return b.anyAttr(p, i, a)
}

// tryAttr is attr for the fast form only. It reports false, having done
// nothing, when the attribute has another form.
func (b *Batch) tryAttr(p []byte, i int) bool {
	if fastAttr(p, i, b.newAttr()) {
		return true
	}
	b.Attrs = b.Attrs[:len(b.Attrs)-1]
	return false
}

// newAttr appends a row with old contents.
func (b *Batch) newAttr() *Attr {
	n := len(b.Attrs)
	if n == cap(b.Attrs) {
		b.Attrs = slices.Grow(b.Attrs, 1)
	}
	b.Attrs = b.Attrs[:n+1]
	return &b.Attrs[n]
}

// fastAttr reads the form in which every SDK writes an attribute: a short
// ASCII key, then a value of a scalar type, and nothing else. It reports false,
// with a in any state, when the attribute has another form.
func fastAttr(p []byte, i int, a *Attr) bool {
	if len(p)-i < 4 || p[i] != 1<<3|bytesType {
		return false
	}
	key := i + 2
	val := key + int(p[i+1])
	if val+2 > len(p) || p[val] != 2<<3|bytesType || p[i+1]|p[val+1] >= 0x80 || val+2+int(p[val+1]) != len(p) {
		return false
	}
	if !ascii(p[key:val]) {
		return false
	}
	a.Key = Ref{uint32(key), uint32(val - key)}
	return fastValue(p, val+2, a)
}

func fastValue(p []byte, i int, a *Attr) bool {
	if i == len(p) {
		a.set(run.Empty, 0, Ref{})
		return true
	}
	switch p[i] {
	case 1<<3 | bytesType:
		if len(p)-i < 2 || p[i+1] >= 0x80 || i+2+int(p[i+1]) != len(p) || !ascii(p[i+2:]) {
			return false
		}
		a.set(run.String, 0, Ref{uint32(i + 2), uint32(len(p) - i - 2)})
		return true
	case 2<<3 | varintType:
		if len(p)-i != 2 || p[i+1] > 1 {
			return false
		}
		a.set(run.Bool, uint64(p[i+1]), Ref{})
		return true
	case 3<<3 | varintType:
		v, j := varint(p, i+1)
		a.set(run.Int, v, Ref{})
		return j == len(p)
	case 4<<3 | fixed64Type:
		if len(p)-i != 9 {
			return false
		}
		a.set(run.Double, binary.LittleEndian.Uint64(p[i+1:]), Ref{})
		return true
	}
	return false
}

func (a *Attr) set(t run.Type, num uint64, val Ref) { a.Type, a.Num, a.Val = t, num, val }

// anyAttr reads a KeyValue of any form. The key is repaired once, at the end,
// so that nothing comes between the parts of a value in the side buffer.
func (b *Batch) anyAttr(p []byte, i int, a *Attr) error {
	var f field
	ok := true
	for ; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		switch f.key() {
		case 1<<3 | bytesType:
			a.Key, ok = f.ref(), validText(p[f.at:f.end])
			if !ok {
				b.Repaired++
			}
		case 2<<3 | bytesType:
			if err := b.value(p[:f.end], f.at, a); err != nil {
				return within(err, "value")
			}
		}
	}
	if !ok {
		a.Key = b.repair(a.Key)
	}
	return nil
}

// value merges the AnyValue at p[i:] into a: of several members the last
// counts, but a list that follows a list of its own type is joined to it.
func (b *Batch) value(p []byte, i int, a *Attr) error {
	var f field
	for ; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		switch f.key() {
		case 1<<3 | bytesType:
			a.set(run.String, 0, b.str(f.ref()))
		case 2<<3 | varintType:
			a.set(run.Bool, truth(f.v), Ref{})
		case 3<<3 | varintType:
			a.set(run.Int, f.v, Ref{})
		case 4<<3 | fixed64Type:
			a.set(run.Double, f.v, Ref{})
		case 5<<3 | bytesType, 6<<3 | bytesType:
			if err := b.list(p[:f.end], f.at, run.Type(f.num), a); err != nil {
				return err
			}
		case 7<<3 | bytesType:
			a.set(run.Bytes, 0, f.ref())
		case 8<<3 | varintType: // an index into a table that only profiles have
			a.set(run.Empty, 0, Ref{})
		}
	}
	return nil
}

func truth(v uint64) uint64 {
	if v != 0 {
		return 1
	}
	return 0
}

// list takes the ArrayValue or KeyValueList at p[i:] as a's value.
func (b *Batch) list(p []byte, i int, t run.Type, a *Attr) error {
	if err := b.checkList(p, i, t, 1); err != nil {
		return err
	}
	r := Ref{uint32(i), uint32(len(p) - i)}
	if a.Type == t {
		r = b.join(a.Val, r)
	}
	a.set(t, 0, r)
	return nil
}

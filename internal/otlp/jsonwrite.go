package otlp

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/beamline-hpc/lensview/internal/run"
)

// AppendJSON appends a protobuf request as OTLP JSON, on one line and without a
// line end. Names are lowerCamelCase, ids lower-case hex, 64-bit integers and
// doubles that are not finite quoted, enums integers, bytes base64. Attributes
// keep their order and their duplicates. Only unknown fields are dropped, and
// what is not UTF-8 in strings is replaced by U+FFFD.
//
// The request is read as protobuf defines it: repeated fields may be scattered,
// the last of a scalar or oneof counts and repeated messages merge. On an error,
// which names the place, dst is returned as it was.
func AppendJSON(dst []byte, signal run.Signal, body []byte) ([]byte, error) {
	w := jsonWriter{dst: dst}
	if err := w.message(jsonTables()[signal], body); err != nil {
		return dst, fmt.Errorf("write %s request as JSON: %w", signal, err)
	}
	return w.dst, nil
}

// jsonWriter writes messages depth first.
type jsonWriter struct {
	dst   []byte
	depth int // of arrays and key-value lists
}

// jsonCensus says which of a message's fields are to be written, and from where.
type jsonCensus struct {
	fields [jsonMaxFields]jsonOccurrence
	oneofs [jsonMaxOneofs]*jsonField // member that was sent last
}

// jsonMaxOneofs bounds the oneofs of one message; no OTLP message has two.
const jsonMaxOneofs = 2

// jsonOccurrence is the places of one field in its message.
type jsonOccurrence struct {
	count       int
	first, last int // offsets of tags
}

// take counts the fields of b. Of a oneof only the member that came last stays,
// from where it followed another.
func (c *jsonCensus) take(m *jsonMessage, b []byte) error {
	for off := 0; off < len(b); {
		number, wire, n := protowire.ConsumeTag(b[off:])
		if n < 0 {
			return errTruncated
		}
		size := protowire.ConsumeFieldValue(number, wire, b[off+n:])
		if size < 0 {
			return errTruncated
		}
		if f := m.number(number); f != nil && f.readable(wire) {
			c.add(f, off)
		}
		off += n + size
	}
	return nil
}

func (c *jsonCensus) add(f *jsonField, off int) {
	if f.oneof > 0 {
		if last := c.oneofs[f.oneof-1]; last != nil && last != f {
			c.fields[last.index] = jsonOccurrence{}
		}
		c.oneofs[f.oneof-1] = f
	}
	o := &c.fields[f.index]
	if o.count == 0 {
		o.first = off
	}
	o.last = off
	o.count++
}

// readable reports whether the field may come with this wire type; with another
// one it is passed over like an unknown field.
func (f *jsonField) readable(wire protowire.Type) bool {
	return wire == f.wire || f.packed() && wire == protowire.BytesType
}

// message writes the message b as an object.
func (w *jsonWriter) message(m *jsonMessage, b []byte) error {
	var census jsonCensus
	if err := census.take(m, b); err != nil {
		return err
	}
	w.dst = append(w.dst, '{')
	empty := len(w.dst)
	for off := 0; off < len(b); {
		number, wire, n := protowire.ConsumeTag(b[off:])
		f := m.number(number)
		if f != nil && f.readable(wire) {
			if o := census.fields[f.index]; o.count > 0 && o.first == off {
				w.name(f, empty)
				if err := w.field(f, b, o); err != nil {
					return err
				}
			}
		}
		off += n + protowire.ConsumeFieldValue(number, wire, b[off+n:])
	}
	w.dst = append(w.dst, '}')
	return nil
}

func (w *jsonWriter) name(f *jsonField, empty int) {
	if len(w.dst) > empty {
		w.dst = append(w.dst, ',')
	}
	w.dst = append(w.dst, '"')
	w.dst = append(w.dst, f.name...)
	w.dst = append(w.dst, '"', ':')
}

// field writes the value of f, which has the places o in the message b.
func (w *jsonWriter) field(f *jsonField, b []byte, o jsonOccurrence) error {
	switch {
	case f.list:
		return w.list(f, b, o)
	case f.message == nil:
		_, payload, _ := jsonPayload(b, o.last)
		w.scalar(f, payload)
		return nil
	}
	_, payload, _ := jsonPayload(b, o.last)
	if o.count > 1 {
		payload = merged(f, b, o)
	}
	if err := w.nested(f.message, payload); err != nil {
		return within(err, f.name)
	}
	return nil
}

// merged is the payloads of a message that was sent in parts, one after the
// other, which is how protobuf defines their merger.
func merged(f *jsonField, b []byte, o jsonOccurrence) []byte {
	var whole []byte
	for off := o.first; off <= o.last; {
		number, payload, next := jsonPayload(b, off)
		if number == f.number {
			whole = append(whole, payload...)
		}
		off = next
	}
	return whole
}

// list writes all elements of f as an array.
func (w *jsonWriter) list(f *jsonField, b []byte, o jsonOccurrence) error {
	w.dst = append(w.dst, '[')
	empty := len(w.dst)
	for off, n := o.first, 0; off <= o.last; {
		number, wire, size := protowire.ConsumeTag(b[off:])
		_, payload, next := jsonPayload(b, off)
		off = next
		if number != f.number || !f.readable(wire) || size < 0 {
			continue
		}
		if err := w.elements(f, wire, payload, empty); err != nil {
			return at(err, f.name, n)
		}
		n++
	}
	w.dst = append(w.dst, ']')
	return nil
}

// elements writes one element, or those that are packed in one payload.
func (w *jsonWriter) elements(f *jsonField, wire protowire.Type, payload []byte, empty int) error {
	packed := f.packed() && wire == protowire.BytesType
	for more := true; more; {
		one := payload
		if packed {
			if len(payload) == 0 {
				return nil
			}
			n := protowire.ConsumeFieldValue(f.number, f.wire, payload)
			if n < 0 {
				return errPacked
			}
			one, payload = payload[:n], payload[n:]
		}
		if more = packed; len(w.dst) > empty {
			w.dst = append(w.dst, ',')
		}
		if f.message == nil {
			w.scalar(f, one)
		} else if err := w.nested(f.message, one); err != nil {
			return err
		}
	}
	return nil
}

func (w *jsonWriter) nested(m *jsonMessage, b []byte) error {
	if m.nests {
		if w.depth++; w.depth > MaxDepth {
			return errDepth
		}
		defer func() { w.depth-- }()
	}
	return w.message(m, b)
}

// jsonPayload is the field at off: its payload, without the length of a
// length-delimited one, and where the next field starts. The field has been
// checked.
func jsonPayload(b []byte, off int) (protowire.Number, []byte, int) {
	number, wire, n := protowire.ConsumeTag(b[off:])
	size := protowire.ConsumeFieldValue(number, wire, b[off+n:])
	next := off + n + size
	if wire == protowire.BytesType {
		_, skip := protowire.ConsumeVarint(b[off+n:])
		n += skip
	}
	return number, b[off+n : next], next
}

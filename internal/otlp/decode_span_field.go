package otlp

import "github.com/beamline-hpc/lensview/internal/run"

// spanField reads the field at p[i:] in any form and gives the index after it.
func (b *Batch) spanField(p []byte, i int, s *Span) (int, error) {
	var f field
	if err := f.read(p, i); err != nil {
		return 0, err
	}
	var err error
	switch f.key() {
	case 1<<3 | bytesType, 2<<3 | bytesType, 4<<3 | bytesType:
		b.spanID(p[f.at:f.end], f.num, s)
	case 5<<3 | bytesType:
		s.Name = b.str(f.ref())
	case 6<<3 | varintType:
		s.Kind = run.Kind(enum8(f.v))
	case 7<<3 | fixed64Type:
		s.Start = f.v
	case 8<<3 | fixed64Type:
		s.End = f.v
	case 9<<3 | bytesType:
		if err = b.attr(p[:f.end], f.at); err != nil {
			err = at(err, "attributes", len(b.Attrs)-1-int(s.Attrs.From))
		}
	case 16<<3 | fixed32Type:
		s.Flags = uint32(f.v)
	default:
		err = b.spanRare(p, i, &f, s)
	}
	return f.end, err
}

// enum8 keeps an enum value that fits a byte; no enum of OTLP has larger ones,
// and what a later version may add is better unspecified than mistaken.
func enum8(v uint64) uint8 {
	if n := int32(v); n >= 0 && n < 256 {
		return uint8(n)
	}
	return 0
}

// spanRare checks a field that goes to Extra, and skips unknown ones.
func (b *Batch) spanRare(p []byte, i int, f *field, s *Span) error {
	switch f.key() {
	case 3<<3 | bytesType:
		b.count(p[f.at:f.end])
	case 10<<3 | varintType, 12<<3 | varintType, 14<<3 | varintType:
	case 11<<3 | bytesType:
		if err := b.checkMessage(p[:f.end], f.at, 2, 3); err != nil {
			return within(err, "events")
		}
	case 13<<3 | bytesType:
		if err := b.checkMessage(p[:f.end], f.at, 3, 4); err != nil {
			return within(err, "links")
		}
	case 15<<3 | bytesType:
		rare, err := b.status(p[:f.end], f.at, s)
		if err != nil {
			return within(err, "status")
		}
		if !rare {
			return nil
		}
	default:
		return nil
	}
	b.rare(Ref{uint32(i), uint32(f.end - i)}, s)
	return nil
}

// rare adds a field, tag included, to Extra: in place as long as the rare
// fields are neighbours, else gathered for a copy.
func (b *Batch) rare(r Ref, s *Span) {
	switch {
	case len(b.now.extra) > 0:
		b.now.extra = append(b.now.extra, b.Bytes(r)...)
	case s.Extra.n == 0:
		s.Extra = r
	case s.Extra.off+s.Extra.n == r.off:
		s.Extra.n += r.n
	default:
		b.now.extra = append(b.now.extra, b.Bytes(s.Extra)...)
		b.now.extra = append(b.now.extra, b.Bytes(r)...)
	}
}

// status reads a Status and reports whether it has a message.
func (b *Batch) status(p []byte, i int, s *Span) (bool, error) {
	var f field
	message := false
	for ; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return false, err
		}
		switch f.key() {
		case 2<<3 | bytesType:
			message = true
			b.count(p[f.at:f.end])
		case 3<<3 | varintType:
			s.Status = run.Status(enum8(f.v))
		}
	}
	return message, nil
}

// spanID takes an id, whatever its length. A later one replaces it.
func (b *Batch) spanID(id []byte, num uint32, s *Span) {
	switch num {
	case 1:
		s.TraceID, b.now.trace = traceID(id), len(id)
	case 2:
		s.ID, b.now.id = spanID(id), len(id)
	case 4:
		s.Parent, b.now.parent = spanID(id), len(id)
	}
}

// traceID is the id, or none when it is not 16 bytes long.
func traceID(id []byte) (t run.TraceID) {
	if len(id) == len(t) {
		copy(t[:], id)
	}
	return t
}

// spanID is the id, or none when it is not 8 bytes long.
func spanID(id []byte) (s run.SpanID) {
	if len(id) == len(s) {
		copy(s[:], id)
	}
	return s
}

// problem says why the span cannot be kept, "" when it can. A parent that is
// empty or all zero is none.
func (n *spanState) problem(s *Span) string {
	switch {
	case n.trace == 0:
		return "span without a trace id"
	case n.trace != len(s.TraceID):
		return "trace id is not 16 bytes long"
	case s.TraceID.IsZero():
		return "trace id is all zero"
	case n.id == 0:
		return "span without a span id"
	case n.id != len(s.ID):
		return "span id is not 8 bytes long"
	case s.ID.IsZero():
		return "span id is all zero"
	case n.parent != 0 && n.parent != len(s.Parent):
		return "parent span id is not 8 bytes long"
	}
	return ""
}

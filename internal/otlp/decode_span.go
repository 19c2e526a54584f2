package otlp

import (
	"encoding/binary"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Tag bytes of the span fields that the fast path reads.
const (
	tagTraceID = 1<<3 | bytesType
	tagSpanID  = 2<<3 | bytesType
	tagParent  = 4<<3 | bytesType
	tagName    = 5<<3 | bytesType
	tagKind    = 6<<3 | varintType
	tagStart   = 7<<3 | fixed64Type
	tagEnd     = 8<<3 | fixed64Type
	tagAttr    = 9<<3 | bytesType
	tagStatus  = 15<<3 | bytesType
	tagFlags   = 16<<3&0x7f | fixed32Type | 0x80 // first of two bytes, the second is 1
)

// spanState is what is known of the span being read beside its row: the
// lengths of its ids as sent, and its rarer fields when they must be copied.
type spanState struct {
	trace, id, parent int
	extra             []byte
}

// span reads a Span into a new row, or counts it as rejected.
func (b *Batch) span(p []byte, i int, scope uint32) error {
	b.Spans = append(b.Spans, Span{Scope: scope})
	s := &b.Spans[len(b.Spans)-1]
	s.Attrs.From = uint32(len(b.Attrs))
	b.now = spanState{extra: b.now.extra[:0]}
	side := len(b.side)
	for i < len(p) {
		if i = b.fastSpan(p, i, s); i == len(p) {
			break
		}
		next, err := b.spanField(p, i, s)
		if err != nil {
			return err
		}
		i = next
	}
	s.Attrs.To = uint32(len(b.Attrs))
	if reason := b.now.problem(s); reason != "" {
		b.reject(reason)
		b.Attrs, b.side, b.Spans = b.Attrs[:s.Attrs.From], b.side[:side], b.Spans[:len(b.Spans)-1]
	} else if len(b.now.extra) > 0 {
		s.Extra = b.keep(b.now.extra)
	}
	return nil
}

// fastSpan reads fields for as long as they have the form in which every SDK
// writes them and gives the index of the first that has not.
func (b *Batch) fastSpan(p []byte, i int, s *Span) int {
	for len(p)-i >= 2 {
		n := int(p[i+1])
		switch p[i] {
		case tagTraceID:
			if n != 16 || len(p)-i < 18 {
				return i
			}
			s.TraceID, b.now.trace = run.TraceID(p[i+2:i+18]), n
			i += 18
		case tagSpanID:
			if n != 8 || len(p)-i < 10 {
				return i
			}
			s.ID, b.now.id = run.SpanID(p[i+2:i+10]), n
			i += 10
		case tagParent:
			if n != 8 || len(p)-i < 10 {
				return i
			}
			s.Parent, b.now.parent = run.SpanID(p[i+2:i+10]), n
			i += 10
		case tagStart:
			if len(p)-i < 9 {
				return i
			}
			s.Start = binary.LittleEndian.Uint64(p[i+1:])
			i += 9
		case tagEnd:
			if len(p)-i < 9 {
				return i
			}
			s.End = binary.LittleEndian.Uint64(p[i+1:])
			i += 9
		case tagAttr:
			if n >= 0x80 || len(p)-i < 2+n || !b.tryAttr(p[:i+2+n], i+2) {
				return i
			}
			i += 2 + n
		default:
			next := fastSpanRest(p, i, s)
			if next == i {
				return i
			}
			i = next
		}
	}
	return i
}

// fastSpanRest is fastSpan for the fields that are there once or not at all.
func fastSpanRest(p []byte, i int, s *Span) int {
	v := p[i+1]
	switch p[i] {
	case tagName:
		end := i + 2 + int(v)
		if v < 0x80 && end <= len(p) && ascii(p[i+2:end]) {
			s.Name = Ref{uint32(i + 2), uint32(v)}
			return end
		}
	case tagKind:
		if v < 0x80 {
			s.Kind = run.Kind(v)
			return i + 2
		}
	case tagStatus:
		if v == 0 {
			return i + 2
		}
		if v == 2 && len(p)-i >= 4 && p[i+2] == 3<<3|varintType && p[i+3] < 0x80 {
			s.Status = run.Status(p[i+3])
			return i + 4
		}
	case tagFlags:
		if v == 1 && len(p)-i >= 6 {
			s.Flags = binary.LittleEndian.Uint32(p[i+2:])
			return i + 6
		}
	}
	return i
}

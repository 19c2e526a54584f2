package otlp

import "github.com/beamline-hpc/lensview/internal/run"

// Span adds a span to the open scope. Its Scope, Marks and Process are not
// written.
func (b *Builder) Span(s *run.Span) {
	b.inScope()
	at := b.message(2)
	p := appendID(b.buf, 1, s.TraceID[:])
	p = appendID(p, 2, s.ID[:])
	p = appendStringField(p, 3, s.TraceState)
	if !s.Parent.IsZero() {
		p = appendID(p, 4, s.Parent[:])
	}
	p = appendStringField(p, 5, s.Name)
	p = appendVarintField(p, 6, uint64(s.Kind))
	p = appendFixed64Field(p, 7, s.Start)
	p = appendFixed64Field(p, 8, s.End)
	p = appendAttrs(p, 9, s.Attrs)
	p = appendVarintField(p, 10, uint64(s.DroppedAttrs))
	b.buf = p
	for i := range s.Events {
		b.event(&s.Events[i])
	}
	b.buf = appendVarintField(b.buf, 12, uint64(s.DroppedEvents))
	for i := range s.Links {
		b.link(&s.Links[i])
	}
	b.buf = appendVarintField(b.buf, 14, uint64(s.DroppedLinks))
	b.status(s)
	b.buf = appendFixed32Field(b.buf, 16, s.Flags)
	b.end(at)
}

// appendID writes an id, all zero ones included: what cannot be kept elsewhere
// is not hidden here.
func appendID(p []byte, num uint32, id []byte) []byte {
	p = append(p, byte(num<<3|bytesType), byte(len(id)))
	return append(p, id...)
}

func (b *Builder) status(s *run.Span) {
	if s.Status == run.StatusUnset && s.StatusMessage == "" {
		return
	}
	at := b.message(15)
	b.buf = appendStringField(b.buf, 2, s.StatusMessage)
	b.buf = appendVarintField(b.buf, 3, uint64(s.Status))
	b.end(at)
}

func (b *Builder) event(e *run.Event) {
	at := b.message(11)
	p := appendFixed64Field(b.buf, 1, e.Time)
	p = appendStringField(p, 2, e.Name)
	p = appendAttrs(p, 3, e.Attrs)
	b.buf = appendVarintField(p, 4, uint64(e.Dropped))
	b.end(at)
}

func (b *Builder) link(l *run.Link) {
	at := b.message(13)
	p := appendID(b.buf, 1, l.TraceID[:])
	p = appendID(p, 2, l.ID[:])
	p = appendStringField(p, 3, l.TraceState)
	p = appendAttrs(p, 4, l.Attrs)
	p = appendVarintField(p, 5, uint64(l.Dropped))
	b.buf = appendFixed32Field(p, 6, l.Flags)
	b.end(at)
}

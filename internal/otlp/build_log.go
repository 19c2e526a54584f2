package otlp

import "github.com/beamline-hpc/lensview/internal/run"

// Log adds a log record to the open scope. Its Process is not written.
func (b *Builder) Log(l *run.Log) {
	b.inScope()
	at := b.message(2)
	p := appendFixed64Field(b.buf, 1, l.Time)
	p = appendVarintField(p, 2, uint64(l.Severity))
	p = appendStringField(p, 3, l.SeverityText)
	if l.Body.Type != run.Empty {
		p = appendVarint(appendTag(p, 5, bytesType), uint64(sizeValue(&l.Body)))
		p = appendValue(p, &l.Body)
	}
	p = appendAttrs(p, 6, l.Attrs)
	p = appendVarintField(p, 7, uint64(l.Dropped))
	p = appendFixed32Field(p, 8, l.Flags)
	if !l.TraceID.IsZero() {
		p = appendID(p, 9, l.TraceID[:])
	}
	if !l.SpanID.IsZero() {
		p = appendID(p, 10, l.SpanID[:])
	}
	p = appendFixed64Field(p, 11, l.Observed)
	b.buf = appendStringField(p, 12, l.EventName)
	b.end(at)
}

package otlp

// log reads a LogRecord into a new row. Ids of a wrong length are none: the
// record says what it says without them.
func (b *Batch) log(p []byte, i int, scope uint32) error {
	if err := b.room(); err != nil {
		return err
	}
	b.Logs = append(b.Logs, Log{Scope: scope})
	l := &b.Logs[len(b.Logs)-1]
	l.Attrs.From = uint32(len(b.Attrs))
	var f field
	var body occurrences
	for ; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		if f.wire != bytesType {
			l.number(&f)
			continue
		}
		if f.num == 5 {
			body.add(&f)
		} else if err := b.logBytes(p, &f, l); err != nil {
			return err
		}
	}
	l.Attrs.To = uint32(len(b.Attrs))
	return b.logBody(p, body, l)
}

// number takes a field that is not of bytes.
func (l *Log) number(f *field) {
	switch f.key() {
	case 1<<3 | fixed64Type:
		l.Time = f.v
	case 2<<3 | varintType:
		l.Severity = enum8(f.v)
	case 7<<3 | varintType:
		l.Dropped = uint32(f.v)
	case 8<<3 | fixed32Type:
		l.Flags = uint32(f.v)
	case 11<<3 | fixed64Type:
		l.Observed = f.v
	}
}

func (b *Batch) logBytes(p []byte, f *field, l *Log) error {
	switch f.num {
	case 3:
		l.SeverityText = b.str(f.ref())
	case 6:
		if err := b.attr(p[:f.end], f.at); err != nil {
			return at(err, "attributes", len(b.Attrs)-1-int(l.Attrs.From))
		}
	case 9:
		l.TraceID = traceID(p[f.at:f.end])
	case 10:
		l.SpanID = spanID(p[f.at:f.end])
	case 12:
		l.EventName = b.str(f.ref())
	}
	return nil
}

// logBody reads the parts of the body.
func (b *Batch) logBody(p []byte, parts occurrences, l *Log) error {
	f := parts.first
	for n := range parts.n {
		if err := b.value(p[:f.end], f.at, &l.Body); err != nil {
			return within(err, "body")
		}
		if n+1 < parts.n {
			parts.next(p, f.end, &f)
		}
	}
	return nil
}

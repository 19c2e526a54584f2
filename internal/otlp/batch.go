package otlp

import "unsafe"

const (
	// MaxDepth is how deep array and kvlist values (and unknown groups) may
	// nest in one another. A deeper request is refused as a whole.
	MaxDepth = 200
	// MaxBody is the largest request in bytes that the decoder reads; offsets
	// into the body and its repaired copies must fit into a Ref. Receivers set
	// lower limits of their own.
	MaxBody = 1 << 29

	// maxExpansion bounds rows by the size of the request: a list of empty
	// messages takes two bytes an element on the wire and 150 in rows. Real
	// requests stay below 10.
	maxExpansion = 16
	freeRows     = 1 << 20 // bytes of rows that are always allowed
)

// Reset empties the batch and lets go of the request. Row storage is kept.
func (b *Batch) Reset() {
	b.Signal = 0
	b.Resources = b.Resources[:0]
	b.Scopes = b.Scopes[:0]
	b.Spans = b.Spans[:0]
	b.Metrics = b.Metrics[:0]
	b.Points = b.Points[:0]
	b.Logs = b.Logs[:0]
	b.Attrs = b.Attrs[:0]
	b.Rejected = b.Rejected[:0]
	b.Repaired = 0
	b.Notices = nil
	b.buf, b.side = nil, b.side[:0]
}

// Footprint is the storage in bytes that the batch keeps for the next request.
// An owner of many batches drops one that a huge request has blown up.
func (b *Batch) Footprint() int {
	return cap(b.Attrs)*int(unsafe.Sizeof(Attr{})) + cap(b.Spans)*int(unsafe.Sizeof(Span{})) +
		cap(b.Points)*int(unsafe.Sizeof(Point{})) + cap(b.Logs)*int(unsafe.Sizeof(Log{})) +
		cap(b.Metrics)*int(unsafe.Sizeof(Metric{})) + cap(b.Scopes)*int(unsafe.Sizeof(Scope{})) +
		cap(b.Resources)*int(unsafe.Sizeof(Resource{})) + cap(b.side) + cap(b.now.extra)
}

// room refuses a request whose rows outgrow it.
func (b *Batch) room() error {
	rows := len(b.Attrs)*int(unsafe.Sizeof(Attr{})) + len(b.Points)*int(unsafe.Sizeof(Point{})) +
		len(b.Logs)*int(unsafe.Sizeof(Log{})) + len(b.Metrics)*int(unsafe.Sizeof(Metric{})) +
		len(b.Scopes)*int(unsafe.Sizeof(Scope{})) + len(b.Resources)*int(unsafe.Sizeof(Resource{}))
	if rows > freeRows+maxExpansion*len(b.buf) {
		return errExpands
	}
	return nil
}

// str is the text at r, repaired into the side buffer when it is not UTF-8.
func (b *Batch) str(r Ref) Ref {
	if validText(b.buf[r.off : r.off+r.n]) {
		return r
	}
	b.Repaired++
	return b.repair(r)
}

// repair copies the text at r into the side buffer with U+FFFD in place of
// what is not UTF-8.
func (b *Batch) repair(r Ref) Ref {
	from := len(b.side)
	b.side = appendRepaired(b.side, b.buf[r.off:r.off+r.n])
	return b.sideRef(from)
}

// count counts s when it is text that will need repair. It is for places whose
// bytes are kept as sent and repaired when they are read.
func (b *Batch) count(s []byte) {
	if !validText(s) {
		b.Repaired++
	}
}

// keep copies s into the side buffer.
func (b *Batch) keep(s []byte) Ref {
	from := len(b.side)
	b.side = append(b.side, s...)
	return b.sideRef(from)
}

// sideRef is the side buffer behind a place.
func (b *Batch) sideRef(at int) Ref {
	return Ref{uint32(at) | sideBit, uint32(len(b.side) - at)}
}

// join is the bytes at r followed by those at next: protobuf defines merging
// two messages as reading them one after the other. Joining onto the end of
// the side buffer copies only next, so that many joins stay linear.
func (b *Batch) join(r, next Ref) Ref {
	if r.n == 0 {
		return next
	}
	from := int(r.off &^ sideBit)
	if r.off&sideBit == 0 || from+int(r.n) != len(b.side) {
		from = len(b.side)
		b.side = append(b.side, b.Bytes(r)...)
	}
	b.side = append(b.side, b.Bytes(next)...)
	return b.sideRef(from)
}

// reject counts one refused item under its reason.
func (b *Batch) reject(reason string) {
	for i := range b.Rejected {
		if b.Rejected[i].Reason == reason {
			b.Rejected[i].Count++
			return
		}
	}
	b.Rejected = append(b.Rejected, Rejection{reason, 1})
}

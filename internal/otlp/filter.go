package otlp

import "github.com/beamline-hpc/lensview/internal/run"

// Filter appends to dst the batch's request without the items that keep refuses.
// keep is asked once for each row of Spans, Points or Logs, in order. What is
// kept is copied from the request as it was sent, unknown fields included;
// resources, scopes and metrics that are left without items are left out, and so
// are items that were rejected. The batch must come from Decode or DecodeJSON.
func (b *Batch) Filter(dst []byte, keep func(row int) bool) []byte {
	f := filter{batch: b, out: Builder{buf: dst}, keep: keep}
	f.message(b.buf, 0, 0)
	return f.out.buf
}

type filter struct {
	batch *Batch
	out   Builder // for its buffer and its lengths
	keep  func(row int) bool
	row   int   // of the item that is next
	check Batch // reads one span again, to see whether it has a row
}

// message copies the message at p[i:], which stands at the level of the request,
// and reports whether an item of it was kept.
func (f *filter) message(p []byte, i, level int) (kept bool) {
	var one field
	for ; i < len(p); i = one.end {
		if one.read(p, i) != nil {
			return kept // cannot be: the request was decoded
		}
		if !f.holdsItems(&one, level) {
			f.out.buf = append(f.out.buf, p[i:one.end]...)
			continue
		}
		size := len(f.out.buf)
		content := f.out.message(one.num)
		if f.inside(p[:one.end], one.at, level+1) {
			f.out.end(content)
			kept = true
		} else {
			f.out.buf = f.out.buf[:size]
		}
	}
	return kept
}

// holdsItems reports whether the field is on the way to the items, or is one:
// resources, scopes and items, and for metrics their data and points.
func (f *filter) holdsItems(one *field, level int) bool {
	switch level {
	case 1, 2:
		return one.key() == 2<<3|bytesType
	case 3:
		return dataKind(one) != NoData
	}
	return one.key() == 1<<3|bytesType
}

// inside copies what is inside a field that holds items.
func (f *filter) inside(p []byte, i, level int) bool {
	items := 3
	if f.batch.Signal == run.Metrics {
		items = 5
	}
	if level < items {
		return f.message(p, i, level)
	}
	if !f.hasRow(p, i) {
		return false
	}
	f.row++
	if !f.keep(f.row - 1) {
		return false
	}
	f.out.buf = append(f.out.buf, p[i:]...)
	return true
}

// hasRow reports whether the item at p[i:] is the next row. Spans were left out
// for their ids, points when a metric sent other data later.
func (f *filter) hasRow(p []byte, i int) bool {
	switch f.batch.Signal {
	case run.Traces:
		f.check.Reset()
		f.check.buf = f.batch.buf
		return f.check.span(p, i, 0) == nil && len(f.check.Spans) == 1
	case run.Metrics:
		return f.row < len(f.batch.Points) && f.batch.Points[f.row].Raw == Ref{uint32(i), uint32(len(p) - i)}
	}
	return true
}

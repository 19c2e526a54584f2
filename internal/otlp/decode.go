package otlp

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Decode resets the batch and reads body, an Export{Trace,Metrics,Logs}-
// ServiceRequest in protobuf, into rows. It keeps body, which must stay
// unchanged until the next Decode or Reset.
//
// It takes what protobuf takes: unknown fields are skipped, fields may come in
// any order, the last of a repeated scalar counts and repeated messages merge.
// Text that is not UTF-8 is repaired and counted in Repaired. Spans with
// impossible ids are counted in Rejected; log records and links with such ids
// are kept without them. Values nested deeper than MaxDepth, bodies above
// MaxBody, and bodies that expand to more than 16 times their size are refused.
//
// On an error, which names the place, the batch is empty.
func (b *Batch) Decode(signal run.Signal, body []byte) error {
	b.Reset()
	b.Signal, b.buf = signal, body
	if err := b.request(); err != nil {
		b.Reset()
		return fmt.Errorf("decode %s request: %w", signal, err)
	}
	return nil
}

// layer names the lists of a signal, for errors. The three signals have the
// same outer layout, field numbers included.
type layer struct{ resource, scope, item string }

func layerOf(s run.Signal) layer {
	switch s {
	case run.Metrics:
		return layer{"resource_metrics", "scope_metrics", "metrics"}
	case run.Logs:
		return layer{"resource_logs", "scope_logs", "log_records"}
	}
	return layer{"resource_spans", "scope_spans", "spans"}
}

func (b *Batch) request() error {
	if len(b.buf) > MaxBody {
		return errTooLarge
	}
	var f field
	for i, n := 0, 0; i < len(b.buf); i = f.end {
		if err := f.read(b.buf, i); err != nil {
			return err
		}
		if f.key() != 1<<3|bytesType {
			continue
		}
		if err := b.resourceItems(b.buf[:f.end], f.at); err != nil {
			return at(err, layerOf(b.Signal).resource, n)
		}
		n++
	}
	return nil
}

// resourceItems reads a ResourceSpans, ResourceMetrics or ResourceLogs. The
// resource itself is read last, wherever it stands, since it may be repeated.
func (b *Batch) resourceItems(p []byte, from int) error {
	if err := b.room(); err != nil {
		return err
	}
	r := len(b.Resources)
	b.Resources = append(b.Resources, Resource{})
	var f field
	var parts occurrences
	for i, n := from, 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		switch f.key() {
		case 1<<3 | bytesType:
			parts.add(&f)
		case 2<<3 | bytesType:
			if err := b.scopeItems(p[:f.end], f.at, r); err != nil {
				return at(err, layerOf(b.Signal).scope, n)
			}
			n++
		case 3<<3 | bytesType:
			b.Resources[r].Schema = b.str(f.ref())
		}
	}
	return b.resource(p, parts, &b.Resources[r])
}

// scopeItems reads a ScopeSpans, ScopeMetrics or ScopeLogs of resource r.
func (b *Batch) scopeItems(p []byte, from, r int) error {
	if err := b.room(); err != nil {
		return err
	}
	s := len(b.Scopes)
	b.Scopes = append(b.Scopes, Scope{Resource: uint32(r)})
	var f field
	var parts occurrences
	for i, n := from, 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		switch f.key() {
		case 1<<3 | bytesType:
			parts.add(&f)
		case 2<<3 | bytesType:
			if err := b.item(p[:f.end], f.at, uint32(s)); err != nil {
				return at(err, layerOf(b.Signal).item, n)
			}
			n++
		case 3<<3 | bytesType:
			b.Scopes[s].Schema = b.str(f.ref())
		}
	}
	return b.scope(p, parts, &b.Scopes[s])
}

// item reads a Span, Metric or LogRecord.
func (b *Batch) item(p []byte, i int, scope uint32) error {
	switch b.Signal {
	case run.Metrics:
		return b.metric(p, i, scope)
	case run.Logs:
		return b.log(p, i, scope)
	}
	return b.span(p, i, scope)
}

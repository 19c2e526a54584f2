package otlp

import "github.com/beamline-hpc/lensview/internal/run"

// FullSpan is the row s with everything that was sent, independent of the
// batch. Marks and Process are left zero.
func (b *Batch) FullSpan(s *Span) (run.Span, error) {
	e, err := DecodeExtra(b.Bytes(s.Extra))
	if err != nil {
		return run.Span{}, err
	}
	return run.Span{
		TraceID: s.TraceID, ID: s.ID, Parent: s.Parent, TraceState: e.TraceState,
		Name: string(b.Bytes(s.Name)), Kind: s.Kind, Start: s.Start, End: s.End,
		Status: s.Status, StatusMessage: e.StatusMessage, Flags: s.Flags,
		Attrs: b.AttrList(s.Attrs), Events: e.Events, Links: e.Links,
		DroppedAttrs: e.DroppedAttrs, DroppedEvents: e.DroppedEvents, DroppedLinks: e.DroppedLinks,
		Scope: b.FullScope(&b.Scopes[s.Scope]),
	}, nil
}

// FullScope is the row s with everything that run.Scope holds.
func (b *Batch) FullScope(s *Scope) run.Scope {
	return run.Scope{
		Name: string(b.Bytes(s.Name)), Version: string(b.Bytes(s.Version)), Schema: string(b.Bytes(s.Schema)),
		Attrs: b.AttrList(s.Attrs),
	}
}

// FullLog is the row l with everything that was sent, independent of the
// batch. Process is left zero.
func (b *Batch) FullLog(l *Log) run.Log {
	return run.Log{
		Time: l.Time, Observed: l.Observed, Severity: l.Severity, SeverityText: string(b.Bytes(l.SeverityText)),
		EventName: string(b.Bytes(l.EventName)), Body: b.Value(l.Body), Attrs: b.AttrList(l.Attrs), Dropped: l.Dropped,
		TraceID: l.TraceID, SpanID: l.SpanID, Flags: l.Flags,
	}
}

package store

import (
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// logChunkLen is how many records a chunk of log records holds. Chunks are
// evicted whole, oldest first.
const logChunkLen = 512

// LogChunk is consecutive log records of a run, in order of arrival.
type LogChunk struct {
	Records []run.Log
	bytes   uint64
}

// logSet is the log records of one run, fed by the store under its lock.
// Records are append-only, so a snapshot shares them.
type logSet struct {
	share  uint64 // bytes that may be held
	bytes  uint64
	kept   uint64
	chunks []*LogChunk
	open   *LogChunk                 // the last of chunks, still growing
	levels [run.SeverityCount]uint64 // over the whole run
}

func newLogSet(share uint64) *logSet { return &logSet{share: share} }

// add keeps one record and says how many older ones made room for it.
func (s *logSet) add(b *otlp.Batch, l *otlp.Log, process int) (evicted uint64) {
	r := logRecord(b, l, process)
	if s.open == nil || len(s.open.Records) == logChunkLen {
		s.open = &LogChunk{Records: make([]run.Log, 0, 16)}
		s.chunks = append(s.chunks, s.open)
	}
	cost := logCost(&r)
	s.open.Records = append(s.open.Records, r)
	s.open.bytes += cost
	s.bytes += cost
	s.kept++
	s.levels[r.Level()]++
	for s.bytes > s.share && len(s.chunks) > 1 {
		evicted += s.evict()
	}
	return evicted
}

func (s *logSet) evict() uint64 {
	old := s.chunks[0]
	s.chunks = append([]*LogChunk(nil), s.chunks[1:]...) // a snapshot may hold the old slice
	s.bytes -= old.bytes
	n := uint64(len(old.Records))
	s.kept -= n
	return n
}

func logRecord(b *otlp.Batch, l *otlp.Log, process int) run.Log {
	return run.Log{
		Time: l.Time, Observed: l.Observed, Severity: l.Severity, Flags: l.Flags, Dropped: l.Dropped,
		SeverityText: string(b.Bytes(l.SeverityText)), EventName: string(b.Bytes(l.EventName)),
		Body: b.Value(l.Body), Attrs: b.AttrList(l.Attrs),
		TraceID: l.TraceID, SpanID: l.SpanID, Process: process,
	}
}

// logCost estimates what a kept record costs in bytes.
func logCost(r *run.Log) uint64 {
	const record = 240
	return uint64(record + len(r.Body.Str()) + len(r.SeverityText) + attrsCost(r.Attrs))
}

// snapshot is the records as they are now: full chunks are shared, the growing
// one is given as a header of its own.
func (s *logSet) snapshot() []*LogChunk {
	if len(s.chunks) == 0 {
		return nil
	}
	out := append([]*LogChunk(nil), s.chunks...)
	last := *s.open
	out[len(out)-1] = &last
	return out
}

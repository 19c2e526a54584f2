package logsscreen

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// trace shows the trace of the record in focus, at its span. It stops following,
// so that going back comes to the same record.
func (m *Model) trace() tea.Cmd {
	rec, ok := m.focus()
	if !ok {
		return nil
	}
	if rec.TraceID.IsZero() {
		m.note = "this record belongs to no trace"
		return nil
	}
	refs := m.data.Snapshot.Trace(rec.TraceID)
	if len(refs) == 0 {
		m.note = "no span of trace " + rec.TraceID.String() + " is retained, or none was exported"
		return nil
	}
	m.setFollow(false)
	to := screen.Target{Run: m.data.Run, Process: rec.Process, HasProcess: true, TraceID: rec.TraceID, SpanID: rec.SpanID}
	if w, ok := stepOf(m.records.run, rec, refs); ok {
		to.Iteration, to.HasIteration = w.Iteration, true
	}
	return screen.Open(screen.Trace, to)
}

// stepOf is the step in which the record's span starts: a trace may be as long as
// the job, its step is what one wants to see.
func stepOf(r *store.Run, rec *run.Log, refs []store.GlobalRef) (store.Window, bool) {
	for _, ref := range refs {
		if ref.Run != r.Index {
			continue
		}
		s, ok := r.Span(ref.Ref)
		if ok && s.ID == rec.SpanID && s.Process == rec.Process {
			return r.IterationAt(s.Process, s.Start)
		}
	}
	return store.Window{}, false
}

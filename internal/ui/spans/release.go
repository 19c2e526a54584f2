package spansscreen

import (
	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Release lets go of the spans of the last snapshot.
func (m *Model) Release() {
	m.data.Snapshot = m.data.Snapshot.WithoutSpans()
	light := map[*store.Run]*store.Run{}
	release(light, m.pane.last.Slowest)
	release(light, m.pane.last.Cut)
	if m.slow != nil {
		release(light, m.slow.rows.list)
	}
}

func release(light map[*store.Run]*store.Run, list []analysis.PickedSpan) {
	for i := range list {
		r := list[i].Run
		if light[r] == nil {
			light[r] = r.WithoutSpans()
		}
		list[i].Run = light[r]
	}
}

package ranksscreen

import "github.com/beamline-hpc/lensview/internal/store"

// Release lets go of the spans of the last snapshot.
func (m *Model) Release() {
	m.data.Snapshot = m.data.Snapshot.WithoutSpans()
	light := map[*store.Run]*store.Run{}
	for _, r := range m.seen.ranks {
		if light[r.run] == nil {
			light[r.run] = r.run.WithoutSpans()
		}
		r.run = light[r.run]
	}
}

package topologyscreen

// Release lets go of the spans of the last snapshot.
func (m *Model) Release() {
	m.data.Snapshot = m.data.Snapshot.WithoutSpans()
	if m.seen.in != nil {
		m.seen.in = m.seen.in.WithoutSpans()
	}
}

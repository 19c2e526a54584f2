package runsscreen

// Release lets go of the spans of the last snapshot.
func (m *Model) Release() { m.data.Snapshot = m.data.Snapshot.WithoutSpans() }

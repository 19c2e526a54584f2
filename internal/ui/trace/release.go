package tracescreen

// Release lets go of the spans of the last snapshot, but for the chunks of those
// that are shown.
func (m *Model) Release() {
	m.data.Snapshot = m.data.Snapshot.WithoutSpans()
	c := *m.content // a running job may look at the old one
	c.snapshot = c.snapshot.WithoutSpans()
	if c.in != nil {
		c.in = c.in.WithoutSpans()
	}
	if m.detail.in == m.content {
		m.detail.in = &c
	}
	m.content, m.rows.content = &c, &c
}

package ingestscreen

// Release lets go of the spans of the last snapshot.
func (m *Model) Release() {
	m.snap = m.snap.WithoutSpans()
	m.tables[senders].SetRows(senderRowsOf(m.theme, m.snap))
	m.tables[refused].SetRows(refusedRows{m.snap})
}

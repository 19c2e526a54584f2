package spansscreen

// focus is the row under the cursor; ok is false when there is none.
func (m *Model) focus() (at int, ok bool) {
	at, ok = m.table.Cursor()
	return at, ok && at < len(m.shown.list)
}

// setShut folds or unfolds the row in focus, when it is a group.
func (m *Model) setShut(shut bool) {
	at, ok := m.focus()
	if !ok || !m.shown.IsGroup(at) {
		return
	}
	m.folds.decided[m.shown.list[at].key] = shut
	m.arrange()
}

func (m *Model) toggle() {
	if at, ok := m.focus(); ok {
		m.setShut(!m.shown.list[at].shut)
	}
}

// fold folds the row in focus; from what cannot be folded it goes to the group
// around.
func (m *Model) fold() {
	at, ok := m.focus()
	if !ok {
		return
	}
	r := m.shown.list[at]
	switch {
	case m.shown.IsGroup(at) && !r.shut:
		m.setShut(true)
	case r.parent >= 0:
		m.table.MoveTo(r.parent)
	}
}

// foldAll folds everything, or unfolds all when all is folded. The cursor goes
// to the group that is left of where it was.
func (m *Model) foldAll() {
	open := false
	for i, r := range m.shown.list {
		open = open || m.shown.IsGroup(i) && !r.shut
	}
	if at, ok := m.focus(); ok && open {
		for m.shown.list[at].parent >= 0 {
			at = m.shown.list[at].parent
		}
		m.table.MoveTo(at)
	}
	m.folds.all(open)
	m.arrange()
}

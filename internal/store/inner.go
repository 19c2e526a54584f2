package store

// infoOf is what a name means to the columns.
func (w *runWriter) infoOf(name uint16) nameInfo { return w.info[name] }

// isInner reports whether steps of that name lie inside of other steps.
func (w *runWriter) isInner(name uint16) bool { return w.inner[name] }

// demote learns that steps of a name lie inside of other steps of the run: only
// the outermost make columns. What they made before is taken back.
func (w *runWriter) demote(name uint16) {
	if w.inner[name] {
		return
	}
	w.inner[name] = true
	w.innerCount++
	w.columns.remove(name)
}

// noteBase notes from what a step's iterations are counted.
func (w *runWriter) noteBase(base int) {
	before := w.columns.shift()
	if !w.columns.noteBase(base) {
		return
	}
	for _, p := range w.procs {
		if p.pub.HasIteration {
			p.own().Iteration += w.columns.shift() - before
		}
	}
}

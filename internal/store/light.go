package store

// WithoutSpans is the snapshot without its spans and log records: what a reader
// may keep that will be given a newer one before it looks at any again. A reader
// that keeps a whole snapshot keeps every chunk of its time in memory.
func (s *Snapshot) WithoutSpans() *Snapshot {
	light := *s
	light.Runs = make([]*Run, len(s.Runs))
	for i, r := range s.Runs {
		light.Runs[i] = r.WithoutSpans()
	}
	return &light
}

// WithoutSpans is the run without its spans and log records.
func (r *Run) WithoutSpans() *Run {
	light := *r
	light.Chunks, light.Logs = nil, nil
	return &light
}

package analysis

import "github.com/beamline-hpc/lensview/internal/store"

// Filter narrows an analysis to some spans of one run. A bound query is one; a
// nil Filter lets everything through.
type Filter interface {
	// Process reports whether a row about process p belongs into a table.
	Process(p int) bool
	// Pair tells of all spans of process p with a name whether they match; when
	// sure is false each must be asked.
	Pair(p, name int) (match, sure bool)
	// Span reports whether row i of a chunk matches.
	Span(c *store.Chunk, i int) bool
}

// Scope is a run with the filter bound to it.
type Scope struct {
	Run    *store.Run
	Filter Filter // nil for everything
}

func (s Scope) process(p int) bool { return s.Filter == nil || s.Filter.Process(p) }

func (s Scope) pair(p, name int) (match, sure bool) {
	if s.Filter == nil {
		return true, true
	}
	return s.Filter.Pair(p, name)
}

func (s Scope) span(c *store.Chunk, i int) bool { return s.Filter == nil || s.Filter.Span(c, i) }

// sure reports whether roll-ups can answer: no span must be asked.
func (s Scope) sure() bool {
	if s.Filter == nil {
		return true
	}
	for p, proc := range s.Run.Processes {
		for _, st := range proc.Stats() {
			if _, sure := s.Filter.Pair(p, st.Name); !sure {
				return false
			}
		}
	}
	return true
}

// retained is the number of spans that can be looked at.
func (s Scope) retained() uint64 {
	n := uint64(0)
	for _, c := range s.Run.Chunks {
		n += uint64(c.Live())
	}
	return n
}

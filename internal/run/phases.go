package run

import "fmt"

// PhaseRow maps the span names that a glob matches to a phase and its class.
//
// In a glob * stands for any text, dots included, and {a,b} for either word. A
// "*." at its beginning and a ".*" at its end also stand for nothing, so
// "*.optimizer" matches the bare "optimizer" too.
type PhaseRow struct {
	Glob  string
	Phase string
	Class Class
}

// Phases maps span names to phases. It does not change and may be shared. Its
// answers are worth keeping: ask once per name, not once per span.
type Phases struct{ rules []rule }

// rule is one glob without braces, cut at its stars.
type rule struct {
	glob  glob
	phase Phase
	order int // of its row: of two equally literal globs the later row wins
}

// DefaultPhases is the built-in table.
func DefaultPhases() *Phases {
	p, err := NewPhases(nil)
	if err != nil {
		panic("run: built-in phase table: " + err.Error()) // a test reads every row
	}
	return p
}

// NewPhases is the built-in table with more rows, as a configuration gives
// them. The glob with the most literal text wins, and of two equal ones the
// later, so an extra row overrides a built-in one of the same glob. An error
// names the row, counted from 1 among the extra ones.
func NewPhases(extra []PhaseRow) (*Phases, error) {
	p := &Phases{}
	for i, row := range defaultPhaseRows() {
		if err := p.add(row, i); err != nil {
			return nil, fmt.Errorf("built-in row %d: %w", i+1, err)
		}
	}
	builtin := len(p.rules)
	for i, row := range extra {
		if err := p.add(row, builtin+i); err != nil {
			return nil, fmt.Errorf("phase row %d: %w", i+1, err)
		}
	}
	return p, nil
}

func (p *Phases) add(row PhaseRow, order int) error {
	if row.Phase == "" {
		return fmt.Errorf("glob %q has no phase: name one, as %q", row.Glob, PhaseOptimizer)
	}
	if row.Class >= ClassCount {
		return fmt.Errorf("glob %q has class %d: use step, compute, wait, io or other", row.Glob, row.Class)
	}
	globs, err := parseGlobs(row.Glob)
	if err != nil {
		return err
	}
	for _, g := range globs {
		p.rules = append(p.rules, rule{g, Phase{row.Phase, row.Class}, order})
	}
	return nil
}

// Of is the phase of a span name, or the zero Phase when no row matches.
func (p *Phases) Of(name string) Phase {
	var best *rule
	for i := range p.rules {
		r := &p.rules[i]
		if r.glob.match(name) && (best == nil || r.beats(best)) {
			best = r
		}
	}
	if best == nil {
		return Phase{}
	}
	return best.phase
}

func (r *rule) beats(o *rule) bool {
	if r.glob.literal != o.glob.literal {
		return r.glob.literal > o.glob.literal
	}
	return r.order >= o.order
}

package spansscreen

import "github.com/beamline-hpc/lensview/internal/analysis"

// folds is which groups are folded: those below a depth, but for what was
// decided one by one.
type folds struct {
	depth   int // groups of this depth and deeper are folded unless decided
	decided map[string]bool
}

// readable is how many rows are unfolded by themselves: more than that hides
// what is to be compared.
const readable = 60

// foldsFor unfolds a table level by level as long as it stays readable.
func foldsFor(t analysis.Table) folds {
	f := folds{decided: map[string]bool{}}
	level, rows := t.Groups, len(t.Groups)
	for f.depth = 0; f.depth < len(t.By)-1; f.depth++ {
		var below []*analysis.Group
		for _, g := range level {
			below = append(below, g.Groups...)
		}
		if rows += len(below); rows > readable {
			break
		}
		level = below
	}
	return f
}

func (f *folds) shut(key string, depth int) bool {
	if shut, ok := f.decided[key]; ok {
		return shut
	}
	return depth >= f.depth
}

// all folds everything, or unfolds it.
func (f *folds) all(shut bool) {
	f.decided, f.depth = map[string]bool{}, maxLevels+1
	if shut {
		f.depth = 0
	}
}

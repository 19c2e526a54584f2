package analysis

import (
	"fmt"
	"strings"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// RootMissing reports whether no span without a parent was received: the trace's
// root ends last, so it arrives last.
func (t *Tree) RootMissing() bool {
	for i := range t.Nodes {
		if t.Nodes[i].Parent < 0 && t.isRoot(i) {
			return false
		}
	}
	return len(t.Nodes) > 0
}

// isRoot reports whether a top-level node really has no parent.
func (t *Tree) isRoot(i int) bool { return !t.Nodes[i].Marks.Has(OrphanNode | CycleNode) }

// Title names the tree after its root; while none was received, after the first
// of what is known, and says so. It is "" for an empty tree.
func (t *Tree) Title() string {
	first, roots := -1, 0
	for i := 0; i < len(t.Nodes); i = t.Nodes[i].SubtreeEnd {
		if !t.isRoot(i) {
			continue
		}
		if roots++; roots == 1 {
			first = i
		}
	}
	switch {
	case len(t.Nodes) == 0:
		return ""
	case first < 0:
		return t.Nodes[0].Name() + " (root not received)"
	case roots > 1:
		return fmt.Sprintf("%s (first of %s roots)", t.Nodes[first].Name(), thousands(roots))
	}
	return t.Nodes[first].Name()
}

// Remarks says in words what is unusual about a node, for its detail pane.
func (n *Node) Remarks() []string {
	var out []string
	add := func(has bool, format string, a ...any) {
		if has {
			out = append(out, fmt.Sprintf(format, a...))
		}
	}
	add(n.Marks.Has(OrphanNode), "its parent %s was not received", n.Chunk.Parent(n.Row))
	add(n.Marks.Has(CycleNode), "it is its own ancestor: the parent is not followed")
	if n.Marks.Has(BeforeParent) {
		out = append(out, n.early())
	}
	add(n.Marks.Has(StillOpen), "open since %s, ≥ %s", clock(n.Start), span(n.Latest-n.Start))
	add(n.SpanMarks.Has(run.Truncated), "truncated: its end is the shutdown, it is in no statistic")
	add(n.SpanMarks.Has(run.EndsBefore), "it ends before it starts (%d < %d)", n.End, n.Start)
	add(n.SpanMarks.Has(run.ZeroStart), "it has no start time (end %d)", n.End)
	add(n.SpanMarks.Has(run.BadTime), "its times are impossible (start %d, end %d)", n.Start, n.End)
	add(n.SpanMarks.Has(run.OddTruncate), "it has a truncation hint that does not count")
	add(n.SpanMarks.Has(run.Versions), "2 versions of it were received, this is the last")
	add(n.Marks.Has(Outside), "it reaches beyond the time shown")
	return out
}

func (n *Node) early() string {
	s := "starts " + span(n.Lag) + " before its parent"
	if n.Marks.Has(OtherHost) {
		s += " (other host: clock skew?)"
	}
	return s
}

// clock is the time of day in UTC.
func clock(ns uint64) string { return time.Unix(0, int64(ns)).UTC().Format("15:04:05") }

// span is a duration in words: three figures and a unit.
func span(ns uint64) string {
	for _, u := range [...]struct {
		ns   float64
		word string
	}{{60e9, "min"}, {1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}} {
		if v := float64(ns) / u.ns; v >= 1 && (u.word != "min" || v >= 10) {
			return figures(v) + " " + u.word
		}
	}
	return fmt.Sprintf("%d ns", ns)
}

// figures writes three significant figures without trailing zeros.
func figures(v float64) string {
	digits := 2
	for limit := 10.0; v >= limit && digits > 0; limit *= 10 {
		digits--
	}
	s := fmt.Sprintf("%.*f", digits, v)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

package tracescreen

import (
	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// mark is something unusual about a span, the gravest first.
type mark uint8

const (
	failedMark mark = iota
	timeMark
	truncatedMark
	openMark
	cycleMark
	orphanMark
	hostMark
	earlyMark
	versionsMark
	markCount
)

// on reports whether a node bears the mark.
func (k mark) on(n *analysis.Node) bool {
	switch k {
	case failedMark:
		return n.SpanMarks.Has(run.Failed)
	case timeMark:
		return n.Marks.Has(analysis.NoTime)
	case truncatedMark:
		// a job that the shutdown cut says nothing against an iteration within it
		return n.SpanMarks.Has(run.Truncated) && !n.Marks.Has(analysis.Outside)
	case openMark:
		return n.Marks.Has(analysis.StillOpen)
	case cycleMark:
		return n.Marks.Has(analysis.CycleNode)
	case orphanMark:
		return n.Marks.Has(analysis.OrphanNode)
	case hostMark:
		return n.Marks.Has(analysis.OtherHost)
	case earlyMark:
		return n.Marks.Has(analysis.BeforeParent)
	}
	return n.SpanMarks.Has(run.Versions)
}

// word is what the legend calls it.
func (k mark) word() string {
	return [...]string{"error", "no sane time", "truncated", "open", "own ancestor", "orphan", "other host",
		"before its parent", "2 versions"}[k]
}

// counted is a number of spans that bear it.
func (k mark) counted(n int) string {
	if k == failedMark || k == orphanMark {
		return draw.Plural(n, k.word())
	}
	return draw.Count(n) + " " + k.word()
}

// usual is what needs no attention by itself: it is marked, but not jumped to.
func (k mark) usual() bool { return k == hostMark || k == versionsMark }

// unusual reports whether a node bears any mark worth a visit.
func unusual(n *analysis.Node) bool {
	for k := range markCount {
		if !k.usual() && k.on(n) {
			return true
		}
	}
	return false
}

// look is how a mark is drawn: one cell that tells it without colour.
func (k mark) look(t theme.Theme) (glyph string, style theme.Style) {
	g := t.Glyphs
	glyph = [...]string{g.Bad, g.Warn, g.Truncated, "○", "∞", "?", "@", "«", "2"}[k]
	if t.ASCII {
		glyph = [...]string{g.Bad, g.Warn, g.Truncated, "o", "8", "?", "@", "<", "2"}[k]
	}
	switch k {
	case failedMark:
		return glyph, t.Bad
	case hostMark, versionsMark:
		return glyph, t.Dim
	}
	return glyph, t.Warn
}

// marksOf are the marks of a node, the gravest first.
func marksOf(n *analysis.Node) []mark {
	var out []mark
	for k := range markCount {
		if k.on(n) {
			out = append(out, k)
		}
	}
	return out
}

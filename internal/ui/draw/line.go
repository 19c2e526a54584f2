package draw

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Line builds one line of at most a given number of cells from styled pieces.
// What does not fit is cut; nothing can make it wider.
type Line struct {
	b          strings.Builder
	width, max int
}

// NewLine is an empty line of at most width cells.
func NewLine(width int) *Line {
	l := &Line{max: max(0, width)}
	l.b.Grow(l.max + 64)
	return l
}

// Left is how many cells are free.
func (l *Line) Left() int { return l.max - l.width }

// Used is how many cells are taken.
func (l *Line) Used() int { return l.width }

// Add appends text, cleaned, in a style. It is cut with … when it does not fit.
func (l *Line) Add(style theme.Style, text string) *Line {
	t, used := truncate(Clean(text), l.Left())
	style.Write(&l.b, t)
	l.width += used
	return l
}

// Fit appends text, cleaned, in exactly width cells (fewer at the line's end),
// filled on the left when right is set. It makes no strings on the way when the
// text is plain and short enough: this is the hot path of a table.
func (l *Line) Fit(style theme.Style, text string, width int, right bool) *Line {
	width = max(0, min(width, l.Left()))
	t, used := truncate(Clean(text), width)
	l.b.WriteString(style.On())
	if right {
		l.b.WriteString(Spaces(width - used))
	}
	l.b.WriteString(t)
	if !right {
		l.b.WriteString(Spaces(width - used))
	}
	l.b.WriteString(style.Off())
	l.width += width
	return l
}

// Text appends text without a style.
func (l *Line) Text(text string) *Line { return l.Add(theme.Style{}, text) }

// AddIf appends only what fits whole, and reports whether it did.
func (l *Line) AddIf(style theme.Style, text string) bool {
	text = Clean(text)
	if Width(text) > l.Left() {
		return false
	}
	l.Add(style, text)
	return true
}

// Drawn appends a ready-made string of known width, or as many blanks when it
// does not fit. It must come from this package or a theme, never from data.
func (l *Line) Drawn(s string, width int) *Line {
	if width > l.Left() {
		return l.Space(l.Left())
	}
	l.b.WriteString(s)
	l.width += width
	return l
}

// Space appends n blanks, as far as they fit.
func (l *Line) Space(n int) *Line {
	n = max(0, min(n, l.Left()))
	l.b.WriteString(Spaces(n))
	l.width += n
	return l
}

// To fills with blanks up to column n.
func (l *Line) To(n int) *Line { return l.Space(n - l.width) }

// Right puts text at the right end, when at least one blank stays before it.
func (l *Line) Right(style theme.Style, text string) *Line {
	text = Clean(text)
	if w := Width(text); w < l.Left() {
		l.Space(l.Left() - w)
		l.Add(style, text)
	}
	return l
}

// String is the line, filled with blanks to its full width.
func (l *Line) String() string {
	l.Space(l.Left())
	return l.b.String()
}

// Under is a view below some lines, in exactly height lines of exactly width
// cells.
func Under(head []string, view string, width, height int) string {
	return Block(append(head, strings.Split(view, "\n")...), width, height)
}

// Block is exactly height lines of exactly width cells from lines: missing ones
// are blank, those too many are left out. It is for lines that fit already.
func Block(lines []string, width, height int) string {
	if height <= 0 {
		return ""
	}
	var b strings.Builder
	b.Grow(height * (width + 32))
	for i := range height {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i < len(lines) {
			b.WriteString(lines[i])
		} else {
			b.WriteString(Spaces(width))
		}
	}
	return b.String()
}

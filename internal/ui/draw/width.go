package draw

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Ellipsis stands where text was cut.
const Ellipsis = "…"

// Width is the number of cells of clean, unstyled text: the sum over its
// grapheme clusters.
func Width(s string) int {
	if isASCII(s) {
		return len(s)
	}
	n := 0
	for s != "" {
		_, w, rest := next(s)
		n, s = n+w, rest
	}
	return n
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// next is the first grapheme cluster of s, its width and the rest. It is
// measured by what the renderer measures with: with two opinions on the width
// of a rare character, one line in a thousand would be cut or run over.
func next(s string) (cluster string, width int, rest string) {
	if s[0] < 0x80 && (len(s) == 1 || s[1] < 0x80) {
		return s[:1], 1, s[1:]
	}
	cluster, width = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return cluster, width, s[len(cluster):]
}

// cut is the longest prefix of s, on a grapheme border, of at most width cells.
func cut(s string, width int) (prefix string, used int) {
	rest := s
	for rest != "" {
		_, w, tail := next(rest)
		if used+w > width {
			break
		}
		used, rest = used+w, tail
	}
	return s[:len(s)-len(rest)], used
}

// Truncate is s in at most width cells, ending in … on a grapheme border when
// something was left out. A width of 0 or less is the empty string.
func Truncate(s string, width int) string {
	out, _ := truncate(s, width)
	return out
}

func truncate(s string, width int) (string, int) {
	if width <= 0 {
		return "", 0
	}
	if len(s) <= width && isASCII(s) {
		return s, len(s)
	}
	prefix, used := cut(s, width)
	if len(prefix) == len(s) {
		return s, used
	}
	prefix, used = cut(s, width-1)
	return prefix + Ellipsis, used + 1
}

// TruncateLeft keeps the end of s: …end.
func TruncateLeft(s string, width int) string {
	if width <= 0 {
		return ""
	}
	total := Width(s)
	if total <= width {
		return s
	}
	rest := s
	for total > width-1 && rest != "" {
		_, w, tail := next(rest)
		total, rest = total-w, tail
	}
	return Ellipsis + rest
}

// PadRight is s in exactly width cells, cut or filled on the right.
func PadRight(s string, width int) string {
	t, used := truncate(s, width)
	return t + Spaces(width-used)
}

// PadLeft is s in exactly width cells, filled on the left: for numbers.
func PadLeft(s string, width int) string {
	t, used := truncate(s, width)
	return Spaces(width-used) + t
}

// Fit is PadLeft or PadRight.
func Fit(s string, width int, right bool) string {
	if right {
		return PadLeft(s, width)
	}
	return PadRight(s, width)
}

// Center is s in exactly width cells, in the middle.
func Center(s string, width int) string {
	t, used := truncate(s, width)
	left := max(0, width-used) / 2
	return Spaces(left) + t + Spaces(width-used-left)
}

const blanks = "                                                                                                    " +
	"                                                                                                    "

// Spaces is n spaces; none when n is not positive.
func Spaces(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blanks):
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}

package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/beamline-hpc/lensview/internal/clean"
)

// Clean makes text from others harmless; see clean.Text.
func Clean(s string) string { return clean.Text(s) }

// ASCII replaces every character that is not ASCII, for terminals that show
// nothing else (LANG=C), by as many ? as it has cells; a few that this program
// draws itself have a likeness. Escape sequences of styles pass unchanged.
func ASCII(s string) string {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return asciiFrom(s, i)
		}
	}
	return s
}

func asciiFrom(s string, i int) string {
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	for rest := s[i:]; rest != ""; {
		g, w, tail := next(rest)
		rest = tail
		switch {
		case len(g) == 1:
			b.WriteString(g)
		case likeness(g) != "":
			b.WriteString(likeness(g))
		default:
			b.WriteString(strings.Repeat("?", w))
		}
	}
	return b.String()
}

func likeness(g string) string {
	switch g {
	case "·":
		return "."
	case "–", "—", "─":
		return "-"
	case "│":
		return "|"
	case "×":
		return "x"
	case "µ":
		return "u"
	case "≥", "→", "…": // … is cut text: ~ would say that it is about so much
		return ">"
	case "≤", "←":
		return "<"
	case "↑", "▲":
		return "^"
	case "↓", "▼":
		return "v"
	}
	return ""
}

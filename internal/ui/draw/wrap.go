package draw

import "strings"

// Wrap is s, cleaned, in lines of at most width cells: broken at blanks, and
// inside a word only when the word is longer than a line. Leading blanks of s
// indent all its lines.
func Wrap(s string, width int) []string {
	if width <= 0 {
		return nil
	}
	s = Clean(s)
	text := strings.TrimLeft(s, " ")
	indent := min(len(s)-len(text), width/2)
	var out []string
	for text != "" {
		var line string
		line, text = breakLine(text, width-indent)
		out = append(out, Spaces(indent)+line)
	}
	if len(out) == 0 {
		out = []string{""}
	}
	return out
}

func breakLine(s string, width int) (line, rest string) {
	prefix, _ := cut(s, width)
	if len(prefix) == len(s) {
		return s, ""
	}
	if s[len(prefix)] == ' ' {
		return prefix, strings.TrimLeft(s[len(prefix):], " ")
	}
	if at := strings.LastIndexByte(prefix, ' '); at > 0 && wordWidth(s[at+1:]) <= width {
		return strings.TrimRight(prefix[:at], " "), strings.TrimLeft(s[at:], " ")
	}
	if prefix == "" { // one cell for a character of two
		prefix = firstCluster(s)
		return Spaces(0), s[len(prefix):]
	}
	return prefix, s[len(prefix):]
}

// wordWidth is the width of the first word of s.
func wordWidth(s string) int {
	word, _, _ := strings.Cut(s, " ")
	return Width(word)
}

// Message is plain lines, wrapped, in exactly height lines of width cells: for
// screens that have nothing to show but words.
func Message(lines []string, width, height int) string {
	var out []string
	for _, s := range lines {
		for _, part := range Wrap(s, max(1, width)) {
			out = append(out, PadRight(part, width))
		}
	}
	return Block(out, width, height)
}

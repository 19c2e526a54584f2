package query

import (
	"strconv"
	"strings"
)

// quoted reads a string in quotes of kind q. A backslash that starts none of
// the known escapes stands for itself.
func (l *lexer) quoted(q byte) (token, error) {
	start := l.pos
	var b strings.Builder
	for i := start + 1; i < len(l.text); {
		switch c := l.text[i]; c {
		case q:
			l.pos = i + 1
			return token{kind: tQuoted, pos: start, end: l.pos, val: b.String()}, nil
		case '\\':
			n, s := escape(l.text[i:])
			b.WriteString(s)
			i += n
		default:
			b.WriteByte(c)
			i++
		}
	}
	return token{}, fail(l.text, start, len(l.text)-start, "this quote is never closed, expected", string(q))
}

// escape reads one escape at the start of s and gives its length and meaning.
func escape(s string) (int, string) {
	if len(s) < 2 {
		return 1, `\`
	}
	switch s[1] {
	case 'n':
		return 2, "\n"
	case 't':
		return 2, "\t"
	case 'r':
		return 2, "\r"
	case '"', '\'', '\\':
		return 2, s[1:2]
	case 'u':
		if len(s) >= 6 {
			if n, err := strconv.ParseUint(s[2:6], 16, 32); err == nil {
				return 6, string(rune(n))
			}
		}
	}
	return 1, `\`
}

// Quote writes s so that Parse reads it back as one value or one bare word:
// unquoted where that is safe, else in double quotes.
func Quote(s string) string {
	if plain(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\n':
			b.WriteString(`\n`)
		case '\t':
			b.WriteString(`\t`)
		case '\r':
			b.WriteString(`\r`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// plain reports whether s can stand as an unquoted word or text value.
func plain(s string) bool {
	l := lexer{text: s}
	t, err := l.next()
	whole := err == nil && t.kind == tWord && t.pos == 0 && t.end == len(s)
	return whole && !strings.Contains(s, "..") && !strings.EqualFold(s, "in") && shortKey(s) == nil
}

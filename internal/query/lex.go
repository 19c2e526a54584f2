package query

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind uint8

const (
	tEOF tokenKind = iota
	tWord
	tQuoted
	tOp
	tOpen
	tClose
	tComma
	tAnd
	tOr
	tNot
)

// token is a piece of the text. val is the word, the unquoted string or the
// operator.
type token struct {
	kind tokenKind
	pos  int
	end  int
	val  string
}

// lexer cuts the text into tokens on demand, because a regular expression is
// cut by other rules than a word.
type lexer struct {
	text string
	pos  int
}

// special characters end a word.
const special = "()=!<>~,&|\"'"

func (l *lexer) skipSpace() {
	for l.pos < len(l.text) {
		r, n := utf8.DecodeRuneInString(l.text[l.pos:])
		if !unicode.IsSpace(r) {
			return
		}
		l.pos += n
	}
}

// next is the next token where a term, an operator or a word of the grammar may
// stand.
func (l *lexer) next() (token, error) {
	l.skipSpace()
	if l.pos >= len(l.text) {
		return token{kind: tEOF, pos: len(l.text), end: len(l.text)}, nil
	}
	switch c := l.text[l.pos]; c {
	case '(':
		return l.take(tOpen, 1), nil
	case ')':
		return l.take(tClose, 1), nil
	case ',':
		return l.take(tComma, 1), nil
	case '"', '\'':
		return l.quoted(c)
	case '&', '|':
		return l.double(c)
	case '=', '!', '<', '>', '~':
		return l.operator()
	}
	t := l.word()
	switch strings.ToLower(t.val) {
	case "and":
		t.kind = tAnd
	case "or":
		t.kind = tOr
	case "not":
		t.kind = tNot
	}
	return t, nil
}

func (l *lexer) take(k tokenKind, n int) token {
	t := token{kind: k, pos: l.pos, end: l.pos + n, val: l.text[l.pos : l.pos+n]}
	l.pos += n
	return t
}

// word runs up to a space or a special character.
func (l *lexer) word() token {
	rest := l.text[l.pos:]
	n := strings.IndexFunc(rest, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(special, r)
	})
	if n < 0 {
		n = len(rest)
	}
	return l.take(tWord, n)
}

// double reads && and ||.
func (l *lexer) double(c byte) (token, error) {
	two := string([]byte{c, c})
	if !strings.HasPrefix(l.text[l.pos:], two) {
		return token{}, fail(l.text, l.pos, 1, strconv.Quote(string(c))+" stands alone, expected", two)
	}
	if c == '&' {
		return l.take(tAnd, 2), nil
	}
	return l.take(tOr, 2), nil
}

// operator reads the longest operator; a ! that starts none is NOT.
func (l *lexer) operator() (token, error) {
	rest := l.text[l.pos:]
	for _, op := range [...]string{"==", "!=", ">=", "<=", "=~", "!~", "=", ">", "<"} {
		if strings.HasPrefix(rest, op) {
			return l.take(tOp, len(op)), nil
		}
	}
	if rest[0] == '!' {
		return l.take(tNot, 1), nil
	}
	return token{}, fail(l.text, l.pos, 1, `"~" is no operator, expected`, "=~", "!~")
}

// pattern is a regular expression without quotes: up to a space, an && or ||,
// or a ) that it did not open.
func (l *lexer) pattern() token {
	depth, class := 0, false
	i := l.pos
	for i < len(l.text) {
		r, n := utf8.DecodeRuneInString(l.text[i:])
		rest := l.text[i:]
		if unicode.IsSpace(r) || !class && (strings.HasPrefix(rest, "&&") || strings.HasPrefix(rest, "||")) {
			break
		}
		if r == '\\' && i+1 < len(l.text) {
			_, m := utf8.DecodeRuneInString(l.text[i+1:])
			i += 1 + m
			continue
		}
		if r == ')' && !class && depth == 0 {
			break
		}
		depth, class = nest(r, depth, class)
		i += n
	}
	return l.take(tWord, i-l.pos)
}

// nest follows groups and character classes through a regular expression.
func nest(r rune, depth int, class bool) (int, bool) {
	switch {
	case class:
		return depth, r != ']'
	case r == '[':
		return depth, true
	case r == '(':
		return depth + 1, false
	case r == ')':
		return depth - 1, false
	}
	return depth, false
}

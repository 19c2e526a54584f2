package query

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Error says what is wrong with a filter and where. Pos and Len are bytes of
// the text: 0 ≤ Pos ≤ Pos+Len ≤ len(text). Len is 0 where something is missing.
type Error struct {
	Pos, Len int
	Column   int      // 1-based, in characters, for people
	Message  string   // plain words, without the place and the expected words
	Expected []string // what would have been right there, may be empty
}

// Error is one line: the column, what is wrong and what was expected.
func (e *Error) Error() string {
	s := fmt.Sprintf("col %d: %s", e.Column, e.Message)
	if len(e.Expected) == 0 {
		return s
	}
	sep := " "
	for _, w := range e.Expected {
		if strings.ContainsRune(w, ' ') {
			sep = ", "
		}
	}
	return s + ": " + strings.Join(e.Expected, sep)
}

// fail makes an Error about text[pos:pos+n].
func fail(text string, pos, n int, msg string, expected ...string) *Error {
	return &Error{
		Pos: pos, Len: n,
		Column:   utf8.RuneCountInString(text[:pos]) + 1,
		Message:  msg,
		Expected: expected,
	}
}

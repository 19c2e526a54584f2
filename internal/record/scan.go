package record

import "github.com/beamline-hpc/lensview/internal/otlp"

// byteClass is what a byte means to the structure of JSON outside of strings.
type byteClass uint8

const (
	other   byteClass = iota // cannot stand outside of a string
	space                    // space, tab, carriage return
	newline                  //
	scalar                   // of numbers and of true, false, null, NaN, Infinity
	opening                  // { [
	closing                  // } ]
	divider                  // , :
	quote                    //
)

// classes gives the class of each byte.
func classes() (table [256]byteClass) {
	for class, set := range map[byteClass]string{
		space: " \t\r", newline: "\n", opening: "{[", closing: "}]", divider: ",:", quote: `"`,
		scalar: "0123456789+-.eE" + "truefalsenullNaNInfinity",
	} {
		for _, c := range []byte(set) {
			table[c] = class
		}
	}
	return table
}

// maxNesting bounds the braces and brackets that are open in a record. Values as
// deep as otlp.MaxDepth need four for each level.
const maxNesting = 4*otlp.MaxDepth + 200

// scan follows the structure of one record from its opening brace on, and can be
// continued when more bytes come. It finds the record's end, or the place where
// it cannot go on as JSON. It is not a validator: it only has to notice soon
// that a record was cut, so that what follows is not swallowed.
type scan struct {
	classes *[256]byteClass
	stack   []byte // { and [ that are open
	last    byte   // last byte outside of strings that is no white space
	text    bool   // inside a string
	escape  bool   // after a backslash in a string
	indent  int    // of the line so far, -1 after its first other byte
	column  int    // indentation of the record's first line
	lines   int    // line ends so far
	label   bool   // the record stands behind other text and must end on its line

	// Places inside the record where another may begin, for when this one turns
	// out to be cut: those in a row that are still open, and the first behind
	// them that was closed.
	open   []start
	closed start
}

// start is a place where a record may begin: an offset from the start of the one
// being read, and its line, 0 for no place.
type start struct{ at, line, depth int }

// verdict is what scan says of a byte.
type verdict uint8

const (
	goOn     verdict = iota
	complete         // the byte ends the record
	damaged          // the byte cannot stand here
	restart          // the byte may as well begin a new record
)

// reset prepares for a record whose line is indented by column bytes.
func (s *scan) reset(column int, label bool) {
	*s = scan{classes: s.classes, stack: s.stack[:0], open: s.open[:0], indent: -1, column: column, label: label}
}

// run reads b from index i on and returns the index of the byte that gave the
// verdict, or len(b) and goOn.
func (s *scan) run(b []byte, i int) (int, verdict) {
	for ; i < len(b); i++ {
		if s.text {
			if i = s.inString(b, i); i == len(b) {
				break
			}
		}
		if v := s.byte(b[i]); v != goOn {
			return i, v
		}
	}
	return i, goOn
}

// inString returns the index of the next byte in a string that matters.
func (s *scan) inString(b []byte, i int) int {
	if s.escape {
		return i
	}
	for ; i < len(b); i++ {
		if c := b[i]; c == '"' || c == '\\' || c == '\n' || c == 0 {
			break
		}
	}
	return i
}

func (s *scan) byte(c byte) verdict {
	if s.text {
		return s.stringByte(c)
	}
	class := s.classes[c]
	switch class {
	case space:
		if s.indent >= 0 {
			s.indent++
		}
		return goOn
	case newline:
		if s.label {
			return damaged
		}
		s.lines++
		s.indent = 0
		return goOn
	}
	v := s.token(c, class)
	if v != damaged {
		s.indent, s.last = -1, c
	}
	return v
}

func (s *scan) stringByte(c byte) verdict {
	switch {
	case c == '\n' || c == 0:
		return damaged
	case s.escape:
		s.escape = false
	case c == '\\':
		s.escape = true
	case c == '"':
		s.text = false
	}
	return goOn
}

func (s *scan) token(c byte, class byteClass) verdict {
	switch class {
	case other:
		return damaged
	case quote:
		s.text = true
	case opening:
		return s.enter(c)
	case closing:
		return s.leave(c)
	}
	return goOn
}

// enter opens an object or array. A brace that begins a line where a record may
// begin and cannot continue this one ends it; one that could continue it is
// pointed out.
func (s *scan) enter(c byte) verdict {
	begins := c == '{' && s.begins()
	if begins && !s.valueMayFollow() || len(s.stack) == maxNesting {
		return damaged
	}
	s.stack = append(s.stack, c)
	if begins {
		return restart
	}
	return goOn
}

// begins reports whether a brace at this place begins a record.
func (s *scan) begins() bool { return s.indent == 0 || s.indent == s.column }

// mayBegin remembers the brace just entered, at the offset at.
func (s *scan) mayBegin(at, line int) {
	if s.closed.line == 0 {
		s.open = append(s.open, start{at, line, len(s.stack) - 1})
	}
}

func (s *scan) valueMayFollow() bool {
	if len(s.stack) == 0 {
		return true
	}
	if s.stack[len(s.stack)-1] == '{' {
		return s.last == ':'
	}
	return s.last == '[' || s.last == ','
}

// leave closes an object or array.
func (s *scan) leave(c byte) verdict {
	depth := len(s.stack) - 1
	if c-s.stack[depth] != 2 { // as it is for both kinds
		return damaged
	}
	s.stack = s.stack[:depth]
	if n := len(s.open); n > 0 && s.open[n-1].depth == depth {
		s.open, s.closed = s.open[:n-1], s.open[n-1]
	}
	if depth == 0 {
		return complete
	}
	return goOn
}

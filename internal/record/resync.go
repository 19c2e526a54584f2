package record

import (
	"bytes"
	"fmt"
)

// broken ends a record that cannot go on at the offset at, and with it those
// that seem to have begun inside it and are as open as it is. It goes on where
// one inside them was closed, at the brace or NUL that broke it, or at the next
// line that begins an object.
func (s *splitter) broken(at int) piece {
	c := s.buf[s.pos+at]
	brace := c == '{' && !s.scan.text
	switch {
	case s.scan.label || !beginsObject(s.buf[s.pos+1:s.pos+at+1]):
		p := piece{kind: aText, line: s.line}
		s.endLine()
		return p
	case s.scan.closed.line > 0:
		return s.cut(s.scan.closed)
	case brace && s.scan.begins():
		return s.cut(start{at: at, line: s.line + s.scan.lines})
	}
	last := piece{kind: aBroken, line: s.line, reason: s.scan.damage(c)}
	first := s.bad(last)
	s.pos += at
	s.line += s.scan.lines
	if c == 0 {
		s.afterNULs(&first)
		return first
	}
	s.resync()
	return first
}

// beginsObject reports whether what follows a brace may be inside an object. A
// printed Python dict, say, is just text.
func beginsObject(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n")
	return len(b) > 0 && (b[0] == '"' || b[0] == '}' || b[0] == 0 || b[0] == '{')
}

// cut ends a record, and those that began inside it, where another one begins.
func (s *splitter) cut(next start) piece {
	first := s.bad(piece{kind: aBroken, reason: cutReason(next.line)})
	s.pos, s.line, s.column = s.pos+next.at, next.line, 0
	return first
}

func cutReason(line int) string {
	return fmt.Sprintf("the record is cut; the next one begins at line %d", line)
}

// bad is the record at pos as a piece. When others began inside it, each ends
// where the next begins, and the last of them ends as last says.
func (s *splitter) bad(last piece) piece {
	line := s.line
	for _, inner := range s.scan.open {
		s.pending = append(s.pending, piece{kind: aBroken, line: line, reason: cutReason(inner.line)})
		line = inner.line
	}
	last.line = line
	s.pending = append(s.pending, last)
	first := s.pending[0]
	s.pending = s.pending[1:]
	return first
}

// damage says why the byte c cannot stand where it is.
func (s *scan) damage(c byte) string {
	switch {
	case c == 0:
		return "NUL bytes inside a record"
	case s.text:
		return "the line ends inside a string"
	case len(s.stack) >= maxNesting:
		return fmt.Sprintf("nested deeper than %d", maxNesting)
	}
	return fmt.Sprintf("not JSON: %q is out of place", c)
}

// afterNULs goes on after a hole in the file, where a writer that crashed left
// one. At the end of the file the last record is a tail.
func (s *splitter) afterNULs(first *piece) {
	if s.blank() {
		return
	}
	last := first
	if n := len(s.pending); n > 0 {
		last = &s.pending[n-1]
	}
	last.kind = aTail
}

// endLine passes over the rest of the line, not its end.
func (s *splitter) endLine() {
	for {
		if i := bytes.IndexByte(s.buf[s.pos:s.end], '\n'); i >= 0 {
			s.pos += i
			return
		}
		if s.pos = s.end; !s.fill() {
			return
		}
	}
}

// resync passes over lines until one begins an object, as far out as the broken
// record's first line or not indented at all.
func (s *splitter) resync() {
	column := s.scan.column
	for {
		s.endLine()
		indent, blank := s.indentation()
		if s.pos == s.end && s.err != nil {
			return
		}
		if !blank && (indent == 0 || indent == column) && s.buf[s.pos] == '{' {
			s.column = indent
			return
		}
	}
}

// indentation passes over a line end and the white space after it, and reports
// its width, and whether nothing else is on that line.
func (s *splitter) indentation() (width int, blank bool) {
	ended := false
	for {
		for ; s.pos < s.end; s.pos++ {
			switch c := s.buf[s.pos]; {
			case c == '\n' && !ended:
				s.line++
				ended = true
			case c == ' ' || c == '\t':
				width++
			case c == '\r' || c == 0:
			default:
				return width, c == '\n'
			}
		}
		if !s.fill() {
			return width, true
		}
	}
}

// tooLong gives up a record that does not end.
func (s *splitter) tooLong(at int) piece {
	p := piece{kind: aBroken, line: s.line, reason: fmt.Sprintf("the record is longer than %d MiB", s.max>>20)}
	s.pos += at
	s.line += s.scan.lines
	s.resync()
	return p
}

// tail is the record that the stream ends in.
func (s *splitter) tail() piece {
	if s.scan.closed.line > 0 {
		return s.cut(s.scan.closed)
	}
	first := s.bad(piece{kind: aTail})
	s.pos = s.end
	return first
}

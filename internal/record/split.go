package record

import (
	"bytes"
	"io"
)

// pieceKind says what a piece of a file is.
type pieceKind uint8

const (
	aRecord pieceKind = iota // a complete object
	aText                    // a line of other text
	aBroken                  // a record that cannot be read, with all that was passed over to get past it
	aTail                    // the end of the file, inside a record
)

// piece is the next thing in a file. Blank lines, NULs, byte-order marks and the
// brackets and commas of an array of records are no pieces.
type piece struct {
	kind   pieceKind
	data   []byte // of a record; valid until the next piece
	line   int    // where it begins, from 1
	reason string // of a broken one
	label  bool   // a record that stands behind other text on its line
	mended bool   // bare NaN and Infinity in it were put between quotes
}

// splitter cuts a stream into pieces. It holds one record at a time.
type splitter struct {
	in       io.Reader
	buf      []byte
	pos, end int // of what is left in buf
	line     int // of pos
	column   int // indentation of pos, when only white space stands before it
	max      int // longest record
	err      error
	scan     scan
	again    start   // place inside the last record, as a place in buf
	pending  []piece // to be given before what is at pos
}

// readSize is how much is read at a time, at least.
const readSize = 256 << 10

func newSplitter(in io.Reader, longest int) *splitter {
	return newSplitterOf(in, longest, readSize)
}

// newSplitterOf begins with a buffer of size bytes.
func newSplitterOf(in io.Reader, longest, size int) *splitter {
	table := classes()
	return &splitter{in: in, buf: make([]byte, size), line: 1, max: longest, scan: scan{classes: &table}}
}

// next is the next piece, or the error that ended the stream: io.EOF at its end.
func (s *splitter) next() (piece, error) {
	if len(s.pending) > 0 {
		p := s.pending[0]
		s.pending = s.pending[1:]
		return p, nil
	}
	if !s.blank() {
		return piece{}, s.err
	}
	if s.buf[s.pos] == '{' {
		return s.record(false), nil
	}
	return s.text(), nil
}

// retry goes back to where a record may begin inside the last one, which turned
// out to be none. It reports whether there is such a place.
func (s *splitter) retry() bool {
	if s.again.line == 0 {
		return false
	}
	s.pos, s.line, s.column = s.again.at, s.again.line, 0
	s.again = start{}
	return true
}

// blank passes over what separates records and reports whether anything is left.
func (s *splitter) blank() bool {
	for {
		for ; s.pos < s.end; s.pos++ {
			switch s.buf[s.pos] {
			case '\n':
				s.line++
				s.column = 0
			case ' ', '\t':
				s.column++
			case '\r', 0, '[', ']', ',', 0xEF, 0xBB, 0xBF: // the last three are a byte-order mark
			default:
				return true
			}
		}
		if !s.fill() {
			return false
		}
	}
}

// fill reads more behind what is left, which it may move to the front of buf or
// into a larger one. It reports whether there was more.
func (s *splitter) fill() bool {
	if s.err != nil {
		return false
	}
	if s.pos > 0 && (s.pos == s.end || len(s.buf)-s.end < readSize/2) {
		s.end = copy(s.buf, s.buf[s.pos:s.end])
		s.pos = 0
	}
	if s.end == len(s.buf) {
		grown := make([]byte, len(s.buf)+growth(len(s.buf)))
		copy(grown, s.buf)
		s.buf = grown
	}
	for range 100 {
		n, err := s.in.Read(s.buf[s.end:])
		s.end += n
		s.err = err
		if n > 0 || err != nil {
			return n > 0
		}
	}
	s.err = io.ErrNoProgress
	return false
}

// growth is by how much a full buffer of n bytes grows: a small one doubles, of a
// large one neither the unused end nor the copy beside it may be as large again.
func growth(n int) int {
	if n >= 16<<20 {
		return n / 4
	}
	return n
}

// record reads the record whose brace is at pos.
func (s *splitter) record(label bool) piece {
	s.scan.reset(s.column, label)
	s.again = start{}
	for at := 0; ; {
		i, v := s.scan.run(s.buf[:s.end], s.pos+at)
		at = i - s.pos
		switch {
		case v == complete:
			return s.whole(at, label)
		case v == damaged:
			return s.broken(at)
		case v == restart:
			s.scan.mayBegin(at, s.line+s.scan.lines)
			at++
		case at > s.max:
			return s.tooLong(at)
		case !s.fill():
			return s.tail()
		}
	}
}

func (s *splitter) whole(at int, label bool) piece {
	p := piece{kind: aRecord, data: s.buf[s.pos : s.pos+at+1], line: s.line, label: label}
	if inner := s.scan.closed; inner.line > 0 {
		s.again = start{at: s.pos + inner.at, line: inner.line}
	}
	s.pos += at + 1
	s.line += s.scan.lines
	s.column = 0
	return p
}

// text passes over a line of other text, unless an object begins in it: srun
// --label, torchrun and container runtimes write a label before each line.
func (s *splitter) text() piece {
	p := piece{kind: aText, line: s.line}
	for {
		rest := s.buf[s.pos:s.end]
		i := bytes.IndexByte(rest, '\n')
		if i >= 0 {
			rest = rest[:i]
		}
		if brace := bytes.Index(rest, []byte(`{"`)); brace >= 0 {
			s.pos += brace
			return s.record(true)
		}
		if i >= 0 {
			s.pos += i
			return p
		}
		s.pos = max(s.pos, s.end-1) // a brace at the end may have its quote in the next part
		if !s.fill() {
			s.pos = s.end
			return p
		}
	}
}

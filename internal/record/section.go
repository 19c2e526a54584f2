package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// sectionKind says what a section of a segment is.
type sectionKind uint8

const (
	aHeader  sectionKind = iota // the beginning of a segment
	aGroup                      // of requests
	anIndex                     // the end of a segment
	anOlder                     // what was in segments that are deleted
	aForeign                    // something of a later version, passed over
	aDamage                     // bytes that cannot be read, with more behind them
	aTorn                       // the end of the file, inside a section
	aNewer                      // a segment in a format of later versions: nothing behind it can be read
)

// section is the next part of a segment.
type section struct {
	kind   sectionKind
	offset int64 // where it begins
	size   int64
	group  group
	packed []byte // of a group; valid until the next section
	reason string
}

// sections cuts a stream into the sections of one or more segments.
type sections struct{ *window }

// next is the next section, or the error that ended the stream: io.EOF at its
// end.
func (s sections) next() (section, error) {
	b, err := s.peek(skipSize)
	switch {
	case len(b) == 0:
		return section{}, err
	case err != nil && !atEnd(err):
		return section{}, err
	case len(b) < skipSize:
		return s.torn()
	}
	switch magic := binary.LittleEndian.Uint32(b); {
	case magic == magicHeader:
		return s.header()
	case magic == magicGroup && isGroup(b):
		return s.grouped()
	case magic == magicIndex:
		return s.index()
	case magic == magicOlder && isOlder(b):
		return s.older()
	case magic&^0xF == magicHeader && magic > magicIndex: // a skippable frame that is not ours
		return s.foreign(skipSize + int64(binary.LittleEndian.Uint32(b[4:])))
	}
	return s.resync("not a frame of a recording")
}

func (s sections) header() (section, error) {
	b, err := s.peek(headerSize)
	if err != nil {
		return s.cut(err)
	}
	_, err = parseHeader(b)
	switch {
	case err == nil:
		return s.take(section{kind: aHeader}, headerSize), nil
	case errors.Is(err, errNewer):
		one := section{kind: aNewer, offset: s.offset, reason: err.Error()}
		return one, nil //nolint:nilerr // it is the section's
	}
	return s.resync("the header of the segment is damaged")
}

func (s sections) grouped() (section, error) {
	b, err := s.peek(groupSize)
	if err != nil {
		return s.cut(err)
	}
	g, bad := parseGroup(b)
	if bad != nil {
		return s.resync("the header of a group is damaged")
	}
	size := groupSize + int(g.packed)
	if b, err = s.peek(size); err != nil {
		return s.cut(err)
	}
	if b = b[groupSize:]; checksum(b) != g.sum {
		return s.resync("a group is damaged: " + errChecksum.Error())
	}
	return s.take(section{kind: aGroup, group: g, packed: b}, size), nil
}

func (s sections) index() (section, error) {
	b, err := s.peek(skipSize)
	if err != nil {
		return s.cut(err)
	}
	n := int64(binary.LittleEndian.Uint32(b[4:]))
	if n > maxIndex {
		return s.resync("the index is damaged")
	}
	if b, err = s.peek(int(skipSize + n)); err != nil {
		return s.cut(err)
	}
	if _, err := parseIndex(b[skipSize:]); err != nil {
		return s.resync("the index is damaged")
	}
	return s.take(section{kind: anIndex}, int(skipSize+n)), nil
}

func (s sections) older() (section, error) {
	b, err := s.peek(olderSize)
	if err != nil {
		return s.cut(err)
	}
	if _, ok := parseOlder(b); !ok {
		return s.resync("the note of what was deleted is damaged")
	}
	return s.take(section{kind: anOlder}, olderSize), nil
}

func (s sections) foreign(size int64) (section, error) {
	at := s.offset
	if err := s.discard(size); err != nil {
		if !atEnd(err) {
			return section{}, err
		}
		return section{kind: aTorn, offset: at, size: s.offset - at}, nil
	}
	return section{kind: aForeign, offset: at, size: size}, nil
}

func (s sections) take(one section, size int) section {
	one.offset, one.size = s.offset, int64(size)
	s.skip(size)
	return one
}

// cut is a section that is not all there: torn, unless the stream failed.
func (s sections) cut(err error) (section, error) {
	if !atEnd(err) {
		return section{}, err
	}
	if at := s.search(); at >= 0 {
		return s.damage("cut short; the next part begins", at), nil
	}
	return s.torn()
}

// torn is all that is left.
func (s sections) torn() (section, error) {
	at := s.offset
	for {
		b, err := s.peek(1)
		if len(b) == 0 {
			if !atEnd(err) {
				return section{}, err
			}
			return section{kind: aTorn, offset: at, size: s.offset - at}, nil
		}
		s.skip(s.end - s.pos)
	}
}

// resync passes over what cannot be read up to where a section begins again.
// Where none does, the file ends in damage: a writer that crashed leaves that,
// too.
func (s sections) resync(reason string) (section, error) {
	from := s.offset
	for {
		if at := s.search(); at >= 0 {
			one := s.damage(reason, at)
			one.offset, one.size = from, s.offset-from
			return one, nil
		}
		s.skip(max(0, s.end-s.pos-headerSize-groupSize)) // a section may begin in the last bytes
		have := s.end - s.pos
		if b, err := s.peek(have + 1); len(b) <= have {
			if !atEnd(err) {
				return section{}, err
			}
			s.skip(have)
			return section{kind: aTorn, offset: from, size: s.offset - from, reason: reason}, nil
		}
	}
}

func (s sections) damage(reason string, next int) section {
	one := section{kind: aDamage, offset: s.offset, size: int64(next)}
	s.skip(next)
	one.reason = fmt.Sprintf("%s; reading goes on at offset %d", reason, s.offset)
	return one
}

// search is where in the bytes at hand a segment or a group begins again, behind
// the first byte; -1 for nowhere.
func (s sections) search() int {
	b := s.buf[s.pos:s.end]
	for i := 1; i+headerSize <= len(b); i++ {
		if b[i+3] != magicGroup>>24 || b[i+2] != magicGroup>>16&0xFF {
			continue
		}
		if _, err := parseHeader(b[i : i+headerSize]); err == nil {
			return i
		}
		if i+groupSize <= len(b) {
			if _, err := parseGroup(b[i : i+groupSize]); err == nil {
				return i
			}
		}
	}
	return -1
}

// walk reads a whole segment and gives its index and where its last good section
// ends; finished says that it ends with an index of its own.
func walk(in io.Reader) (x Index, end int64, finished bool, err error) {
	s := sections{newWindow(in, 0)}
	for {
		one, err := s.next()
		switch {
		case errors.Is(err, io.EOF):
			return x, end, finished, nil
		case err != nil:
			return x, end, false, err
		}
		switch one.kind {
		case aNewer:
			return x, end, false, errors.New(one.reason)
		case aDamage, aTorn:
			continue
		case aGroup:
			x.add(one.offset, &one.group)
		}
		end, finished = one.offset+one.size, one.kind == anIndex
	}
}

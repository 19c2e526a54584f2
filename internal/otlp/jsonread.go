package otlp

import (
	"bytes"
	"errors"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/encoding/protowire"
)

// jsonPadDepth is the depth from which lengths are written in five bytes, which
// saves moving what is inside once for each level around it.
const jsonPadDepth = 8

// members reads an object and calls member with each name, unquoted and valid
// until the value is read; member reads the value.
func (t *Transcoder) members(member func(name []byte) error) error {
	if t.dec.PeekKind() != '{' {
		return t.mismatch("an object")
	}
	if _, err := t.dec.ReadToken(); err != nil {
		return t.syntax(err)
	}
	for t.dec.PeekKind() != '}' {
		name, err := t.name()
		if err != nil {
			return err
		}
		if err := member(name); err != nil {
			return err
		}
	}
	_, err := t.dec.ReadToken()
	return t.syntax(err)
}

// name reads the name of a member.
func (t *Transcoder) name() ([]byte, error) {
	raw, err := t.dec.ReadValue()
	if err != nil {
		return nil, t.syntax(err)
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1], nil
	}
	t.text, _ = jsontext.AppendUnquote(t.text[:0], raw) // a name we know has no invalid UTF-8
	return t.text, nil
}

// message reads an object into the fields of m, which are appended to dst.
func (t *Transcoder) message(m *jsonMessage) error {
	start, mark, items := len(t.dst), len(t.again), t.notes.items
	var seen uint32
	var foreign string
	err := t.members(func(name []byte) error {
		n, ok := m.byName[string(name)]
		if !ok {
			if m.envelope && foreign == "" {
				foreign = string(name[:min(len(name), jsonTextMax)])
			}
			return t.unknown(m, name)
		}
		if n.spelling != jsonCurrent {
			t.spelled(n.spelling, name)
		}
		if bit := uint32(1) << n.field.index; seen&bit != 0 {
			t.sentAgain(mark, n.field, start)
		} else {
			seen |= bit
		}
		return t.value(n.field)
	})
	if len(t.again) > mark {
		t.dropEarlier(mark, start)
	}
	if foreign != "" && err == nil && t.notes.items == items {
		t.lost(foreign)
	}
	return err
}

// unknown passes over a member that m does not have.
func (t *Transcoder) unknown(m *jsonMessage, name []byte) error {
	switch {
	case m.envelope:
		t.notes.unknown(name)
	case m.gone(name):
		return t.gone(name)
	}
	return t.syntax(t.dec.SkipValue())
}

// value reads the value of f: nothing for null, a list, or one element.
func (t *Transcoder) value(f *jsonField) error {
	switch t.dec.PeekKind() {
	case 'n':
		_, err := t.dec.ReadToken()
		if err == nil && f.presence {
			t.isNull()
		}
		return t.syntax(err)
	case '[':
		if f.list {
			return t.list(f)
		}
	}
	if f.list {
		return t.mismatch("an array")
	}
	return t.element(f)
}

// list reads the elements of a repeated field.
func (t *Transcoder) list(f *jsonField) error {
	if _, err := t.dec.ReadToken(); err != nil {
		return t.syntax(err)
	}
	tag := len(t.dst)
	start := tag
	if f.packed() {
		start = t.open(f)
	}
	for t.dec.PeekKind() != ']' {
		if err := t.element(f); err != nil {
			return err
		}
	}
	if f.packed() {
		if t.close(start); len(t.dst) == start {
			t.dst = t.dst[:tag]
		}
	}
	_, err := t.dec.ReadToken()
	return t.syntax(err)
}

// element reads one element of a list, or the only one.
func (t *Transcoder) element(f *jsonField) error {
	if f.message == nil {
		return t.scalar(f)
	}
	t.notes.took(f)
	if t.opt.File && f.message.item {
		return t.item(f)
	}
	return t.nested(f)
}

// item reads an element which may be left out alone when it does not fit.
func (t *Transcoder) item(f *jsonField) error {
	size, depth, nesting := len(t.dst), t.dec.StackDepth(), t.depth
	mark := len(t.again)
	err := t.nested(f)
	if err == nil {
		return nil
	}
	var bad *JSONError
	if !errors.As(err, &bad) || bad.Syntax {
		return err
	}
	t.dst, t.again, t.depth = t.dst[:size], t.again[:mark], nesting
	t.notes.note(jsonNoteRefused, bad.Error)
	for t.dec.StackDepth() > depth {
		if _, err := t.dec.ReadToken(); err != nil {
			return t.syntax(err)
		}
	}
	return nil
}

// nested reads a message into a length-delimited field. A null in a list of
// values is an empty value, so that the others keep their places.
func (t *Transcoder) nested(f *jsonField) error {
	if f.message.nests {
		t.depth++
	}
	if t.depth > MaxDepth {
		return t.tooDeep()
	}
	start := t.open(f)
	if f.list && f.message.value && t.dec.PeekKind() == 'n' {
		if _, err := t.dec.ReadToken(); err != nil {
			return t.syntax(err)
		}
	} else if err := t.message(f.message); err != nil {
		return err
	}
	t.close(start)
	if f.message.nests {
		t.depth--
	}
	return nil
}

// tooDeep refuses the value that is next. It is passed over token by token, as
// far as the JSON reader goes.
func (t *Transcoder) tooDeep() error {
	if err := t.syntax(t.dec.SkipValue()); err != nil {
		return err
	}
	return t.refuse("values nest deeper than %d levels", MaxDepth)
}

// open starts a length-delimited field and returns where its content starts.
func (t *Transcoder) open(f *jsonField) int {
	t.dst = protowire.AppendTag(t.dst, f.number, protowire.BytesType)
	t.dst = append(t.dst, 0)
	if t.depth > jsonPadDepth {
		t.dst = append(t.dst, 0, 0, 0, 0)
	}
	return len(t.dst)
}

// close writes the length of the content that started at start.
func (t *Transcoder) close(start int) {
	n := len(t.dst) - start
	if t.depth > jsonPadDepth {
		putPadded(t.dst[start-5:start], uint32(n))
		return
	}
	if size := protowire.SizeVarint(uint64(n)); size > 1 {
		t.dst = append(t.dst, make([]byte, size-1)...)
		copy(t.dst[start+size-1:], t.dst[start:start+n])
	}
	protowire.AppendVarint(t.dst[:start-1], uint64(n))
}

// putPadded writes n as a varint of five bytes.
func putPadded(b []byte, n uint32) {
	for i := range 4 {
		b[i] = byte(n) | 0x80
		n >>= 7
	}
	b[4] = byte(n)
}

// jsonAgain says that a member came again: what its field holds before this
// place of the message does not count.
type jsonAgain struct {
	number protowire.Number
	from   int
}

// sentAgain remembers that f starts anew at the end of dst.
func (t *Transcoder) sentAgain(mark int, f *jsonField, start int) {
	from := len(t.dst) - start
	for i := range t.again[mark:] {
		if a := &t.again[mark+i]; a.number == f.number {
			a.from = from
			return
		}
	}
	t.again = append(t.again, jsonAgain{f.number, from})
}

// dropEarlier removes from the message at start the fields that were sent again
// later, in one pass.
func (t *Transcoder) dropEarlier(mark, start int) {
	body := t.dst[start:]
	kept := start
	for off := 0; off < len(body); {
		number, _, n := protowire.ConsumeField(body[off:])
		if n < 0 {
			break // cannot be: these bytes were written here
		}
		if !t.isEarlier(mark, number, off) {
			kept += copy(t.dst[kept:], body[off:off+n])
		}
		off += n
	}
	t.dst, t.again = t.dst[:kept], t.again[:mark]
}

func (t *Transcoder) isEarlier(mark int, number protowire.Number, off int) bool {
	for _, a := range t.again[mark:] {
		if a.number == number {
			return off < a.from
		}
	}
	return false
}

package otlp

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"math"

	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// scalar reads one value that is not a message. A zero is written only where it
// differs from nothing: in a list or in a field with presence.
func (t *Transcoder) scalar(f *jsonField) error {
	switch t.dec.PeekKind() {
	case '{', '[':
		return t.mismatch(jsonWant(f))
	}
	raw, err := t.dec.ReadValue()
	if err != nil {
		return t.syntax(err)
	}
	switch f.kind {
	case protoreflect.StringKind, protoreflect.BytesKind:
		return t.textual(f, raw)
	case protoreflect.BoolKind:
		return t.boolean(f, raw)
	case protoreflect.DoubleKind:
		return t.double(f, raw)
	case protoreflect.EnumKind:
		return t.enumerated(f, raw)
	}
	return t.integer(f, raw)
}

// jsonWant names what f is written as.
func jsonWant(f *jsonField) string {
	switch f.kind {
	case protoreflect.StringKind, protoreflect.BytesKind:
		return "a string"
	case protoreflect.BoolKind:
		return "true or false"
	case protoreflect.EnumKind:
		return "an enum number or name"
	case protoreflect.DoubleKind:
		return "a number"
	}
	return "an integer"
}

// unquoted is the text of a number or string, whichever it is written as.
func (t *Transcoder) unquoted(raw []byte) []byte {
	if raw[0] != '"' {
		return raw
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	t.text, _ = jsontext.AppendUnquote(t.text[:0], raw)
	return t.text
}

// number appends the bits of a number of f's wire type.
func (t *Transcoder) number(f *jsonField, bits uint64) {
	if bits == 0 && !f.list && !f.presence {
		return
	}
	if !f.list {
		t.dst = protowire.AppendTag(t.dst, f.number, f.wire)
	}
	switch f.wire {
	case protowire.Fixed64Type:
		t.dst = protowire.AppendFixed64(t.dst, bits)
	case protowire.Fixed32Type:
		t.dst = protowire.AppendFixed32(t.dst, uint32(bits))
	default:
		t.dst = protowire.AppendVarint(t.dst, bits)
	}
}

func (t *Transcoder) boolean(f *jsonField, raw []byte) error {
	switch raw[0] {
	case 't':
		t.number(f, 1)
	case 'f':
		t.number(f, 0)
	default:
		return t.refuse("want %s, got %s", jsonWant(f), shownJSON(raw))
	}
	return nil
}

func (t *Transcoder) double(f *jsonField, raw []byte) error {
	v, ok := jsonDouble(t.unquoted(raw))
	if !ok {
		return t.refuse("want %s, got %s", jsonWant(f), shownJSON(raw))
	}
	t.number(f, math.Float64bits(v))
	return nil
}

// enumerated reads an enum's number or the name of its value. Numbers that this
// version does not know are kept.
func (t *Transcoder) enumerated(f *jsonField, raw []byte) error {
	if raw[0] == '"' {
		if v := f.enum.ByName(protoreflect.Name(t.unquoted(raw))); v != nil {
			t.number(f, uint64(v.Number()))
			return nil
		}
	}
	return t.integer(f, raw)
}

func (t *Transcoder) integer(f *jsonField, raw []byte) error {
	magnitude, negative, ok := jsonInteger(t.unquoted(raw))
	if !ok {
		return t.refuse("want %s, got %s", jsonWant(f), shownJSON(raw))
	}
	bits, ok := jsonIntegerBits(f.kind, magnitude, negative)
	if !ok {
		return t.refuse("%s is out of range for %v", shownJSON(raw), f.kind)
	}
	t.number(f, bits)
	return nil
}

// textual reads a string or bytes.
func (t *Transcoder) textual(f *jsonField, raw []byte) error {
	if raw[0] != '"' {
		return t.refuse("want %s, got %s", jsonWant(f), shownJSON(raw))
	}
	if len(raw) == len(`""`) && !f.list && !f.presence {
		return nil
	}
	size, start := len(t.dst), t.open(f)
	err := t.content(f, raw)
	if err != nil {
		t.dst = t.dst[:size]
		return err
	}
	t.close(start)
	return nil
}

// content appends the payload of a string or bytes field.
func (t *Transcoder) content(f *jsonField, raw []byte) error {
	switch {
	case f.idSize > 0:
		return t.id(f, t.unquoted(raw))
	case f.kind == protoreflect.BytesKind:
		return t.base64(t.unquoted(raw))
	}
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 && validText(inner) {
		t.dst = append(t.dst, inner...)
		return nil
	}
	var err error
	if t.dst, err = jsontext.AppendUnquote(t.dst, raw); err != nil {
		t.notes.repaired++ // the reader has checked the rest of the grammar
	}
	return nil
}

// base64 appends the bytes of standard or URL base64, padded or not.
func (t *Transcoder) base64(text []byte) error {
	b, ok := appendBase64(t.dst, text)
	if !ok {
		return t.refuse("want base64, got %s", shownText(text))
	}
	t.dst = b
	return nil
}

func appendBase64(dst, text []byte) ([]byte, bool) {
	text = bytes.TrimRight(text, "=")
	enc := base64.RawStdEncoding
	if bytes.ContainsAny(text, "-_") {
		enc = base64.RawURLEncoding
	}
	dst, err := enc.AppendDecode(dst, text)
	return dst, err == nil
}

// id appends a trace or span id from its hex digits; text that is no hex may be
// base64 in files. An id of the wrong length goes through as it is, so that only
// its span is refused further on.
func (t *Transcoder) id(f *jsonField, text []byte) error {
	start := len(t.dst)
	b, err := hex.AppendDecode(t.dst, text)
	if t.opt.File && err != nil {
		if b, ok := appendBase64(t.dst, text); ok && len(b)-start == f.idSize {
			t.dst = b
			t.notes.note(jsonNoteBase64, func() string { return t.path() + ": base64 id read; OTLP JSON ids are hex" })
			return nil
		}
	}
	switch {
	case err == nil:
		t.dst = b
	case errors.Is(err, hex.ErrLength) || t.opt.File:
		t.oddID(f, text)
	default:
		return t.refuse("ids must be %d hex digits (not base64), got %s", 2*f.idSize, shownText(text))
	}
	return nil
}

// oddID passes on an id that is not hex as its text, made to have a length that
// no id has.
func (t *Transcoder) oddID(f *jsonField, text []byte) {
	t.dst = append(t.dst, text...)
	if len(text) == f.idSize {
		t.dst = append(t.dst, 0)
	}
}

package otlp

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// JSONError says what is wrong in a JSON request and where.
type JSONError struct {
	Path   string // of the field, as in resourceSpans[0].scopeSpans[0].spans[2].spanId
	Reason string
	Offset int64 // bytes into the body
	Syntax bool  // the body is not JSON; else it is JSON with a value that does not fit
}

// Error names the place first.
func (e *JSONError) Error() string {
	if e.Path == "" {
		return e.Reason
	}
	return e.Path + ": " + e.Reason
}

// jsonTextMax is how much of a bad value an error shows.
const jsonTextMax = 60

// refuse is the error for the value just read.
func (t *Transcoder) refuse(format string, args ...any) error {
	return &JSONError{Path: t.path(), Reason: fmt.Sprintf(format, args...), Offset: t.dec.InputOffset()}
}

// mismatch passes over the value that is next and refuses it.
func (t *Transcoder) mismatch(want string) error {
	got := jsonKindWord(t.dec.PeekKind())
	if err := t.syntax(t.dec.SkipValue()); err != nil {
		return err
	}
	return t.refuse("want %s, got %s", want, got)
}

func jsonKindWord(k jsontext.Kind) string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "a boolean"
}

// shownJSON is a scalar cut to what fits in a message.
func shownJSON(raw []byte) string {
	if raw[0] == '"' {
		return shownText(raw[1 : len(raw)-1])
	}
	return string(raw[:min(len(raw), jsonTextMax)])
}

// shownText is text cut to what fits in a message, between quotes and with
// control characters escaped, so that no text from telemetry reaches a terminal
// as it is.
func shownText(text []byte) string {
	if len(text) > jsonTextMax {
		return fmt.Sprintf("%q…", text[:jsonTextMax])
	}
	return fmt.Sprintf("%q", text)
}

// syntax turns a decoder's error into a JSONError; nil stays nil.
func (t *Transcoder) syntax(err error) error {
	if err == nil {
		return nil
	}
	var at *jsontext.SyntacticError
	switch {
	case errors.As(err, &at) && errors.Is(at.Err, io.ErrUnexpectedEOF):
		return &JSONError{Path: jsonPath(string(at.JSONPointer)), Reason: "the JSON ends early", Offset: at.ByteOffset, Syntax: true}
	case errors.As(err, &at):
		reason := fmt.Sprintf("not JSON at byte %d: %v", at.ByteOffset, at.Err)
		return &JSONError{Path: jsonPath(string(at.JSONPointer)), Reason: reason, Offset: at.ByteOffset, Syntax: true}
	}
	return &JSONError{Reason: "the JSON ends early", Offset: t.dec.InputOffset(), Syntax: true}
}

// path is the place of the value just read.
func (t *Transcoder) path() string { return jsonPath(string(t.dec.StackPointer())) }

// jsonPathMax bounds the path in an error; nested values make long ones.
const jsonPathMax = 200

// jsonPath writes a JSON pointer as a path: /a/0/b as a[0].b.
func jsonPath(pointer string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if b.Len() > jsonPathMax {
			b.WriteString("…")
			break
		}
		writeJSONPart(&b, part)
	}
	return b.String()
}

func writeJSONPart(b *strings.Builder, part string) {
	if part != "" && strings.Trim(part, "0123456789") == "" {
		b.WriteString("[" + part + "]")
		return
	}
	if b.Len() > 0 {
		b.WriteByte('.')
	}
	name := fmt.Sprintf("%q", part)
	b.WriteString(name[1 : len(name)-1])
}

package otlp

import (
	"bytes"
	"errors"
	"io"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/beamline-hpc/lensview/internal/run"
)

// JSONOptions says at which door a JSON request came in.
type JSONOptions struct {
	// File reads a saved file rather than a request that can still be
	// answered. Base64 ids are decoded instead of refused, and a span, log
	// record, metric or point that cannot be read is left out and told of
	// instead of failing all that stands beside it.
	File bool
}

// Requests are protobuf requests by signal; nil where the JSON had none.
type Requests [run.SignalCount][]byte

// Transcoder turns OTLP JSON into the protobuf bytes of the same request. It
// keeps its buffers from call to call and is not safe for concurrent use.
//
// Field names and types come from the generated descriptors, so every field of
// the protocol is covered. On top of the stock protobuf mapping it knows what
// OTLP changes: ids are hex in either case, enums are integers (names are read
// too) and unknown fields are ignored. 64-bit integers are read from strings or
// numbers, exactly; a number with a fraction or an exponent is taken when it is
// integral (1.5e3) and refused when it is not. null means unset; the last of
// equal keys wins; snake_case and the names before OTLP 0.15 are read. What was
// merely tolerated is told by Notices.
type Transcoder struct {
	opt   JSONOptions
	dec   *jsontext.Decoder
	in    bytes.Buffer // the body, as dec wants it
	size  int          // of the body
	roots jsonRoots
	wire  Requests
	dst   []byte // of the signal being read
	depth int    // of arrays and key-value lists around what is being read
	again []jsonAgain
	text  []byte // scratch for unquoted strings
	notes jsonNotes
}

// NewTranscoder makes a Transcoder for one door.
func NewTranscoder(opt JSONOptions) *Transcoder {
	return &Transcoder{opt: opt, dec: jsontext.NewDecoder(new(bytes.Buffer)), roots: jsonTables()}
}

// Transcode reads one JSON object and returns the requests in it, of the wanted
// signals or, when none is named, of all: a file may hold several in one object.
// The bytes are valid until the next call. Errors are of type *JSONError.
func (t *Transcoder) Transcode(body []byte, want ...run.Signal) (Requests, error) {
	t.reset(body)
	if err := t.document(want); err != nil {
		return Requests{}, err
	}
	return t.wire, nil
}

func (t *Transcoder) reset(body []byte) {
	t.in, t.size = *bytes.NewBuffer(body), len(body)
	t.dec.Reset(&t.in, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	t.depth, t.again, t.notes = 0, t.again[:0], jsonNotes{}
}

// document reads the one object of the body.
func (t *Transcoder) document(want []run.Signal) error {
	kept := t.wire
	t.wire = Requests{}
	if t.dec.PeekKind() == 0 {
		if _, err := t.dec.ReadToken(); errors.Is(err, io.EOF) {
			return &JSONError{Reason: "the body is empty; an empty OTLP JSON request is {}", Syntax: true}
		}
	}
	if err := t.members(func(name []byte) error { return t.root(name, want, &kept) }); err != nil {
		return err
	}
	if _, err := t.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return &JSONError{Reason: "there is more after the end of the object", Offset: t.dec.InputOffset(), Syntax: true}
	}
	return nil
}

// root reads one member of the request: all there is to it are the resources of
// a signal. kept is the buffers of the last call. Protobuf is about half the size
// of the JSON, so that large buffers need not grow step by step.
func (t *Transcoder) root(name []byte, want []run.Signal, kept *Requests) error {
	for s, m := range t.roots {
		n, ok := m.byName[string(name)]
		if !ok || !jsonWanted(want, run.Signal(s)) {
			continue
		}
		t.spelled(n.spelling, name)
		t.dst = slices.Grow(kept[s][:0], 1+t.size/2)
		err := t.value(n.field)
		t.wire[s], kept[s] = t.dst, t.dst
		return err
	}
	t.notes.unknown(name)
	return t.syntax(t.dec.SkipValue())
}

func jsonWanted(want []run.Signal, s run.Signal) bool {
	for _, w := range want {
		if w == s {
			return true
		}
	}
	return len(want) == 0
}

// Notices is what the last call tolerated: one notice a kind, with the place of
// the first case and the number of cases.
func (t *Transcoder) Notices() []run.Notice { return t.notes.notices() }

// Unknown is the names, at most sixteen, that the last call did not understand in
// the request, its resources, scopes and metrics. Newer senders may send such
// names; where nothing else came, they say why.
func (t *Transcoder) Unknown() []string { return t.notes.names }

// Repaired is the number of strings whose invalid UTF-8 or lone surrogates the
// last call replaced by U+FFFD.
func (t *Transcoder) Repaired() int { return t.notes.repaired }

// Refused is the number of items that the last call left out, in files only.
func (t *Transcoder) Refused() int { return t.notes.count[jsonNoteRefused] }

package otlp

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Extra is the rarer fields of a span in full.
type Extra struct {
	TraceState                                string
	StatusMessage                             string
	Events                                    []run.Event
	Links                                     []run.Link
	DroppedAttrs, DroppedEvents, DroppedLinks uint32
}

// DecodeExtra expands the bytes of Span.Extra. Text that is not UTF-8 is
// repaired; a link's ids of a wrong length are none. The error, which bytes
// from a Batch never give, says what is malformed.
func DecodeExtra(extra []byte) (Extra, error) {
	var e Extra
	var f field
	for i := 0; i < len(extra); i = f.end {
		err := f.read(extra, i)
		if err == nil {
			err = e.field(&f, extra)
		}
		if err != nil {
			return Extra{}, fmt.Errorf("expand the rarer fields of a span: %w", err)
		}
	}
	return e, nil
}

func (e *Extra) field(f *field, p []byte) (err error) {
	switch f.key() {
	case 3<<3 | bytesType:
		e.TraceState = text(p[f.at:f.end])
	case 10<<3 | varintType:
		e.DroppedAttrs = uint32(f.v)
	case 11<<3 | bytesType:
		var v run.Event
		v, err = expandEvent(p[f.at:f.end])
		e.Events = append(e.Events, v)
	case 12<<3 | varintType:
		e.DroppedEvents = uint32(f.v)
	case 13<<3 | bytesType:
		var l run.Link
		l, err = expandLink(p[f.at:f.end])
		e.Links = append(e.Links, l)
	case 14<<3 | varintType:
		e.DroppedLinks = uint32(f.v)
	case 15<<3 | bytesType:
		err = e.status(p[f.at:f.end])
	}
	return err
}

func (e *Extra) status(p []byte) error {
	var f field
	for i := 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return within(err, "status")
		}
		if f.key() == 2<<3|bytesType {
			e.StatusMessage = text(p[f.at:f.end])
		}
	}
	return nil
}

func expandEvent(p []byte) (v run.Event, err error) {
	var f field
	for i := 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return v, within(err, "events")
		}
		switch f.key() {
		case 1<<3 | fixed64Type:
			v.Time = f.v
		case 2<<3 | bytesType:
			v.Name = text(p[f.at:f.end])
		case 4<<3 | varintType:
			v.Dropped = uint32(f.v)
		}
	}
	v.Attrs, err = expandPairs(nil, p, 3, 0)
	return v, err
}

func expandLink(p []byte) (l run.Link, err error) {
	var f field
	for i := 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return l, within(err, "links")
		}
		switch f.key() {
		case 1<<3 | bytesType:
			l.TraceID = traceID(p[f.at:f.end])
		case 2<<3 | bytesType:
			l.ID = spanID(p[f.at:f.end])
		case 3<<3 | bytesType:
			l.TraceState = text(p[f.at:f.end])
		case 5<<3 | varintType:
			l.Dropped = uint32(f.v)
		case 6<<3 | fixed32Type:
			l.Flags = uint32(f.v)
		}
	}
	l.Attrs, err = expandPairs(nil, p, 4, 0)
	return l, err
}

// HasEvent reports whether the bytes of Span.Extra hold an event of that name.
// It allocates nothing.
func HasEvent(extra []byte, name string) bool {
	var f field
	for i := 0; i < len(extra); i = f.end {
		if f.read(extra, i) != nil {
			return false
		}
		if f.key() == 11<<3|bytesType && eventNamed(extra[f.at:f.end], name) {
			return true
		}
	}
	return false
}

func eventNamed(p []byte, name string) bool {
	var f field
	named := name == ""
	for i := 0; i < len(p); i = f.end {
		if f.read(p, i) != nil {
			return false
		}
		if f.key() == 2<<3|bytesType {
			named = string(p[f.at:f.end]) == name
		}
	}
	return named
}

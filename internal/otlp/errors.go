package otlp

import (
	"errors"
	"fmt"
	"strconv"
)

// wireError is a reason why a request cannot be read.
type wireError uint8

const (
	noError wireError = iota
	errTruncated
	errVarint
	errOverflow
	errFieldNumber
	errWireType
	errEndGroup
	errPacked
	errDepth
	errExpands
	errTooLarge
)

// Error is the reason in words.
func (e wireError) Error() string {
	switch e {
	case errTruncated:
		return "field runs past the end of its message"
	case errVarint:
		return "truncated varint"
	case errOverflow:
		return "varint of more than 64 bits"
	case errFieldNumber:
		return "invalid field number"
	case errWireType:
		return "reserved wire type"
	case errEndGroup:
		return "end of a group that was not begun"
	case errPacked:
		return "packed list ends inside a number"
	case errDepth:
		return fmt.Sprintf("nested deeper than %d levels", MaxDepth)
	case errExpands:
		return fmt.Sprintf("expands to more than %d times its size", maxExpansion)
	case errTooLarge:
		return fmt.Sprintf("larger than %d MiB", MaxBody>>20)
	}
	return "malformed protobuf"
}

// pathError is an error with the place in the request where it was found, as
// in "resource_spans[2].scope_spans[0].spans[17].attributes[3]".
type pathError struct {
	path string
	err  error
}

func (e *pathError) Error() string { return e.path + ": " + e.err.Error() }
func (e *pathError) Unwrap() error { return e.err }

// within puts a step in front of the place of err. It is called on the way out
// of each message, so that reading without errors costs nothing.
func within(err error, step string) error {
	var e *pathError
	if errors.As(err, &e) {
		e.path = step + "." + e.path
		return e
	}
	return &pathError{step, err}
}

// at is within for the n-th element of a list.
func at(err error, step string, n int) error {
	return within(err, step+"["+strconv.Itoa(n)+"]")
}

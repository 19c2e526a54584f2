package report

import (
	"encoding/hex"
	"math"

	"github.com/beamline-hpc/lensview/internal/run"
)

// list is never nil: an empty list is [] in JSON, not null.
func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// text is nil for what was not sent.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// known is nil for an unknown rank, size or coordinate.
func known(n int) *int {
	if n == run.Unknown {
		return nil
	}
	return &n
}

// sized is nil for a size that is not known.
func sized(n int) *int {
	if n < 1 {
		return nil
	}
	return &n
}

// number is nil for an answer that is not there. JSON has no NaN or infinity.
func number(f float64) *float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil
	}
	return &f
}

// typed is a value with its type. Integers beyond 2^53 stay exact, as encoding
// JSON numbers of Go integers does; non-finite doubles are their OTLP words.
func typed(v run.Value) Typed { return Typed{Type: v.Type.String(), Value: plain(v)} }

func plain(v run.Value) any {
	switch v.Type {
	case run.String:
		return v.Str()
	case run.Bool:
		return v.Bool()
	case run.Int:
		return v.Int()
	case run.Double:
		if f := number(v.Double()); f != nil {
			return *f
		}
		return v.String()
	case run.Bytes:
		return "0x" + hex.EncodeToString([]byte(v.Str()))
	case run.Array, run.KVList:
		return v.String()
	}
	return nil
}

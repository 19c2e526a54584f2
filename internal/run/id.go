package run

import "encoding/hex"

// TraceID is a 16-byte trace id. All zero means "none".
type TraceID [16]byte

// SpanID is an 8-byte span id. All zero means "none", as for a root's parent.
type SpanID [8]byte

// IsZero reports whether the id is absent.
func (t TraceID) IsZero() bool { return t == TraceID{} }

// IsZero reports whether the id is absent.
func (s SpanID) IsZero() bool { return s == SpanID{} }

// String is 32 lower-case hex digits.
func (t TraceID) String() string { return hex.EncodeToString(t[:]) }

// String is 16 lower-case hex digits.
func (s SpanID) String() string { return hex.EncodeToString(s[:]) }

// Package run is the domain of lensview as plain values: who sent something
// (Identity, Coord), what was sent (Span, Log, Value), what it means (Phase,
// Class, Mark) and what is said about it (Notice, Finding).
//
// It knows no wire format, no storage and no screen. Every other package may
// import it; it imports only pkg/semconv.
package run

// Package otlp is the codec: OTLP protobuf bytes to rows, OTLP JSON to
// protobuf bytes and so to rows, and protobuf bytes back to OTLP JSON. It knows
// no network and no store.
//
// There are two ways to decode protobuf: the hand-written decoder that reads
// straight into a reused Batch without allocating, and the generated
// go.opentelemetry.io/proto/otlp path, kept as a tested switch for bisecting a
// doubt about ours. A differential fuzz test holds them equal.
package otlp

// Package otlp is the codec: OTLP protobuf bytes to rows, OTLP JSON to
// protobuf bytes and so to rows, and protobuf bytes back to OTLP JSON. It knows
// no network and no store.
//
// There are two ways to decode protobuf: the hand-written decoder that reads
// straight into a reused Batch without allocating (Batch.Decode), and the
// generated go.opentelemetry.io/proto/otlp path (DecodeGenerated), kept as a
// tested switch for bisecting a doubt about ours (DecoderNamed). Differential
// fuzz tests hold them equal.
//
// Rows hold what every reader needs. What only a detail pane or an export needs
// stays wire bytes, checked once, and is expanded on demand: ExpandValue for
// nested values, DecodeExtra for events and links, ReadBuckets and ReadExemplars
// for points, and the Full methods for whole items. Builder is the way back.
package otlp

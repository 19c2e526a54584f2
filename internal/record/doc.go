// Package record writes recordings, and reads them and all other files of
// telemetry; it follows files that grow, and exports them.
//
// A recording is a directory of segments, which a Writer appends to and a Tee
// feeds from a receiver. docs/recording.md describes its format byte by byte, and
// what it guarantees.
//
// Import takes recordings and what people have otherwise: OTLP JSON as the
// Collector's file exporter, the SDKs and other tools write it, its proto files,
// and what the Python SDK prints to its console, plain or packed with gzip or zstd,
// from a file, a directory or standard input. What a file holds is told from its
// bytes, never from its name. A damaged record costs that record alone and is
// reported with its line or its offset. Follow does the same and goes on.
//
// Memory is bounded by the largest record: its JSON is held in a buffer of at
// most 1.25 times its size (twice, below 16 MiB), its protobuf form in another
// (about half the JSON) and its rows beside it. With what the garbage collector has
// not yet taken back the heap stays below six times the largest record; a line of
// 80 MB took 4.2, a pretty-printed object of 154 MB 3.5. Of a recording, groups of
// 8 MiB are in memory at once, or one that is larger.
package record

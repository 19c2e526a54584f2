// Package record reads files of telemetry and writes them.
//
// Import takes what people have: OTLP JSON as the Collector's file exporter,
// the SDKs and other tools write it, and what the Python SDK prints to its
// console, plain or gzipped, from a file, a directory or standard input. What a
// file holds is told from its bytes, never from its name. A damaged record costs
// that record alone and is reported with its line.
//
// Memory is bounded by the largest record: its JSON is held in a buffer of at
// most twice its size, its protobuf form in another (about half the JSON) and
// its rows beside it. With what the garbage collector has not yet taken back the
// heap stays below eight times the largest record; one line of 80 MB took 5.8.
package record

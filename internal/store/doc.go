// Package store keeps what was received in bounded memory: spans in columnar
// chunks, roll-ups that outlive them, iteration columns, metric series and log
// records, each with its own share of the budget. One lock guards the writer;
// readers hold snapshots that never change.
//
// The writer's types end in Writer, what readers see has the plain name. Taking a
// snapshot copies slice headers and pointers and raises a generation; the writer
// clones a process, a column's block or a sketch on its first change after that.
// Spans are append-only, so views share them.
//
// Limits that a reader of its figures should know: a resent span is recognised
// while its row is retained and the table of recent spans (1/32 of the budget for
// all runs) still has it; beyond that it counts again. A resent request of points or log
// records is recognised by its bytes and sender within five minutes. Late children reach the
// cells of a process's three newest steps. Runs that have been silent for ten
// minutes are forgotten as a whole when processes and statistics take more than
// half of the budget. Each of these is counted or said in a notice.
//
// The contract (what is kept, identity of runs, processes, attempts and spans,
// the accounting identity) is described in docs/ARCHITECTURE.md.
package store

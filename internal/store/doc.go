// Package store keeps what was received in bounded memory: spans in columnar
// chunks, roll-ups that outlive them, iteration columns, metric series and log
// records, each with its own share of the budget. One lock guards the writer;
// readers hold snapshots that never change.
//
// The contract (what is kept, identity of runs, processes, attempts and spans,
// the accounting identity) is described in docs/ARCHITECTURE.md.
package store

package main

import (
	"runtime/debug"

	"github.com/beamline-hpc/lensview/internal/store"
)

// limitMemory makes the collector work harder before the process grows beyond
// its budget. Garbage and requests in flight have their part in the budget: the
// store keeps a quarter of it free.
func limitMemory(budget uint64) { debug.SetMemoryLimit(int64(budget)) }

// memoryLimit keeps the collector's limit beyond the budget by what connections
// take there: with less it would do nothing but collect.
type memoryLimit struct{ budget, beyond uint64 }

func (l *memoryLimit) follow(held uint64) {
	if beyond := store.Beyond(l.budget, held); beyond != l.beyond {
		l.beyond = beyond
		limitMemory(l.budget + beyond)
	}
}

package main

import (
	"runtime/debug"
	"testing"
)

// The collector's limit follows what connections take beyond their part of the
// budget, and comes back.
func TestMemoryLimitFollowsConnections(t *testing.T) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	const budget = 2 << 30
	limitMemory(budget)
	l := memoryLimit{budget: budget}
	for _, tt := range []struct{ held, want uint64 }{{0, budget}, {512 << 20, budget}, {600 << 20, budget + 88<<20}, {700 << 20, budget + 188<<20}, {1, budget}} {
		l.follow(tt.held)
		if got := debug.SetMemoryLimit(-1); uint64(got) != tt.want {
			t.Errorf("with %d held the limit is %d, want %d", tt.held, got, tt.want)
		}
	}
}

package main

import (
	"slices"
	"sync"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// noted is the store as the screens see it: with what the commands themselves
// have to say, such as a file that could not be read.
type noted struct {
	*store.Store
	mu      sync.Mutex
	notices []run.Notice
}

func (n *noted) note(notice run.Notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notices = append(n.notices, notice)
}

// Version rises with the store's and with every note.
func (n *noted) Version() uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.Store.Version() + uint64(len(n.notices))
}

// Snapshot is the store's with the notes so far.
func (n *noted) Snapshot() *store.Snapshot {
	n.mu.Lock()
	notices := slices.Clone(n.notices)
	n.mu.Unlock()
	s := *n.Store.Snapshot()
	s.Version += uint64(len(notices))
	s.Notices = append(notices, s.Notices...)
	return &s
}

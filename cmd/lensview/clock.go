package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// steady is the receiver's clock: the system's, but one that is put back does not
// turn back with it. Silence is the difference of two times of this clock; after a
// step of a day every rank would be silent for a day.
type steady struct {
	read func() (wall time.Time, since time.Duration) // since the start, of a clock that nobody sets

	mu      sync.Mutex
	told    time.Time
	at      time.Duration
	behind  time.Duration // by how much the system's clock is, in seconds; 0 when it is not worth a word
	changes uint64        // of that
}

func newSteady() *steady {
	start := time.Now()
	return &steady{read: func() (time.Time, time.Duration) {
		now := time.Now()
		return now.Round(0), now.Sub(start) // the difference is of the monotonic clock
	}}
}

// Now is the time.
func (c *steady) Now() time.Time {
	wall, since := c.read()
	c.mu.Lock()
	defer c.mu.Unlock()
	on := c.told.Add(max(0, since-c.at))
	if c.told.IsZero() || wall.After(on) { // put forward, or awake again
		on = wall
	}
	c.told, c.at = on, max(c.at, since)
	behind := on.Sub(wall).Round(time.Second)
	if behind < worthTelling {
		behind = 0
	}
	if behind != c.behind {
		c.behind = behind
		c.changes++
	}
	return on
}

func (c *steady) unix() int64 { return c.Now().UnixNano() }

// worthTelling is how far the system's clock may be behind without a word.
const worthTelling = 2 * time.Second

// Version and add make it an addition to snapshots.
func (c *steady) Version() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changes
}

func (c *steady) add(s *store.Snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.behind > 0 {
		s.Notices = append(s.Notices, run.Notice{Code: "clock-put-back", Level: run.Warning,
			Text: fmt.Sprintf("the clock of this host was put back: receive times go on from before and are %v ahead of it", c.behind)})
	}
}

package store

import (
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Config says how much a Store may keep and how it reads what comes. The zero
// Config is usable.
type Config struct {
	Budget   uint64              // bytes of resident growth; 0 is DefaultBudget
	Clock    func() int64        // unix ns of the receiver's clock; nil is the system's
	Phases   *run.Phases         // meaning of span names; nil is the built-in table
	Order    run.Order           // order in which ranks are numbered
	Sizes    run.Sizes           // parallel sizes that override what is sent; fields below 1 do not
	Receiver func() run.Receiver // what the receivers say of themselves, for snapshots; nil when there are none
	Files    bool                // the source is files: "now" is theirs, not the clock's

	Thresholds run.Thresholds // by which the analyses judge; the store only hands them on
}

// DefaultBudget is 512 MiB.
const DefaultBudget = 512 << 20

// liveFor is how long after its last item a run counts as live: a little longer
// than the longest time after which silence is called a stall.
const liveFor = int64(20 * time.Minute)

// Store is the one writer of what was received, and the source of snapshots.
// All its methods may be called from any goroutine.
type Store struct {
	cfg        Config
	clock      func() int64
	phases     *run.Phases
	iterations []run.IterationKey
	budget     uint64
	limits     limits
	seed       uint64
	version    atomic.Uint64
	door       door

	mu            sync.Mutex // guards all below
	gen           uint64     // rises with each snapshot: what is older is cloned before a change
	now           int64
	senders       bool // now is by senders' clocks
	runs          []*runWriter
	byID          map[string]*runWriter
	resources     resources
	processes     int
	pairs         int
	holderBytes   uint64 // of the stages' statistics
	resourceBytes uint64 // of processes' attributes beyond what each is charged
	ledger        ledger
	resent        resent // its key may be computed without the lock
	alike         alikeRuns
	receiver      run.Receiver
	scratch       intervals
	touched       uint64 // keeps look-ahead reads alive

	used         uint64 // bytes of chunks and dictionaries
	othersUsed   uint64 // of metrics and logs
	columnBytes  uint64
	pendingRoom  int
	dropped      uint64
	fixedNow     uint64
	pinnedNow    uint64
	untilMeasure int
	dealt        int
	gone         []goneChunk
	sealer       sealer
	forgotten    uint64 // runs
	forgetAt     int64  // when to look for the next
}

// New is an empty store.
func New(c Config) *Store {
	s := &Store{
		cfg: c, clock: c.Clock, phases: c.Phases, iterations: run.IterationKeys(), budget: c.Budget,
		seed: maphash.String(maphash.MakeSeed(), "span"), door: newDoor(),
		byID: map[string]*runWriter{}, resources: newResources(), gen: 1,
	}
	if s.clock == nil {
		s.clock = func() int64 { return time.Now().UnixNano() }
	}
	if s.phases == nil {
		s.phases = run.DefaultPhases()
	}
	if s.budget == 0 {
		s.budget = DefaultBudget
	}
	s.limits = limitsOf(s.budget)
	s.resent = newResent(s.limits.resent)
	return s
}

// Version rises with every change, and with Tick while a run is live. A reader
// that has a snapshot of this version has everything.
func (s *Store) Version() uint64 { return s.version.Load() }

// Tick tells the store the time (unix ns of the receiver's clock), once a
// second: silence, too, changes what a reader should show while a run is live,
// and so does what the receivers say of themselves.
func (s *Store) Tick(now int64) {
	var r run.Receiver
	if s.cfg.Receiver != nil {
		r = s.cfg.Receiver()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	changed := !sameReceiver(&r, &s.receiver)
	s.receiver = r
	s.measure()
	if !s.cfg.Files {
		s.now = max(s.now, now)
	}
	changed = s.retain() || changed
	if changed || s.live() {
		s.version.Add(1)
	}
}

// sameReceiver reports whether two looks at the receivers show the same.
func sameReceiver(a, b *run.Receiver) bool {
	if a.Requests != b.Requests || a.Bytes != b.Bytes || a.Repaired != b.Repaired || a.Conns != b.Conns ||
		len(a.Refused) != len(b.Refused) || len(a.Listeners) != len(b.Listeners) {
		return false
	}
	for i := range a.Refused {
		if a.Refused[i].Count != b.Refused[i].Count {
			return false
		}
	}
	return true
}

// liveFor is liveFor, longer where a stall is only told later.
func (s *Store) liveFor() int64 {
	return max(liveFor, int64(1.25*max(s.cfg.Thresholds.StallFirst, s.cfg.Thresholds.StallLeast)*1e9))
}

// live reports whether some run sent something lately. Files do not move by
// themselves.
func (s *Store) live() bool {
	if s.cfg.Files {
		return false
	}
	for _, w := range s.runs {
		if s.now-w.pub.Last < s.liveFor() {
			return true
		}
	}
	return false
}

// noteTime takes a receive time in; bySender says that it is one of a sender's
// clock.
func (s *Store) noteTime(at int64, bySender bool) {
	s.now = max(s.now, at)
	s.senders = s.senders || bySender
}

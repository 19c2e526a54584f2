package store

import "unsafe"

// limits bound what grows with the number of things rather than with time. All
// follow from the budget.
type limits struct {
	processes int    // over all runs
	runs      int    // each costs more than a process
	pairs     int    // statistics of a name in a process
	holders   uint64 // bytes of statistics of a name on a stage
	columns   uint64 // bytes of iteration columns
	pending   int    // spans that wait for their step
	slots     int    // of the tables that find resent spans
	resent    int    // requests of points and logs that are known again
}

// Estimates in bytes of what one of each costs.
const (
	perProcess = 3 << 10 // process, writer's part, resource with its attributes
	perPair    = uint64(unsafe.Sizeof(NameStat{}))*5/4 + 2
	perHolder  = 256 // without its distribution
	perRun     = 24 << 10
	perPending = uint64(unsafe.Sizeof(pending{}))
	perSender  = 512
	slotBytes  = 8
)

func limitsOf(budget uint64) limits {
	return limits{
		processes: int(max(1024, budget/(8<<10))),
		runs:      int(max(64, budget/(4*perRun))),
		pairs:     int(max(1<<12, budget/8/perPair)),
		holders:   max(256<<10, budget/32),
		columns:   budget / 4,
		pending:   int(max(1<<12, budget/16/perPending)),
		slots:     int(max(firstSlots, budget/32/slotBytes)),
		resent:    int(min(mostResent, max(1024, budget/(8<<10)))),
	}
}

// fixed is what is held beside evictable data.
func (s *Store) fixed() uint64 {
	n := s.connBytes() + uint64(s.processes)*perProcess + uint64(s.pairs)*perPair + s.holderBytes
	n += uint64(len(s.runs))*perRun + s.columnBytes + uint64(s.pendingRoom)*perPending
	for _, w := range s.runs {
		n += w.seen.bytes()
	}
	return n + s.resent.bytes() + s.sealer.bytes() + s.resourceBytes + uint64(s.resources.bytes) + uint64(s.door.count())*perSender
}

// data is the share of the budget for evictable data. A quarter of the budget is
// left to the garbage collector and to requests on their way; an eighth is there
// for data however much the rest takes.
func (s *Store) data() uint64 {
	room := s.budget / 4 * 3
	if f := s.fixedNow; f < room {
		return max(room-f, s.budget/8)
	}
	return s.budget / 8
}

// Parts of the data share that are reserved. Spans may use what the others do
// not.
const (
	metricsPart = 4
	logsPart    = 8
)

// spanShare is what spans may use now.
func (s *Store) spanShare() uint64 {
	taken := s.pinnedNow + s.othersUsed
	room := s.data()
	least := room / 2 // what the reserved parts leave
	if taken >= room-least {
		return least
	}
	return room - taken
}

// share deals the shares that runs have each, as runs come: all anew when their
// number has grown by a quarter, else the newest the share of that time.
func (s *Store) share() {
	n := len(s.runs)
	if n < s.dealt+s.dealt/4 && n > 8 {
		s.deal(s.runs[n-1])
		return
	}
	s.dealt = n
	for _, w := range s.runs {
		s.deal(w)
	}
}

func (s *Store) deal(w *runWriter) {
	data, n := s.data(), uint64(s.dealt)
	w.metrics.lim.bytes = data / metricsPart / n
	w.logs.share = data / logsPart / n
	w.seen.limit = powerOfTwo(s.limits.slots / s.dealt)
}

// powerOfTwo is the largest power of two up to n, and at least a window's first
// size.
func powerOfTwo(n int) int {
	p := firstSlots
	for 2*p <= n {
		p *= 2
	}
	return p
}

// measure brings the slower figures up to date.
func (s *Store) measure() {
	s.forget()
	s.fixedNow, s.pinnedNow = s.fixed(), s.pinned()
	s.untilMeasure = measureEvery
}

// measureEvery is after how many requests measure is called.
const measureEvery = 64

func (s *Store) memory() Memory {
	m := Memory{
		Budget: s.budget, Data: s.data(), Used: s.used + s.othersUsed + s.pinnedNow, Fixed: s.fixedNow, Dropped: s.dropped,
	}
	for _, w := range s.runs {
		m.Chunks += len(w.chunks)
		for _, c := range w.chunks {
			if c.cold == nil {
				m.HotBytes += c.bytes
				continue
			}
			m.Sealed++
			m.SealedBytes += c.bytes
		}
	}
	return m
}

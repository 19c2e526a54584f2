package ingest

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// stats is what the receivers say of themselves. The counters of the hot path
// are atomics; refusals and notices are rare and share a lock.
type stats struct {
	requests, bytes, repaired atomic.Uint64
	conns, held               atomic.Int64 // open connections and what they take
	now                       func() time.Time

	mu      sync.Mutex
	refused map[string]run.Refusal
	notices map[string]run.Notice
}

func newStats(now func() time.Time) *stats {
	return &stats{now: now, refused: map[string]run.Refusal{}, notices: map[string]run.Notice{}}
}

// refuse counts a request or connection that was turned away. The last text
// under a word is kept.
func (s *stats) refuse(word, text string) {
	at := s.now().UnixNano()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused[word] = run.Refusal{Code: word, Text: text, Count: s.refused[word].Count + 1, At: at}
}

// note counts something a person should know that is not a refused request.
func (s *stats) note(code string, level run.Level, text string) { s.noteSome(code, 1, level, text) }

// noteSome counts n of them.
func (s *stats) noteSome(code string, n uint64, level run.Level, text string) {
	at := s.now().UnixNano()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notices[code] = run.Notice{Code: code, Level: level, Text: text, Count: s.notices[code].Count + n, At: at}
}

// read is a copy, with refusals and notices in the order of their words.
func (s *stats) read() run.Receiver {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := run.Receiver{
		Requests: s.requests.Load(), Bytes: s.bytes.Load(), Repaired: s.repaired.Load(), Conns: int(s.conns.Load()),
		Held: uint64(max(0, s.held.Load())),
	}
	for _, f := range s.refused {
		r.Refused = append(r.Refused, f)
	}
	for _, n := range s.notices {
		r.Notices = append(r.Notices, n)
	}
	slices.SortFunc(r.Refused, func(a, b run.Refusal) int { return cmp.Compare(a.Code, b.Code) })
	slices.SortFunc(r.Notices, func(a, b run.Notice) int { return cmp.Compare(a.Code, b.Code) })
	return r
}

package ingest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// errFull says that the requests in flight leave no space for more bytes.
var errFull = errors.New("no space for more bytes in flight")

// space bounds the bytes that the requests in flight hold, as they came and
// unpacked. The number of calls alone does not: each may be as large as the limit.
type space struct {
	max  int64
	used atomic.Int64

	// rows is how many bytes of requests may be decoded and stored at once: rows
	// take several times as much. Who finds no space waits for it, holding
	// nothing of it.
	rows *turns
}

// rowsPart is the part of the space that may be made into rows at once.
const rowsPart = 4

func newSpace(size int) *space {
	return &space{max: int64(size), rows: newTurns(max(1, int64(size)/rowsPart))}
}

func (s *space) hold() *hold { return &hold{of: s} }

// busy is the answer to whom there is no space for.
func (s *space) busy() *fault {
	return busy(fmt.Sprintf("requests in flight take %s already, retry", megabytes(s.max)))
}

// full reports whether nothing more fits.
func (s *space) full() bool { return s.used.Load() >= s.max }

// decode waits, no longer than that, until n bytes may be decoded. The caller ends
// the turn when their rows are no longer needed.
func (s *space) decode(ctx context.Context, n int, wait time.Duration) (*turn, error) {
	t, ok := s.rows.try(int64(n))
	if ok {
		return t, nil
	}
	bounded, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return t, s.rows.wait(bounded, t)
}

// hold is what one request has of a space.
type hold struct {
	of *space
	n  int64
}

// take books n more bytes, unless other requests leave no space for them: alone
// a request is bounded by its own limit.
func (h *hold) take(n int) error {
	add := int64(n)
	if used := h.of.used.Add(add); used > h.of.max && used > h.n+add {
		h.of.used.Add(-add)
		return errFull
	}
	h.n += add
	return nil
}

// give takes n bytes off.
func (h *hold) give(n int) {
	h.n -= int64(n)
	h.of.used.Add(-int64(n))
}

// end gives back all.
func (h *hold) end() { h.give(int(h.n)) }

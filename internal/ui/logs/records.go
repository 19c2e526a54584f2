package logsscreen

import (
	"sort"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// records is the retained log records of a run by number. A record's number is
// its place in the order in which the run's records arrived: it stays the same
// when older ones are evicted, so it is what a cursor can hold.
type records struct {
	run    *store.Run // nil when there is none
	chunks []*store.LogChunk
	starts []uint64 // number of the first record of each chunk
	first  uint64   // of the oldest that is retained
	end    uint64   // one more than that of the newest
}

func recordsOf(r *store.Run) records {
	if r == nil {
		return records{}
	}
	n := r.Accounts[run.Logs].Evicted
	out := records{run: r, chunks: r.Logs, first: n, starts: make([]uint64, len(r.Logs))}
	for i, c := range r.Logs {
		out.starts[i] = n
		n += uint64(len(c.Records))
	}
	out.end = n
	return out
}

// at is the record with a number, nil when it is not retained.
func (r *records) at(n uint64) *run.Log {
	i := sort.Search(len(r.chunks), func(i int) bool { return r.starts[i] > n }) - 1
	if i < 0 || n-r.starts[i] >= uint64(len(r.chunks[i].Records)) {
		return nil
	}
	return &r.chunks[i].Records[n-r.starts[i]]
}

// each calls f for the records from a number on, in order.
func (r *records) each(from uint64, f func(n uint64, rec *run.Log)) {
	for i, c := range r.chunks {
		if r.starts[i]+uint64(len(c.Records)) <= from {
			continue
		}
		for k := range c.Records {
			if n := r.starts[i] + uint64(k); n >= from {
				f(n, &c.Records[k])
			}
		}
	}
}

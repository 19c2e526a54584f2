package store

import "github.com/beamline-hpc/lensview/internal/run"

// tally is what becomes of items, as a change of an account. Kept may fall: what
// was kept is evicted or replaced later.
type tally struct {
	kept, evicted, rejected, duplicates, replaced int
}

// received is how many new items a tally settles.
func (t tally) received() int {
	return t.kept + t.evicted + t.rejected + t.duplicates + t.replaced
}

func (t *tally) add(o tally) {
	t.kept += o.kept
	t.evicted += o.evicted
	t.rejected += o.rejected
	t.duplicates += o.duplicates
	t.replaced += o.replaced
}

// ledger is the settled part of the accounts of the three signals.
type ledger [run.SignalCount]run.Account

// book adds a tally to the account of a signal.
func (l *ledger) book(sig run.Signal, t tally) {
	a := &l[sig]
	a.Kept += uint64(t.kept) // a negative change wraps around to the right sum
	a.Evicted += uint64(t.evicted)
	a.Rejected += uint64(t.rejected)
	a.Duplicates += uint64(t.duplicates)
	a.Replaced += uint64(t.replaced)
}

package simulate

// ticker gives the moments at which ranks export: each once an interval, evenly
// spread, in lane order.
type ticker struct {
	every, ranks int64
	count        int64 // ticks given so far
}

func newTicker(every int64, ranks int) ticker { return ticker{every: every, ranks: int64(ranks)} }

// next is the time of the next tick and the position of its rank in lane order.
func (t *ticker) next() (at int64, q int) {
	q = int(t.count % t.ranks)
	return t.count/t.ranks*t.every + t.phase(q), q
}

func (t *ticker) advance() { t.count++ }

// phase is the time of a rank's first tick.
func (t *ticker) phase(q int) int64 {
	// every stays below 2^47 and the world below 2^15.
	return t.every * (int64(q) + 1) / t.ranks
}

// last is the time of a rank's last tick before the moment, −1 when there is
// none.
func (t *ticker) last(q int, before int64) int64 {
	n := (before - 1 - t.phase(q))
	if n < 0 {
		return -1
	}
	return t.phase(q) + n/t.every*t.every
}

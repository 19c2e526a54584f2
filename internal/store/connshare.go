package store

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

// connPart is the part of the budget that open connections may take. They are not
// data: what they take beyond it comes on top, or a job of very many would leave
// no room for what it sends.
const connPart = 4

// Beyond is by how much connections that hold that many bytes make the process
// grow beyond its budget.
func Beyond(budget, held uint64) uint64 { return held - min(held, budget/connPart) }

// beyondNotice says so.
func (s *Store) beyondNotice() []run.Notice {
	r := &s.receiver
	more := Beyond(s.budget, r.Held)
	if more == 0 {
		return nil
	}
	return []run.Notice{{
		Code: "connections-beyond-memory", Level: run.Warning, At: s.now,
		Text: fmt.Sprintf("%s connections take %d MiB: the process grows %d MiB beyond --memory; send through one exporter or Collector a node",
			run.Count(uint64(r.Conns)), r.Held>>20, (more+1<<20-1)>>20),
	}}
}

// connBytes is what connections take of the budget.
func (s *Store) connBytes() uint64 { return s.receiver.Held - Beyond(s.budget, s.receiver.Held) }

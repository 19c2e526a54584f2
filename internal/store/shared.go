package store

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
)

// sharedIDs notices when ranks send the same span ids: data-parallel ranks that
// seed their random numbers alike do. It compares each span with the newest one
// of its slot, which finds the kind, not each case.
type sharedIDs struct {
	slots []idSlot
	ranks []int // that share ids, sorted
	count uint64
	at    int64
}

type idSlot struct {
	id   run.SpanID
	proc int32 // 1 + index
}

const (
	idSlots     = 512
	sharedRanks = 1 << 10 // ranks that are remembered
	shownRanks  = 8
)

// note compares the id of a new span with those sent by other processes.
func (d *sharedIDs) note(w *runWriter, p *procWriter, id run.SpanID, at int64) {
	if d.slots == nil {
		d.slots = make([]idSlot, idSlots)
	}
	h := binary.LittleEndian.Uint64(id[:]) * 0x9e3779b97f4a7c15
	slot := &d.slots[h>>(64-9)]
	me := int32(p.pub.Index + 1)
	if slot.id == id && slot.proc != 0 && slot.proc != me {
		d.found(w.procs[slot.proc-1].pub.ID, p.pub.ID, at)
	}
	slot.id, slot.proc = id, me
}

func (d *sharedIDs) found(a, b run.Identity, at int64) {
	if a.Rank == b.Rank {
		return // a restart with the same seed
	}
	d.count++
	d.at = at
	for _, r := range []int{a.Rank, b.Rank} {
		at, known := slices.BinarySearch(d.ranks, r)
		if !known && len(d.ranks) < sharedRanks {
			d.ranks = slices.Insert(d.ranks, at, r)
		}
	}
}

// notice says which ranks share ids; ok is false when none do.
func (d *sharedIDs) notice() (n run.Notice, ok bool) {
	if len(d.ranks) == 0 {
		return n, false
	}
	return run.Notice{
		Code: "shared-span-ids", Level: run.Warning, Count: d.count, At: d.at,
		Text: "ranks " + listRanks(d.ranks) + " share span ids (seeded RNG?)",
	}, true
}

// listRanks is the first ranks and how many more there are.
func listRanks(ranks []int) string {
	var words []string
	for _, r := range ranks[:min(len(ranks), shownRanks)] {
		if r < 0 {
			words = append(words, "unknown")
			continue
		}
		words = append(words, fmt.Sprint(r))
	}
	text := strings.Join(words, ", ")
	if n := len(ranks) - shownRanks; n > 0 {
		text += " and " + run.Count(n) + " more"
	}
	return text
}

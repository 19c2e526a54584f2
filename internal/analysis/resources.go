package analysis

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Resources is what the resources of processes have in common and in what they
// differ.
type Resources struct {
	Processes int // that were compared: those of the latest attempt
	Earlier   int // that were left out: of earlier attempts
	Shared    []run.Attr
	Differing []ResourceDifference // what sets some processes apart first, what is just not sent by some last
}

// ResourceDifference is an attribute of which processes have different values, or that
// some have and others not.
type ResourceDifference struct {
	Key      string
	Distinct int         // values
	Missing  int         // processes without it
	Each     bool        // no two processes have the same: what names a process
	Values   []HeldValue // the most held first, at most MostHeld
}

// HeldValue is a value and who has it.
type HeldValue struct {
	Value run.Value
	Count int
	Who   string // "ranks 0–3, 7", or the hosts or instances of processes without ranks
}

// MostHeld bounds the values that are listed of one attribute.
const MostHeld = 8

// CompareResources compares the processes of the latest attempt that the filter
// lets through. A key that was sent twice counts with its last value.
func CompareResources(sc Scope) Resources {
	var out Resources
	by := map[string]*holders{}
	for i, p := range sc.Run.Processes {
		switch {
		case !sc.process(i):
		case p.Attempt != len(sc.Run.Attempts)-1:
			out.Earlier++
		default:
			out.Processes++
			hold(by, p)
		}
	}
	for key, h := range by {
		if len(h.values) == 1 && h.processes == out.Processes {
			out.Shared = append(out.Shared, run.Attr{Key: key, Value: h.order[0].value})
			continue
		}
		out.Differing = append(out.Differing, h.difference(key, out.Processes))
	}
	slices.SortFunc(out.Shared, func(a, b run.Attr) int { return cmp.Compare(a.Key, b.Key) })
	slices.SortFunc(out.Differing, func(a, b ResourceDifference) int {
		return cmp.Or(cmp.Compare(a.kind(), b.kind()), cmp.Compare(a.Distinct, b.Distinct), cmp.Compare(a.Key, b.Key))
	})
	return out
}

// kind is how telling a difference is: values that some share, what names a
// process, what some just do not send.
func (d *ResourceDifference) kind() int {
	switch {
	case d.Distinct < 2:
		return 2
	case d.Each:
		return 1
	}
	return 0
}

// holders is the values of one key with the processes that have them.
type holders struct {
	values    map[string]*held
	order     []*held
	processes int
}

type held struct {
	value run.Value
	by    []*store.Process
}

func hold(by map[string]*holders, p *store.Process) {
	for _, a := range LastOfEachKey(p.Resource) {
		h := by[a.Key]
		if h == nil {
			h = &holders{values: map[string]*held{}}
			by[a.Key] = h
		}
		h.processes++
		id := strconv.Itoa(int(a.Value.Type)) + a.Value.String()
		v := h.values[id]
		if v == nil {
			v = &held{value: a.Value}
			h.values[id] = v
			h.order = append(h.order, v)
		}
		v.by = append(v.by, p)
	}
}

func (h *holders) difference(key string, processes int) ResourceDifference {
	d := ResourceDifference{Key: key, Distinct: len(h.order), Missing: processes - h.processes}
	d.Each = d.Distinct > 1 && d.Distinct == h.processes
	slices.SortStableFunc(h.order, func(a, b *held) int {
		return cmp.Or(cmp.Compare(len(b.by), len(a.by)), inOrder(a.value, b.value))
	})
	for _, v := range h.order[:min(len(h.order), MostHeld)] {
		d.Values = append(d.Values, HeldValue{Value: v.value, Count: len(v.by), Who: who(v.by)})
	}
	return d
}

// inOrder compares values of which one may be of another type.
func inOrder(a, b run.Value) int {
	if c, ok := a.Compare(b); ok {
		return c
	}
	return cmp.Or(cmp.Compare(a.Type, b.Type), cmp.Compare(a.String(), b.String()))
}

// who names processes: by rank where all have one, else by host or instance.
func who(by []*store.Process) string {
	ranks := make([]int, 0, len(by))
	for _, p := range by {
		if p.ID.Rank == run.Unknown {
			return places(by)
		}
		ranks = append(ranks, p.ID.Rank)
	}
	slices.Sort(ranks)
	return list("rank", slices.Compact(ranks))
}

func places(by []*store.Process) string {
	const most = 4
	var out []string
	for _, p := range by {
		name := cmp.Or(p.ID.Host, p.ID.Instance, p.ID.Service)
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
		if len(out) > most {
			return strings.Join(append(out[:most], "…"), ", ")
		}
	}
	return strings.Join(out, ", ")
}

// LastOfEachKey is attributes in order of their keys, of keys that were sent more
// than once the last, which is the one that readers take.
func LastOfEachKey(attrs []run.Attr) []run.Attr {
	out := slices.Clone(attrs)
	slices.SortStableFunc(out, func(a, b run.Attr) int { return cmp.Compare(a.Key, b.Key) })
	kept := out[:0]
	for i, a := range out {
		if i+1 < len(out) && out[i+1].Key == a.Key {
			continue
		}
		kept = append(kept, a)
	}
	return kept
}

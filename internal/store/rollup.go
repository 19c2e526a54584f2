package store

import (
	"sort"

	"github.com/beamline-hpc/lensview/internal/run"
)

// note counts one finished span: its duration when it may be used, else why not.
func (n *NameStat) note(ns uint64, marks run.Mark) {
	if marks.Has(run.Failed) {
		n.Errors++
	}
	switch {
	case marks.Has(run.Truncated):
		n.Truncated++
	case marks.Has(run.InvalidTime):
		n.Invalid++
	default:
		n.add(ns)
	}
}

func (n *NameStat) add(ns uint64) {
	if n.Count == 0 || ns < n.Min {
		n.Min = ns
	}
	n.Count++
	n.Sum.Add(ns)
	n.Max = max(n.Max, ns)
}

// merge adds the statistics of another set of spans.
func (n *NameStat) merge(o *NameStat) {
	if o.Count > 0 {
		if n.Count == 0 || o.Min < n.Min {
			n.Min = o.Min
		}
		n.Max = max(n.Max, o.Max)
	}
	n.Count += o.Count
	n.Truncated += o.Truncated
	n.Invalid += o.Invalid
	n.Errors += o.Errors
	n.Sum.AddSum(o.Sum)
}

// Mean is the mean duration in nanoseconds; ok is false when Count is 0.
func (n *NameStat) Mean() (ns uint64, ok bool) { return n.Sum.Mean(n.Count), n.Count > 0 }

// stat is the statistics of a name in a process, made when there are none.
func (p *procWriter) stat(name uint16) *NameStat {
	if int(name) >= len(p.statAt) {
		p.statAt = append(p.statAt, make([]uint16, int(name)+1-len(p.statAt))...)
	}
	if p.statAt[name] == 0 {
		p.addStat(name)
	}
	return &p.own().stats[p.statAt[name]-1]
}

func (p *procWriter) addStat(name uint16) {
	pub := p.own()
	at := sort.Search(len(pub.stats), func(i int) bool { return pub.stats[i].Name >= int(name) })
	pub.stats = append(pub.stats, NameStat{})
	copy(pub.stats[at+1:], pub.stats[at:])
	pub.stats[at] = NameStat{Name: int(name)}
	for i := at; i < len(pub.stats); i++ {
		p.statAt[pub.stats[i].Name] = uint16(i + 1)
	}
	p.w.s.pairs++
}

package store

import (
	"cmp"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// stageRow is the statistics by name of one pipeline stage of a run.
type stageRow struct {
	stage  int
	byName []*stageWriter // by name id, nil where there are none
}

// stageWriter is a StageStat as the writer has it: cloned on the first change
// after a snapshot.
type stageWriter struct {
	pub   *StageStat
	gen   uint64
	bytes uint64 // as charged to the store
}

// stageRow is the row of statistics of a pipeline coordinate.
func (w *runWriter) stageRow(stage int) *stageRow {
	for _, r := range w.stages {
		if r.stage == stage {
			return r
		}
	}
	r := &stageRow{stage: stage}
	w.stages = append(w.stages, r)
	return r
}

// stageStat is the statistics of a name on the process's stage, for writing.
func (p *procWriter) stageStat(name uint16) *stageWriter {
	r := p.stage
	if int(name) >= len(r.byName) {
		r.byName = append(r.byName, make([]*stageWriter, int(name)+1-len(r.byName))...)
	}
	sw := r.byName[name]
	if sw == nil {
		sw = &stageWriter{pub: &StageStat{Stage: r.stage, NameStat: NameStat{Name: int(name)}}, gen: p.w.s.gen}
		r.byName[name] = sw
		p.w.holders++
		p.w.s.holderBytes += perHolder
	}
	if sw.gen != p.w.s.gen {
		c := *sw.pub
		c.quantiles = c.quantiles.clone()
		sw.pub, sw.gen = &c, p.w.s.gen
	}
	return sw
}

// note counts one span. What the distribution takes is charged at every
// doubling.
func (sw *stageWriter) note(s *Store, ns uint64, marks run.Mark) {
	st := sw.pub
	st.NameStat.note(ns, marks)
	if marks.Has(run.NoDuration) {
		return
	}
	st.quantiles.add(ns)
	if st.Count&(st.Count-1) == 0 || st.Count == exactDurations+1 {
		now := st.quantiles.size()
		s.holderBytes += now - sw.bytes // may be less
		sw.bytes = now
	}
}

// stageList is the statistics as a reader may have them, by stage and name.
func (w *runWriter) stageList() []*StageStat {
	out := make([]*StageStat, 0, w.holders)
	for _, r := range w.stages {
		for _, sw := range r.byName {
			if sw != nil {
				out = append(out, sw.pub)
			}
		}
	}
	slices.SortFunc(out, func(a, b *StageStat) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// mergeStages adds up statistics of one name.
func mergeStages(stats []*StageStat) StageStat {
	out := StageStat{Stage: run.Unknown}
	for i, s := range stats {
		if i == 0 {
			out.Stage, out.Name = s.Stage, s.Name
		}
		if s.Stage != out.Stage {
			out.Stage = run.Unknown
		}
		out.NameStat.merge(&s.NameStat)
	}
	out.quantiles = mergeQuantiles(stats)
	return out
}

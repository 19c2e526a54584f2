package logsscreen

import (
	"sort"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
)

// question is which records are shown.
type question struct {
	run, filter string
	least       level
}

// answer is the numbers of those records, in order of arrival.
type answer struct {
	question
	asked  bool // it is the answer to something
	shown  []uint64
	counts [levelCount]int // what the filter lets through, by severity
	end    uint64          // records from here on were not looked at
}

// scanner finds the records that the filter lets through. It looks at each only
// once: what arrives is added, what was evicted is cut off. It belongs to a job,
// which does one thing at a time.
type scanner struct {
	run, filter string
	matched     []uint64 // only ever appended to: an answer may hold a part
	end         uint64
}

// ask starts looking.
func (m *Model) ask() tea.Cmd {
	q := question{run: m.data.Run, filter: m.data.Filter.String(), least: m.least}
	recs, filter, s := m.records, m.data.Filter, m.scan
	return m.job.Start(q, func() answer { return s.scan(q, recs, filter) })
}

func (s *scanner) scan(q question, recs records, filter *query.Filter) answer {
	if s.run != q.run || s.filter != q.filter || s.end > recs.end {
		*s = scanner{run: q.run, filter: q.filter}
	}
	s.more(recs, filter)
	a := answer{question: q, asked: true, end: recs.end}
	for _, n := range s.matched {
		if rec := recs.at(n); rec != nil {
			l := levelOf(rec)
			a.counts[l]++
			if l >= q.least && q.least != unset {
				a.shown = append(a.shown, n)
			}
		}
	}
	if q.least == unset {
		a.shown = s.matched[:len(s.matched):len(s.matched)]
	}
	return a
}

// more looks at what came since the last time, and forgets what was evicted.
func (s *scanner) more(recs records, filter *query.Filter) {
	s.matched = s.matched[sort.Search(len(s.matched), func(i int) bool { return s.matched[i] >= recs.first }):]
	match := matcher(recs, filter)
	recs.each(max(s.end, recs.first), func(n uint64, rec *run.Log) {
		if match(rec) {
			s.matched = append(s.matched, n)
		}
	})
	s.end = recs.end
}

// matcher tells which records a filter lets through.
func matcher(recs records, filter *query.Filter) func(*run.Log) bool {
	if filter.Empty() || recs.run == nil {
		return func(*run.Log) bool { return true }
	}
	bound := filter.Bind(recs.run)
	return func(rec *run.Log) bool {
		it := query.Item{Process: rec.Process, Name: said(rec), Attrs: rec.Attrs, Trace: rec.TraceID, Span: rec.SpanID}
		return bound.Item(&it)
	}
}

// said is what a record says: its body, or its event's name when it has none.
func said(rec *run.Log) string {
	switch rec.Body.Type {
	case run.String:
		return rec.Body.Str()
	case run.Empty:
		return rec.EventName
	}
	return rec.Body.String()
}

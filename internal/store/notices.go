package store

import (
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
)

// noticeSet is the notices of a run, one per code: the first text stays, later
// ones are counted.
type noticeSet struct{ byCode map[string]*run.Notice }

func (s *noticeSet) add(n run.Notice, at int64) {
	if s.byCode == nil {
		s.byCode = map[string]*run.Notice{}
	}
	old := s.byCode[n.Code]
	if old == nil {
		old = &n
		s.byCode[n.Code] = old
	}
	old.Count++
	old.At = at
}

func (s *noticeSet) list() []run.Notice {
	out := make([]run.Notice, 0, len(s.byCode))
	for _, n := range s.byCode {
		out = append(out, *n)
	}
	slices.SortFunc(out, func(a, b run.Notice) int { return strings.Compare(a.Code, b.Code) })
	return out
}

// noticeList is all that is to be said about a run.
func (w *runWriter) noticeList() []run.Notice {
	out := w.notices.list()
	if n, ok := w.shared.notice(); ok {
		out = append(out, n)
	}
	if w.reused > 0 {
		out = append(out, run.Notice{
			Code: "reused-span-ids", Level: run.Warning, Count: w.reused,
			Text: "a process sent different spans under one span id (RNG seeded again?): parents may be wrong",
		})
	}
	if w.other >= 0 {
		out = append(out, run.Notice{
			Code: "many-span-names", Level: run.Warning,
			Text: "more span names than statistics are kept for: keep ids out of span names and use attributes",
		})
	}
	if n := w.metrics.unknown; n > 0 {
		out = append(out, run.Notice{
			Code: "many-metrics", Level: run.Warning, Count: n,
			Text: "more metrics than there is room for, their points are not kept: keep ids out of metric names, or raise --memory",
		})
	}
	for i := range out {
		out[i].Run = w.pub.ID
	}
	return out
}

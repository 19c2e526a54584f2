package runsscreen

import (
	"math"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Headline is how a run is, in the few words of the program's header.
type Headline struct {
	Name      string // id, with the job's name where there is one
	State     analysis.State
	Quiet     float64 // seconds since anything came
	Iteration int64   // the furthest of any rank
	HasIter   bool
	Seen      int          // ranks
	World     int          // 0 when it was not sent
	Notices   []run.Notice // of the run: received, and found by looking at it
}

// Checks keeps what the checks of a run's processes said, until it has others.
type Checks = screen.Memo[int, []run.Notice]

// HeadlineOf looks at every process of a run: not for the event loop.
func HeadlineOf(s *store.Snapshot, r *store.Run, checks *Checks) Headline {
	ranks := analysis.MainRole(r)
	h := Headline{Name: r.ID, State: analysis.StateOf(s, r), Quiet: float64(s.Now-r.Last) / 1e9,
		Seen: ranks.Seen, World: max(0, ranks.World), Notices: noticesOf(s, r, checks)}
	if r.Job != "" && r.Job != r.ID {
		h.Name += " (" + r.Job + ")"
	}
	for _, p := range r.Processes {
		if p.HasIteration && p.Attempt == len(r.Attempts)-1 {
			h.Iteration, h.HasIter = max(h.Iteration, p.Iteration), true
		}
	}
	return h
}

// noticesOf is everything that is to be said of a run.
func noticesOf(s *store.Snapshot, r *store.Run, checks *Checks) []run.Notice {
	var out []run.Notice
	out = append(out, r.Notices...)
	out = append(out, analysis.CardinalityNotices(s, r)...)
	for _, n := range checks.Get(r.ID, len(r.Processes), func() []run.Notice { return analysis.Checks(r) }) {
		if !slices.ContainsFunc(r.Notices, func(o run.Notice) bool { return o.Code == n.Code }) {
			out = append(out, n) // what the store has noticed since is not said twice
		}
	}
	return out
}

// Badge is the state in capitals, in brackets, with its look.
func (h Headline) Badge(t theme.Theme) (string, theme.Style) {
	style := t.BadgeInfo
	switch h.State {
	case analysis.Live:
		style = t.BadgeGood
	case analysis.Idle:
		style = t.BadgeWarn
	}
	return "[" + strings.ToUpper(stateText(h.State, h.Quiet)) + "]", style
}

// Ranks is "62/64 ranks".
func (h Headline) Ranks() string {
	switch {
	case h.World > 0:
		return draw.Count(h.Seen) + "/" + draw.Count(h.World) + " ranks"
	case h.Seen > 0:
		return draw.Plural(h.Seen, "rank")
	}
	return ""
}

// stateText is the state, and for how long nothing came when that is what counts.
func stateText(s analysis.State, quiet float64) string {
	if s != analysis.Idle || math.IsNaN(quiet) {
		return string(s)
	}
	return string(s) + " " + draw.Age(int64(quiet*1e9)+1, 1)
}

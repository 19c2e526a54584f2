package runsscreen

import (
	"math"

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
	Pace      analysis.Pace
	Iteration int64 // the furthest of any rank
	HasIter   bool
	Seen      int          // ranks
	World     int          // 0 when it was not sent
	Notices   []run.Notice // of the run: received, and found by looking at it
	Verdict   analysis.Verdict
}

// Kept is what a headline keeps of earlier ones, for what costs more than a
// snapshot should: what the checks of a run's processes said, until it has others,
// and what the diagnosis said, for a while.
type Kept struct {
	checks   screen.Memo[int, []run.Notice]
	verdicts screen.Memo[uint64, analysis.Verdict]
}

// verdictFor is how long a verdict is kept while data come, in nanoseconds.
const verdictFor = 2e9

// verdict is the diagnosis of a run, at most verdictFor old.
func (k *Kept) verdict(s *store.Snapshot, r *store.Run) analysis.Verdict {
	stamp := s.Version
	if s.Clock == store.ReceiverClock {
		stamp = uint64(s.Now) / verdictFor
	}
	return k.verdicts.Get(r.ID, stamp, func() analysis.Verdict {
		return analysis.Diagnose(s, r, analysis.DiagnoseOptions{}).Verdict
	})
}

// HeadlineOf looks at every process of a run: not for the event loop.
func HeadlineOf(s *store.Snapshot, r *store.Run, kept *Kept) Headline {
	ranks := analysis.MainRole(r)
	h := Headline{Name: r.ID, State: analysis.StateOf(s, r), Quiet: float64(s.Now-r.Last) / 1e9, Pace: analysis.PaceOf(s, r),
		Seen: ranks.Seen, World: max(0, ranks.World), Notices: noticesOf(s, r, &kept.checks), Verdict: kept.verdict(s, r)}
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
func noticesOf(s *store.Snapshot, r *store.Run, checks *screen.Memo[int, []run.Notice]) []run.Notice {
	return analysis.RunNotices(s, r, checks.Get(r.ID, len(r.Processes), func() []run.Notice { return analysis.Checks(r) }))
}

// Live reports whether data come.
func (h Headline) Live() bool { return h.State == analysis.Live }

// Recorded reports whether the run was read from a file.
func (h Headline) Recorded() bool { return h.State == analysis.Recorded }

// Badge is the verdict in capitals and in brackets, one that needs a person with a
// mark; "" while there is none.
func (h Headline) Badge(t theme.Theme) (string, theme.Style) {
	word := string(h.Verdict.State)
	switch h.Verdict.State {
	case "", analysis.VerdictUnknown:
		return "", theme.Style{}
	case analysis.VerdictAdvancing:
		return "[" + word + "]", t.BadgeGood
	case analysis.VerdictSlow, analysis.VerdictPartial:
		return "[" + t.Glyphs.Warn + " " + word + "]", t.BadgeWarn
	case analysis.VerdictStalled:
		return "[" + t.Glyphs.Bad + " " + word + "]", t.BadgeBad
	}
	return "[" + word + "]", t.BadgeInfo
}

// StateText is the state as the table of runs shows it, with its look.
func (h Headline) StateText(t theme.Theme) (string, theme.Style) {
	return stateText(h.State, h.Quiet, h.Pace), stateStyle(t, h.State, h.Pace)
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
// A run that is alive and finishes no iteration is not just live: it says so.
func stateText(s analysis.State, quiet float64, p analysis.Pace) string {
	switch {
	case s == analysis.Idle && !math.IsNaN(quiet):
		return string(s) + " " + ageText(quiet)
	case s == analysis.Live && p.Late:
		return "late " + ageText(p.Since)
	}
	return string(s)
}

func stateStyle(t theme.Theme, s analysis.State, p analysis.Pace) theme.Style {
	switch {
	case s == analysis.Idle, s == analysis.Live && p.Late:
		return t.Warn
	case s == analysis.Live:
		return t.Good
	}
	return theme.Style{}
}

package overviewscreen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// standing is the ranks that stopped at the same place.
type standing struct {
	state      analysis.ProcessState
	iteration  int64
	has        bool
	spansEnded int
	lastPhase  string
	stuckIn    string
	ranks      []int
	suspect    bool
}

// placesOf groups the ranks of a run that stands by where they do; those behind
// come first. Of one that moves there is nothing to say.
func placesOf(d *analysis.Diagnosis) []standing {
	if !d.Stall.Stalled {
		return nil
	}
	var out []standing
	for _, s := range d.Stall.Processes {
		at := standing{state: s.State, iteration: s.Iteration, has: s.HasIteration, spansEnded: s.SpansEnded, lastPhase: s.LastPhase, stuckIn: s.StuckIn}
		i := slices.IndexFunc(out, at.same)
		if i < 0 {
			i, out = len(out), append(out, at)
		}
		out[i].ranks = append(out[i].ranks, s.Rank)
		out[i].suspect = out[i].suspect || slices.ContainsFunc(d.Stall.Suspects, func(x analysis.Suspect) bool { return slices.Contains(x.Ranks, s.Rank) })
	}
	for i := range out {
		slices.Sort(out[i].ranks)
	}
	slices.SortStableFunc(out, func(a, b standing) int {
		return cmp.Or(cmp.Compare(b2i(b.suspect), b2i(a.suspect)), cmp.Compare(b2i(a.state == analysis.ProcessNeverSeen), b2i(b.state == analysis.ProcessNeverSeen)),
			cmp.Compare(a.iteration, b.iteration), cmp.Compare(a.spansEnded, b.spansEnded), cmp.Compare(a.ranks[0], b.ranks[0]))
	})
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (s standing) same(o standing) bool {
	return s.state == o.state && s.has == o.has && s.iteration == o.iteration && s.spansEnded == o.spansEnded && s.lastPhase == o.lastPhase && s.stuckIn == o.stuckIn
}

// text is where they stand, in words.
func (s standing) text() string {
	state := strings.ToLower(strings.ReplaceAll(string(s.state), "_", " "))
	text := listRanks(s.ranks) + ": " + state
	switch {
	case s.state == analysis.ProcessNeverSeen:
		return text
	case s.has && s.spansEnded > 0:
		text += fmt.Sprintf(", in iteration %d", s.iteration+1)
	case s.has:
		text += fmt.Sprintf(", after iteration %d", s.iteration)
	default:
		text += ", no iteration finished"
	}
	if s.lastPhase != "" {
		text += fmt.Sprintf(", %s ended, last %s", draw.Plural(s.spansEnded, "span"), s.lastPhase)
	}
	if s.stuckIn != "" {
		text += ", shut down in " + s.stuckIn
	}
	return text
}

// places is what the ranks of a run that stands did last.
func (p *page) places() {
	all := p.of.slow.places
	most := p.room(4, 8, 12)
	for i, s := range all {
		if i == most-1 && len(all) > most {
			p.put("", nil, p.label("").Add(p.theme.Dim, draw.Plural(len(all)-i, "more place")+": "+p.keys.On("", "3")+" Ranks"), "")
			return
		}
		style := p.theme.Plain
		if s.suspect {
			style = p.theme.Bad
		}
		do := screen.OpenNarrowed(screen.Ranks, screen.Target{Run: p.of.run}, p.narrowed(rankFilter(s.ranks)))
		p.said(once(i, "last"), style, s.text(), p.room(1, 2, 2), "place "+s.text(), do)
	}
}

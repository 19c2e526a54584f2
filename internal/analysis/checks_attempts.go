package analysis

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

// restartTime is for how long, in seconds, a restart may leave ranks of two
// attempts beside each other.
const restartTime = 60

// attempts finds ranks of an earlier attempt beside those of the latest: such as
// still send are left over from it, the others have not come back.
func (c *checker) attempts() (run.Notice, bool) {
	latest := len(c.run.Attempts) - 1
	if latest < 1 {
		return run.Notice{}, false
	}
	var leftOver, gone []int
	began := c.run.Attempts[latest].First
	restarted, newest := 0, began
	for _, p := range c.ranks {
		newest = max(newest, p.Last)
		switch {
		case p.Attempt == latest:
			restarted++
		case p.Last > began+restartTime*1e9:
			leftOver = append(leftOver, p.ID.Rank)
		default:
			gone = append(gone, p.ID.Rank)
		}
	}
	switch {
	case len(leftOver) > 0:
		return notice(c.run, "attempts-mixed", run.Warning, fmt.Sprintf(
			"%s still of an earlier attempt, beside attempt %d: processes of a restart were left over",
			isOrAre(leftOver), latest+1)), true
	case len(gone) > 0 && restarted > 0 && newest > began+restartTime*1e9:
		return notice(c.run, "ranks-not-back", run.Warning, fmt.Sprintf(
			"%s not seen since attempt %d began", isOrAre(gone), latest+1)), true
	}
	return run.Notice{}, false
}

func isOrAre(ranks []int) string {
	if len(ranks) == 1 {
		return list("rank", ranks) + " is"
	}
	return list("rank", ranks) + " are"
}

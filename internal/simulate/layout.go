package simulate

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

// layout places ranks in the parallel dimensions, in the default order
// tp-cp-dp-pp: rank = tp + TP·(cp + CP·(dp + DP·pp)).
type layout struct{ tp, cp, pp, dp, perHost int }

func (c *Config) layout() layout {
	return layout{tp: c.TP, cp: c.CP, pp: c.PP, dp: c.DP, perHost: c.RanksPerHost}
}

// world is the number of ranks.
func (l layout) world() int { return l.tp * l.cp * l.pp * l.dp }

// peers is the number of ranks of one worker.
func (l layout) peers() int { return l.tp * l.cp }

// coord is the place of a rank.
func (l layout) coord(rank int) run.Coord {
	w := rank / l.peers()
	return run.Coord{
		TP: rank % l.tp, CP: rank / l.tp % l.cp, EP: run.Unknown,
		DP: w % l.dp, PP: w / l.dp, Derived: true,
	}
}

// rank is the rank at a place.
func (l layout) rank(tp, cp, dp, pp int) int { return tp + l.tp*(cp+l.cp*(dp+l.dp*pp)) }

// laneOrder is the q-th rank when the ranks are counted lane by lane, and
// within a lane stage by stage: the order in which ranks export, so that one
// lane's schedule at a time is enough.
func (l layout) laneOrder(q int) int {
	peer, w := q%l.peers(), q/l.peers()
	return l.rank(peer%l.tp, peer/l.tp, w/l.pp, w%l.pp)
}

// workerRanks are the coupled ranks of one worker.
func (l layout) workerRanks(pp, dp int) []int {
	first := l.rank(0, 0, dp, pp)
	ranks := make([]int, l.peers())
	for i := range ranks {
		ranks[i] = first + i
	}
	return ranks
}

// laneRanks are the ranks of all stages of one replica, in lane order.
func (l layout) laneRanks(dp int) []int {
	ranks := make([]int, 0, l.pp*l.peers())
	for pp := range l.pp {
		ranks = append(ranks, l.workerRanks(pp, dp)...)
	}
	return ranks
}

// host is the index of a rank's host.
func (l layout) host(rank int) int { return rank / l.perHost }

// hosts is the number of hosts.
func (l layout) hosts() int { return (l.world() + l.perHost - 1) / l.perHost }

// hostName is the name of the rank's host.
func (l layout) hostName(rank int) string { return fmt.Sprintf("gpu-%04d", l.host(rank)) }

// nodeList is Slurm's compressed list of the hosts.
func (l layout) nodeList() string {
	if l.hosts() == 1 {
		return "gpu-0000"
	}
	return fmt.Sprintf("gpu-[0000-%04d]", l.hosts()-1)
}

package simulate

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

// layout places ranks in the parallel dimensions, in the default order, and on
// hosts.
type layout struct {
	ranks   run.Layout
	perHost int
	moved   bool // what ran on host left runs on a spare one
	left    int
}

// layout is that of a configuration whose sizes have been checked.
func (c *Config) layout() layout {
	// Whole sizes of at least 1 always make a layout.
	l, _ := run.NewLayout(run.Sizes{TP: c.TP, CP: c.CP, EP: 1, DP: c.DP, PP: c.PP}, c.Ranks(), run.Order{})
	return layout{ranks: l, perHost: max(c.RanksPerHost, 1)}
}

// world is the number of ranks.
func (l layout) world() int { return l.ranks.World }

// peers is the number of ranks of one worker.
func (l layout) peers() int { return l.ranks.Sizes.TP * l.ranks.Sizes.CP }

// coord is the place of a rank of the world.
func (l layout) coord(rank int) run.Coord {
	at, _ := l.ranks.Coord(rank)
	return at
}

// rank is the rank at a place of the layout.
func (l layout) rank(tp, cp, dp, pp int) int {
	r, _ := l.ranks.Rank(run.Coord{TP: tp, CP: cp, DP: dp, PP: pp})
	return r
}

// laneOrder is the q-th rank when the ranks are counted lane by lane, and
// within a lane stage by stage: the order in which ranks export, so that one
// lane's schedule at a time is enough.
func (l layout) laneOrder(q int) int {
	s := l.ranks.Sizes
	peer, w := q%l.peers(), q/l.peers()
	return l.rank(peer%s.TP, peer/s.TP, w/s.PP, w%s.PP)
}

// workerRanks are the coupled ranks of one worker.
func (l layout) workerRanks(pp, dp int) []int {
	ranks := make([]int, l.peers())
	for i := range ranks {
		ranks[i] = l.rank(i%l.ranks.Sizes.TP, i/l.ranks.Sizes.TP, dp, pp)
	}
	return ranks
}

// laneRanks are the ranks of all stages of one replica, in lane order.
func (l layout) laneRanks(dp int) []int {
	var ranks []int
	for pp := range l.ranks.Sizes.PP {
		ranks = append(ranks, l.workerRanks(pp, dp)...)
	}
	return ranks
}

// host is the index of a rank's host.
func (l layout) host(rank int) int { return rank / l.perHost }

// hosts is the number of hosts.
func (l layout) hosts() int { return (l.world() + l.perHost - 1) / l.perHost }

// hostName is the name of the rank's host.
func (l layout) hostName(rank int) string {
	host := l.host(rank)
	if l.moved && host == l.left {
		host = l.hosts()
	}
	return fmt.Sprintf("gpu-%04d", host)
}

// nodeList is Slurm's compressed list of the hosts.
func (l layout) nodeList() string {
	if l.hosts() == 1 {
		return "gpu-0000"
	}
	return fmt.Sprintf("gpu-[0000-%04d]", l.hosts()-1)
}

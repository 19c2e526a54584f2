package store

import "github.com/beamline-hpc/lensview/internal/run"

// group is the processes of one rank of a run: a trainer with its helpers, and
// those that came after it.
type group struct{ members []*procWriter }

// groupWindow is how many of a rank's newest processes are compared.
const groupWindow = 8

// join takes a process into the group of its rank. A process without a rank
// stands for itself; a Gym server says rank 0 whoever else does.
func (w *runWriter) join(p *procWriter) {
	id := p.pub.ID
	if id.Rank < 0 || id.Gym {
		p.own().Grid = false
		return
	}
	g := w.groups[id.Rank]
	if g == nil {
		g = &group{}
		w.groups[id.Rank] = g
	}
	g.members = append(g.members, p)
	p.group = g
	g.classify()
}

// classify finds successors, siblings and who stands on the grid, after
// something about a member changed.
func (g *group) classify() {
	if len(g.members) == 1 {
		setStanding(g.members[0], true, false)
		return
	}
	members := g.members[max(0, len(g.members)-groupWindow):]
	for i, p := range members {
		for _, q := range members[:i] {
			if succeeds(p, q) {
				p.w.succeed(p, q)
			}
		}
	}
	for i, p := range members {
		stands(p, i, members)
	}
}

func stands(p *procWriter, at int, members []*procWriter) {
	grid, sibling := true, false
	for i, q := range members {
		if q == p || !sameRole(p, q) || p.pub.Attempt != q.pub.Attempt {
			continue
		}
		sibling = sibling || overlap(p.pub, q.pub)
		if !p.hasSteps && (q.hasSteps || i < at) {
			grid = false
		}
	}
	setStanding(p, grid, sibling)
}

func setStanding(p *procWriter, grid, sibling bool) {
	if p.pub.Grid != grid || p.pub.Sibling != sibling {
		pub := p.own()
		pub.Grid, pub.Sibling = grid, sibling
	}
}

// sameRole reports whether two processes of one rank are of one role. A helper
// often inherits its trainer's rank and not its role.
func sameRole(p, q *procWriter) bool {
	a, b := p.pub.ID.Role, q.pub.ID.Role
	return a == b || a == "" && !p.hasSteps || b == "" && !q.hasSteps
}

// overlap reports whether two processes lived at the same time, as far as is
// known: both by the receiver's clock and by their spans. Late deliveries make
// only the former overlap, clocks that differ only the latter.
func overlap(p, q *Process) bool {
	if p.First >= q.Last || q.First >= p.Last {
		return false
	}
	if p.Start == 0 || q.Start == 0 {
		return true
	}
	return p.Start < q.End && q.Start < p.End
}

// succeeds reports whether p took q's place: nothing that they say tells their
// attempts apart, and q was silent before p started. Processes that claim one
// rank by mistake run side by side, so their spans overlap.
func succeeds(p, q *procWriter) bool {
	a, b := p.pub, q.pub
	if a.Attempt != b.Attempt || tellsAttempt(a.ID) && tellsAttempt(b.ID) || a.ID.Role != b.ID.Role || !after(a, b) {
		return false
	}
	if p.hasSteps || q.hasSteps {
		return p.hasSteps && q.hasSteps
	}
	return a.First-b.Last >= silence
}

// after reports whether all that is known of p came after all of q.
func after(p, q *Process) bool {
	if p.Start != 0 && q.Start != 0 {
		return q.End <= p.Start
	}
	return q.Last <= p.First
}

func tellsAttempt(id run.Identity) bool { return id.Attempt != "" || id.Restart != run.Unknown }

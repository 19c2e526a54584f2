package analysis

import (
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// DiagnoseOptions say how a run is looked at. The zero value is usable.
type DiagnoseOptions struct {
	Role    string // "" with AnyRole for the role with most ranks
	AnyRole bool
	Steps   int       // compare the last clean steps, this many; 0 is DefaultSteps
	Order   run.Order // in which ranks are numbered, where coordinates are derived
	Sizes   run.Sizes // given sizes that override what was sent; fields below 1 do not
	Filter  Filter    // narrows which processes are compared; nil for all
	// First and Last narrow the comparison to iterations as sent, bounds included;
	// both 0 is everything.
	First, Last int64
}

// Diagnosis is the answer to "is this run moving, and who is slow".
type Diagnosis struct {
	Coverage   RankCoverage
	Stall      Stall
	Stragglers Stragglers
	WhatIf     WhatIf
	Verdict    Verdict
}

// Diagnose looks at one run of a snapshot. It is a pure function of its
// arguments. Every answer says what it rests on and what it cannot tell.
func Diagnose(s *store.Snapshot, r *store.Run, opt DiagnoseOptions) Diagnosis {
	v := newView(s, r, opt)
	d := Diagnosis{Coverage: v.coverage(), Stall: v.stall(), Stragglers: v.stragglers(), WhatIf: v.whatIf()}
	d.Verdict = v.verdict(&d)
	return d
}

// view is a run as a diagnosis looks at it: one role, one process for each rank,
// and what several questions need.
type view struct {
	snap    *store.Snapshot
	run     *store.Run
	opt     DiagnoseOptions
	role    Presence
	layout  run.Layout
	placed  bool // layout holds: every rank has a place
	members []member
	attempt int // the latest of them
	framed  *frame
	made    []*unit
	limits  run.Thresholds // filled
}

// member is a rank that is looked at.
type member struct {
	process int // in the run
	rank    int
	coord   run.Coord
	host    string
}

func newView(s *store.Snapshot, r *store.Run, opt DiagnoseOptions) *view {
	v := &view{snap: s, run: r, opt: opt, role: Presence{World: r.WorldSize}, limits: r.Thresholds.Filled()}
	for i, ps := range Roles(r) {
		if i == 0 || !opt.AnyRole && opt.Role != "" && ps.Role == opt.Role {
			v.role = ps
		}
	}
	v.setLayout()
	for _, i := range v.role.processes() {
		if opt.Filter == nil || opt.Filter.Process(i) {
			p := r.Processes[i]
			v.members = append(v.members, member{i, p.ID.Rank, v.coordOf(p), p.ID.Host})
		}
	}
	v.setAttempt()
	return v
}

// setLayout finds the layout of the role's ranks: given sizes override those
// sent.
func (v *view) setLayout() {
	if !anySize(v.opt.Sizes) {
		g := Grid{World: v.role.World}
		v.layout, v.placed = g.layout(v.run, v.role, v.opt.Order)
		return
	}
	l, err := run.NewLayout(overrideSizes(sizesOf(v.run, v.role), v.opt.Sizes), v.role.World, v.opt.Order)
	v.layout, v.placed = l, err == nil
}

func anySize(z run.Sizes) bool { return z.TP > 0 || z.CP > 0 || z.EP > 0 || z.DP > 0 || z.PP > 0 }

// overrideSizes is the sizes sent, where given says nothing else.
func overrideSizes(sent, given run.Sizes) run.Sizes {
	for _, pair := range [...]struct{ to, from *int }{
		{&sent.TP, &given.TP}, {&sent.CP, &given.CP}, {&sent.EP, &given.EP}, {&sent.DP, &given.DP}, {&sent.PP, &given.PP},
	} {
		if *pair.from > 0 {
			*pair.to = *pair.from
		}
	}
	return sent
}

// coordOf is the place of a process: as sent, else by the layout.
func (v *view) coordOf(p *store.Process) run.Coord {
	c := p.Coord
	if v.placed && (c.Derived || c.PP < 0 || c.DP < 0 || c.TP < 0) {
		if at, ok := v.layout.Coord(p.ID.Rank); ok {
			return at
		}
	}
	return c
}

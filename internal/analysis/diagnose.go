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

package screen

import (
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Instance is the notices of a snapshot that concern none of its runs. Those of
// a run are in Run.Notices: who lists both must not say them twice.
func Instance(s *store.Snapshot) []run.Notice {
	runs := make(map[string]bool, len(s.Runs))
	for _, r := range s.Runs {
		runs[r.ID] = true
	}
	var out []run.Notice
	for _, n := range s.Notices {
		if n.Run == "" || !runs[n.Run] {
			out = append(out, n)
		}
	}
	return out
}

package tracescreen

import "github.com/beamline-hpc/lensview/internal/ui/draw"

// missingStep says why a rank has no such step.
func missingStep(at spot) string {
	if at.kind == atStep {
		return "iteration " + draw.Name(at.iteration) + " not finished, or no longer kept"
	}
	return "no step"
}

package metricsscreen

import (
	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// matcher is what a filter says of the series of a run; nil lets everything
// through. It is for one goroutine.
func matcher(filter *query.Filter, r *store.Run) func(process int, metric string, attrs []run.Attr) bool {
	if filter.Empty() {
		return nil
	}
	bound := filter.Bind(r)
	return func(process int, metric string, attrs []run.Attr) bool {
		return bound.Item(&query.Item{Process: process, Name: metric, Attrs: attrs})
	}
}

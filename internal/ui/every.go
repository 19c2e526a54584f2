package ui

import (
	cardinalityscreen "github.com/beamline-hpc/lensview/internal/ui/cardinality"
	comparescreen "github.com/beamline-hpc/lensview/internal/ui/compare"
	ingestscreen "github.com/beamline-hpc/lensview/internal/ui/ingest"
	logsscreen "github.com/beamline-hpc/lensview/internal/ui/logs"
	metricsscreen "github.com/beamline-hpc/lensview/internal/ui/metrics"
	overviewscreen "github.com/beamline-hpc/lensview/internal/ui/overview"
	ranksscreen "github.com/beamline-hpc/lensview/internal/ui/ranks"
	runsscreen "github.com/beamline-hpc/lensview/internal/ui/runs"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	spansscreen "github.com/beamline-hpc/lensview/internal/ui/spans"
	stepsscreen "github.com/beamline-hpc/lensview/internal/ui/steps"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	topologyscreen "github.com/beamline-hpc/lensview/internal/ui/topology"
	tracescreen "github.com/beamline-hpc/lensview/internal/ui/trace"
)

// Screens is every screen there is, in the order of their keys.
func Screens(t theme.Theme) []Entry {
	return []Entry{
		{Name: screen.Runs, Screen: runsscreen.New(t)},
		{Name: screen.Overview, Screen: overviewscreen.New(t)},
		{Name: screen.Ranks, Screen: ranksscreen.New(t)},
		{Name: screen.Topology, Screen: topologyscreen.New(t)},
		{Name: screen.Steps, Screen: stepsscreen.New(t)},
		{Name: screen.Spans, Screen: spansscreen.New(t)},
		{Name: screen.Trace, Screen: tracescreen.New(t)},
		{Name: screen.Metrics, Screen: metricsscreen.New(t)},
		{Name: screen.Cardinality, Screen: cardinalityscreen.New(t)},
		{Name: screen.Logs, Screen: logsscreen.New(t)},
		{Name: screen.Ingest, Screen: ingestscreen.New(t)},
		{Name: screen.Compare, Screen: comparescreen.New(t)},
	}
}

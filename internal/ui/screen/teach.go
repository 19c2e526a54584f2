package screen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Teach is what to show while nothing has arrived: what listens where and the
// lines to paste into a job script. Lines are plain text, some of them from the
// receiver's own configuration, none from telemetry.
func Teach(s *store.Snapshot) []string {
	if len(s.Receiver.Listeners) == 0 {
		return []string{
			"Nothing was found in these files.",
			"",
			"See where the records went: press i (Ingest).",
			"To see a run that never was: lensview demo",
		}
	}
	lines := []string{"Nothing has arrived yet. Listening on:", ""}
	for _, l := range s.Receiver.Listeners {
		lines = append(lines, "  "+l.Protocol+"  "+l.Addr)
	}
	lines = append(lines, "", "Put this into the job script (y copies it):", "")
	for _, l := range JobLines(s.Receiver.Listeners) {
		lines = append(lines, "  "+l)
	}
	return append(lines, "", "To see a run that never was: lensview demo")
}

// JobLines are the lines of a job script that send a run to these listeners.
func JobLines(listeners []run.Listener) []string {
	return []string{
		"export OTEL_EXPORTER_OTLP_ENDPOINT=" + endpoint(listeners),
		"export NEMO_LENS_ENABLED=1",
		"export NEMO_LENS_EXPORT_STRATEGY=all_ranks",
		"export NEMO_LENS_SPAN_GROUPS=per_step",
	}
}

// endpoint prefers gRPC, which is what exporters default to.
func endpoint(listeners []run.Listener) string {
	best := listeners[0]
	for _, l := range listeners {
		if strings.EqualFold(l.Protocol, "grpc") {
			best = l
			break
		}
	}
	if strings.Contains(best.Addr, "://") {
		return best.Addr
	}
	return "http://" + best.Addr
}

package ingestscreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// recordingLine is how the recording of what is received is doing: first what of
// it is missing, last where it is.
func (m *Model) recordingLine(r *run.Recording) string {
	t := m.theme
	l := draw.NewLine(m.width).Add(t.Dim, "  records ")
	if r.Failing != "" {
		l.Add(t.Bad, "nothing now: "+r.Failing).Space(2)
	}
	if r.Lost.Requests > 0 {
		l.Add(t.Warn, draw.Plural(r.Lost.Total(), "item")+" not recorded").Space(2)
	}
	l.Text(draw.Bytes(r.Bytes))
	for s, n := range r.Items {
		l.AddIf(t.Dim, "  "+draw.Plural(n, strings.TrimSuffix(run.Signal(s).Item(), "s")))
	}
	if r.Sync {
		l.AddIf(t.Dim, "  on the disk before the answer")
	}
	if r.Older.Files > 0 {
		l.AddIf(t.Warn, "  its oldest "+draw.Plural(int(r.Older.Files), "file")+" deleted")
	}
	l.AddIf(t.Dim, "  in "+r.Dir)
	return l.String()
}

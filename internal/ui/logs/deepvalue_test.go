package logsscreen

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// A body and an attribute as deep as any that is taken open in the details and are
// copied whole.
func TestDeepValues(t *testing.T) {
	for _, levels := range []int{60, otlp.MaxDepth} {
		v := run.StringValue("bottom")
		for range levels {
			v = run.KVListValue([]run.Attr{{Key: "k", Value: v}})
		}
		f := newFeed(t)
		rec := record(9, "", 1, run.Attr{Key: "deep", Value: v})
		rec.Body = v
		f.send(trainer(0), rec)
		m := open(t, f.Snapshot(), "")
		uitest.Press(m, "enter")
		m.View()
		if got := m.CopyText(); got != v.String() {
			t.Errorf("%d levels: y copies %.300q", levels, got)
		}
		all, ok := m.Update(uitest.Key("Y"))().(screen.CopyMsg)
		if !ok || strings.Count(all.Text, v.String()) != 2 {
			t.Errorf("%d levels: Y copies %.300q", levels, all.Text)
		}
	}
}

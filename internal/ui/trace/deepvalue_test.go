package tracescreen

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// deepValue is a value so many levels deep, maps and lists by turns, with a word
// at its bottom.
func deepValue(levels int) run.Value {
	v := run.StringValue("bottom")
	for i := range levels {
		if i%2 == 0 {
			v = run.ArrayValue([]run.Value{v})
		} else {
			v = run.KVListValue([]run.Attr{{Key: "k", Value: v}})
		}
	}
	return v
}

// A value as deep as any that is taken opens in the details, wherever it stands,
// and is copied whole.
func TestDeepValues(t *testing.T) {
	for _, levels := range []int{60, otlp.MaxDepth} {
		f := newFeed(t)
		s := f.mk("deep", 0, sec, run.Attr{Key: "of the span", Value: deepValue(levels)})
		s.Events = []run.Event{{Time: s.Start, Name: "e", Attrs: []run.Attr{{Key: "of the event", Value: deepValue(levels)}}}}
		s.Links = []run.Link{{TraceID: s.TraceID, ID: s.ID, Attrs: []run.Attr{{Key: "of the link", Value: deepValue(levels)}}}}
		f.send(trainer(0, run.Attr{Key: "of the resource", Value: deepValue(levels)}), s)
		m := openTrace(t, f.Store, s.TraceID)
		uitest.Press(m, "enter")
		m.View()
		got := copied(m)
		for _, place := range []string{"span", "event", "link", "resource"} {
			if want := "of the " + place + "  " + deepValue(levels).String(); !strings.Contains(got, want) {
				t.Errorf("%d levels of the %s are not copied whole:\n%.2000s", levels, place, got)
			}
		}
	}
}

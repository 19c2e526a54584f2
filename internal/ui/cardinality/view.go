package cardinalityscreen

import (
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// View is what was looked at, what was found with its details, and a legend.
func (m *Model) View() string {
	if len(m.shown.list) == 0 {
		return draw.Message(m.empty(), m.width, m.height)
	}
	m.tell()
	body := m.detail.Join(m.theme, m.table.View(), "details")
	view := draw.Under([]string{m.summary()}, body, m.width, min(m.height, m.body()+1))
	if m.body() == m.height-1 {
		return view
	}
	return view + "\n" + m.legend()
}

// summary is how much was looked at and what came of it.
func (m *Model) summary() string {
	t, a := m.theme, &m.seen
	l := draw.NewLine(m.width).Space(2)
	style, n := t.Strong, a.worst()
	if n > 0 {
		style = t.Warn
	}
	l.Add(style, draw.Plural(n, "key")+" that will hurt")
	l.AddIf(t.Plain, "  of "+draw.Plural(len(a.keys), "key")+" on "+draw.Plural(a.metrics, "metric"))
	if k := len(a.broken); k > 0 {
		l.AddIf(t.Plain, "  "+draw.Count(k)+" broken otherwise")
	}
	if m.data.Filter != nil && !m.data.Filter.Empty() {
		l.AddIf(t.Dim, "  of the whole run: the filter does not apply")
	}
	return l.Right(t.Dim, m.table.Position()).String()
}

// legend explains the marks that are in use.
func (m *Model) legend() string {
	t, l := m.theme, draw.NewLine(m.width).Space(2)
	unbounded, about := false, false
	for i := range m.shown.list {
		if k := m.shown.list[i].metric; k != nil {
			unbounded, about = unbounded || k.unbounded(), about || !k.stat.Exact
		}
	}
	if unbounded {
		l.AddIf(t.Warn, t.Glyphs.Up+" no bound: nearly every value is new   ")
	}
	if about {
		l.AddIf(t.Dim, "~ estimated   ")
	}
	l.AddIf(t.Dim, "series: in the process that has most   ")
	l.AddIf(t.Dim, "values over the whole run")
	return l.String()
}

// empty says why there is nothing to show.
func (m *Model) empty() []string {
	a := &m.seen
	switch {
	case len(m.data.Snapshot.Runs) == 0:
		return screen.Teach(m.data)
	case a.run != m.data.Run:
		return []string{"Looking at the attributes of this run."}
	case a.metrics == 0:
		return []string{"This run has sent no metrics, and no convention is broken that is looked at:", "",
			"  unknown keys in a known namespace (dl.rnak), numbers that vary on spans, ids in span names."}
	}
	return []string{
		draw.Plural(len(a.keys), "attribute key") + " on " + draw.Plural(a.metrics, "metric") + ": none has too many values, and no convention is broken.", "",
		"Looked at: distinct values of each key over the run, series of each process, growth; unknown keys in a known namespace (dl.rnak), numbers that vary on spans, ids in span names.",
		"", m.data.Key(screen.Cardinality, "a") + " shows all keys.",
	}
}

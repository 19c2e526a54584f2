package tracescreen

import (
	"strconv"
	"strings"
	"time"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// describer collects what is to be said of a row.
type describer struct {
	theme   theme.Theme
	limit   int    // of events and of links; 0 is none
	copyAll string // how the key is written
	out     []draw.Fact
}

func (d *describer) head(text string) {
	d.out = append(d.out, draw.Fact{Style: d.theme.Strong, Text: text})
}

func (d *describer) value(name, text string) {
	d.out = append(d.out, draw.Fact{Style: d.theme.Plain, Name: name, Text: text})
}

func (d *describer) valueIf(has bool, name, text string) {
	if has {
		d.value(name, text)
	}
}

// details is all that is known of the row in focus, with at most so many events
// and links; 0 is all.
func (m *Model) details(limit int) []draw.Fact {
	lane, i, ok := m.focus()
	if !ok {
		return nil
	}
	d := describer{theme: m.theme, limit: limit, copyAll: m.data.Key(screen.Trace, "Y")}
	if i < 0 {
		l := &m.content.lanes[lane]
		p := m.content.in.Processes[l.process]
		d.head(laneText(p))
		d.value("spans here", draw.Count(len(l.tree.Nodes)))
		d.process(p)
		return d.out
	}
	n := m.content.node(lane, i)
	s := n.Chunk.Span(n.Row)
	d.head(n.Name())
	d.remarks(n, &s)
	d.times(m, lane, i)
	d.attrs("attributes", s.Attrs, s.DroppedAttrs)
	d.events(&s)
	d.links(&s)
	d.head("span")
	d.facts(m, n, &s)
	d.scope(&s)
	d.process(m.rows.process(n))
	return d.out
}

func (d *describer) remarks(n *analysis.Node, s *run.Span) {
	if s.Status == run.StatusError || s.StatusMessage != "" {
		text := statusWord(s.Status)
		if s.StatusMessage != "" {
			text += ": " + s.StatusMessage
		}
		d.out = append(d.out, draw.Fact{Style: d.statusStyle(s.Status), Text: d.theme.Glyphs.Bad + " status " + text})
	}
	for _, r := range n.Remarks() {
		d.out = append(d.out, draw.Fact{Style: d.theme.Warn, Text: d.theme.Glyphs.Warn + " " + r})
	}
}

func (d *describer) statusStyle(s run.Status) theme.Style {
	if s == run.StatusError {
		return d.theme.Bad
	}
	return d.theme.Plain
}

func statusWord(s run.Status) string {
	switch s {
	case run.StatusUnset:
		return "unset"
	case run.StatusOK:
		return "ok"
	case run.StatusError:
		return "error"
	}
	return strconv.Itoa(int(s))
}

// times says how long it took and when, if its times are sane.
func (d *describer) times(m *Model, lane, i int) {
	n := m.content.node(lane, i)
	if ns, ok := n.Duration(); ok {
		d.value("duration", d.duration(n, ns))
		if own, ok := ownTime(m.content.lanes[lane].tree, i); ok && n.Children > 0 {
			d.value("own time", draw.Duration(float64(own))+share(own, ns))
		}
		if n.Parent >= 0 {
			if all, ok := m.content.node(lane, n.Parent).Duration(); ok {
				d.valueIf(all > 0, "of parent", draw.Percent(float64(ns)/float64(all)))
			}
		}
		d.value("start", signed(float64(int64(n.Start-m.rows.origins[lane])))+"   "+stamp(n.Start))
		d.valueIf(n.End > 0, "end", signed(float64(int64(n.End-m.rows.origins[lane])))+"   "+stamp(n.End))
	}
}

func (d *describer) duration(n *analysis.Node, ns uint64) string {
	text := draw.Duration(float64(ns)) + "   " + draw.Count(ns) + " ns"
	switch {
	case n.Marks.Has(analysis.StillOpen):
		return "≥ " + text + ", still open"
	case n.SpanMarks.Has(run.Truncated):
		return text + ", no measurement: truncated"
	}
	return text
}

func share(part, all uint64) string {
	if all == 0 {
		return ""
	}
	return "   " + draw.Percent(float64(part)/float64(all))
}

// stamp is a sender's clock, in UTC.
func stamp(ns uint64) string {
	return time.Unix(0, int64(ns)).UTC().Format("2006-01-02T15:04:05.000000000Z")
}

// facts are what the name means, the ids, and the times as they were sent.
func (d *describer) facts(m *Model, n *analysis.Node, s *run.Span) {
	name := m.content.snapshot.Runs[n.Run].Names[n.Chunk.NameID(n.Row)]
	phase := name.Phase.Class.String()
	if name.Phase.Name != "" {
		phase += ", " + name.Phase.Name
	}
	d.value("class", phase)
	d.value("kind", kindWord(s.Kind))
	d.valueIf(s.Status == run.StatusOK, "status", "ok")
	d.valueIf(n.Children > 0, "inside", draw.Count(n.Children)+" direct")
	d.value("trace", s.TraceID.String())
	d.value("span", s.ID.String())
	d.valueIf(!s.Parent.IsZero(), "parent", s.Parent.String())
	d.valueIf(s.TraceState != "", "trace state", s.TraceState)
	d.valueIf(s.Flags != 0, "flags", "0x"+strconv.FormatUint(uint64(s.Flags), 16))
	d.value("as sent", "start "+strconv.FormatUint(n.Start, 10)+", end "+strconv.FormatUint(n.End, 10)+" ns")
}

func kindWord(k run.Kind) string {
	words := [...]string{"unspecified", "internal", "server", "client", "producer", "consumer"}
	if int(k) < len(words) {
		return words[k]
	}
	return strconv.Itoa(int(k))
}

func (d *describer) attrs(what string, attrs []run.Attr, dropped uint32) {
	if len(attrs) == 0 && dropped == 0 {
		return
	}
	d.head(counted(what, len(attrs), dropped))
	for _, a := range attrs {
		d.value(a.Key, valueText(a.Value))
	}
}

// counted is a heading with numbers.
func counted(what string, n int, dropped uint32) string {
	text := what + " " + draw.Count(n)
	if dropped > 0 {
		text += ", " + draw.Count(int64(dropped)) + " dropped by the sender"
	}
	return text
}

// valueText tells an empty value from none.
func valueText(v run.Value) string {
	text := v.String()
	if text == "" {
		return "(empty " + v.Type.String() + ")"
	}
	return text
}

// maxEvents is how many events and how many links are shown. Y copies all.
const maxEvents = 500

// enough reports whether i of n are as many as may be listed, and says so.
func (d *describer) enough(i, n int) bool {
	if d.limit == 0 || i < d.limit {
		return false
	}
	d.value(draw.Ellipsis, draw.Count(n-i)+" more; "+d.copyAll+" copies all")
	return true
}

func (d *describer) events(s *run.Span) {
	if len(s.Events) == 0 && s.DroppedEvents == 0 {
		return
	}
	d.head(counted("events", len(s.Events), s.DroppedEvents))
	for i, e := range s.Events {
		if d.enough(i, len(s.Events)) {
			break
		}
		at := "no time"
		if e.Time != 0 && s.Marks&run.InvalidTime == 0 {
			at = signed(float64(int64(e.Time - s.Start)))
		}
		d.value(at, e.Name)
		for _, a := range e.Attrs {
			d.value("  "+a.Key, valueText(a.Value))
		}
		d.valueIf(e.Dropped > 0, "  dropped", draw.Plural(int64(e.Dropped), "attribute"))
	}
}

func (d *describer) links(s *run.Span) {
	if len(s.Links) == 0 && s.DroppedLinks == 0 {
		return
	}
	d.head(counted("links", len(s.Links), s.DroppedLinks))
	for i, k := range s.Links {
		if d.enough(i, len(s.Links)) {
			break
		}
		d.value("trace", k.TraceID.String()+" span "+k.ID.String())
		d.valueIf(k.TraceState != "", "  trace state", k.TraceState)
		for _, a := range k.Attrs {
			d.value("  "+a.Key, valueText(a.Value))
		}
		d.valueIf(k.Dropped > 0, "  dropped", draw.Plural(int64(k.Dropped), "attribute"))
	}
}

func (d *describer) scope(s *run.Span) {
	if s.Scope.Name == "" && len(s.Scope.Attrs) == 0 {
		return
	}
	d.head("scope")
	d.value(s.Scope.Name, s.Scope.Version)
	d.valueIf(s.Scope.Schema != "", "schema", s.Scope.Schema)
	for _, a := range s.Scope.Attrs {
		d.value(a.Key, valueText(a.Value))
	}
}

// process is who sent it, and the resource as it was sent.
func (d *describer) process(p *store.Process) {
	d.head("sent by " + strings.Join(append([]string{processName(p)}, placeWords(p)...), " "))
	d.valueIf(p.Coord.Derived, "coordinates", "derived from rank and sizes, not sent")
	d.attrs("resource", p.Resource, 0)
}

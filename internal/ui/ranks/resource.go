package ranksscreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// tell fills the pane.
func (m *Model) tell() { m.detail.Show(m.theme, m.resourceKey(), m.resource) }

// resource is all that the process in focus says of itself: every attribute with
// the type that was sent; of a group, of whom it consists.
func (m *Model) resource() []draw.Fact {
	at, ok := m.focus()
	if !ok {
		return nil
	}
	if at.group != nil {
		return []draw.Fact{{Style: m.theme.Strong, Text: at.group.By + " " + at.group.label(draw.Missing) + "  " + at.group.size()},
			{Style: m.theme.Dim, Text: "A group has no resource of its own: " + m.data.Key(screen.Ranks, "o") + " on one of its ranks."}}
	}
	k := at.rank
	p := k.run.Processes[k.Process]
	out := []draw.Fact{{Style: m.theme.Strong, Text: processText(k, m.theme.Glyphs.Derived)}}
	add := func(name, text string) {
		if text != "" {
			out = append(out, draw.Fact{Style: m.theme.Plain, Name: name, Text: text})
		}
	}
	for _, f := range stood(k) {
		add(f[0], f[1])
	}
	add("run", k.run.ID+"  (by "+k.run.IDBy+")")
	add("service", p.ID.Service)
	add("instance", p.ID.Instance)
	add("attempt", draw.Count(k.Attempt+1)+" of "+draw.Count(len(k.run.Attempts)))
	add("spans", draw.Count(p.Spans))
	add("points", draw.Count(p.Points))
	add("logs", draw.Count(p.Logs))
	out = append(out, draw.Fact{Style: m.theme.Strong, Text: "resource " + draw.Plural(len(p.Resource), "attribute") + ", as sent"})
	for _, a := range analysis.LastOfEachKey(p.Resource) {
		add(a.Key, typedText(a.Value))
	}
	return out
}

// stood is where the rank stands, and what it did last.
func stood(k *rank) [][2]string {
	t := k.told
	if t == nil || t.word() == "" {
		return nil
	}
	state := t.word()
	if t.suspect {
		state += ", stopped before the others"
	}
	out := [][2]string{{"state", state}}
	if last := t.standing.LastPhase; last != "" {
		out = append(out, [2]string{"last", last + ", " + draw.Plural(t.standing.SpansEnded, "span") + " of the next iteration ended"})
	}
	if t.standing.StuckIn != "" {
		out = append(out, [2]string{"stuck in", t.standing.StuckIn})
	}
	return out
}

// typedText is a value behind its type: that a rank was sent as text and not as a
// number explains why a filter does not find it.
func typedText(v run.Value) string {
	text := v.String()
	if text == "" {
		text = "(empty)"
	}
	return draw.PadRight(v.Type.String(), typeCells) + "  " + text
}

// typeCells is the cells of the longest type.
const typeCells = 6

func processText(k *rank, derived string) string {
	parts := []string{"rank " + known(k.Rank.Rank)}
	if role := roleText(k); role != "" {
		parts = append(parts, role)
	}
	if coordKnown(k.Coord) {
		parts = append(parts, "tp/pp/dp "+coordText(k.Coord, derived))
	}
	return strings.Join(append(parts, k.Host), "  ")
}

// resourceKey changes when the pane has to say something else.
func (m *Model) resourceKey() string {
	at, ok := m.focus()
	if !ok || at.rank == nil {
		return m.table.Key()
	}
	p := at.rank.run.Processes[at.rank.Process]
	return m.table.Key() + "\x00\x00" + draw.Count(p.Spans+p.Points+p.Logs)
}

package ingestscreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// tall is from where on there is room for a legend.
const tall = 18

// head is the fixed upper part: totals, memory, listeners,
// recording.
func (m *Model) head() []string {
	lines := m.totalLines()
	if m.height >= tall {
		lines = append(lines, draw.NewLine(m.width).Add(m.theme.Dim,
			"  ok: received = kept + evicted + rejected + duplicates + replaced + in flight").String())
	}
	lines = append(lines, m.memoryLine(), m.receiverLine())
	if r := m.snap.Recording; r != nil {
		lines = append(lines, m.recordingLine(r))
	}
	return lines
}

// totalLines is the totals as a table without a cursor.
func (m *Model) totalLines() []string {
	t := draw.NewTable(m.theme, totalColumns()...)
	rows := totals{m.theme, m.snap}
	t.SetSize(m.width, rows.Len()+1)
	t.SetRows(rows)
	t.HideCursor()
	return strings.Split(t.View(), "\n")
}

const barWidth = 20

func (m *Model) memoryLine() string {
	t, mem := m.theme, m.snap.Memory
	l := draw.NewLine(m.width).Add(t.Dim, "  memory  ")
	if mem.Budget == 0 {
		return l.Text(t.Glyphs.Missing).String()
	}
	used := mem.Used + mem.Fixed
	share := float64(used) / float64(mem.Budget)
	l.Add(t.Plain, draw.Percent(share)+" ")
	if m.width >= 80 {
		style := t.Good
		if share > 0.9 {
			style = t.Warn
		}
		l.Text("[").Add(style, draw.Bar(share, barWidth, t.Glyphs)).Text("] ")
	}
	l.Text(draw.Bytes(used) + " of " + draw.Bytes(mem.Budget))
	l.AddIf(t.Dim, "  spans and points "+draw.Bytes(mem.Used)+" of "+draw.Bytes(mem.Data))
	l.AddIf(t.Dim, "  fixed "+draw.Bytes(mem.Fixed))
	l.AddIf(t.Dim, "  "+draw.Plural(mem.Chunks, "chunk"))
	if mem.Sealed > 0 {
		l.AddIf(t.Dim, ", "+draw.Count(mem.Sealed)+" of them sealed ("+draw.Bytes(mem.SealedBytes)+")")
	}
	if mem.Dropped > 0 {
		l.AddIf(t.Warn, "  "+draw.Count(mem.Dropped)+" could not be placed in a step")
	}
	return l.String()
}

func (m *Model) receiverLine() string {
	t, r := m.theme, m.snap.Receiver
	l := draw.NewLine(m.width).Add(t.Dim, "  listens ")
	if len(r.Listeners) == 0 {
		return l.Text("nowhere: this is a file").String()
	}
	var at []string
	for _, one := range r.Listeners {
		at = append(at, one.Protocol+" "+one.Addr)
	}
	l.Text(strings.Join(at, "  "))
	l.AddIf(t.Dim, "  "+draw.Plural(r.Conns, "connection"))
	l.AddIf(t.Dim, "  "+draw.Plural(r.Requests, "request"))
	l.AddIf(t.Dim, "  "+draw.Bytes(r.Bytes)+" in")
	if r.Repaired > 0 {
		l.AddIf(t.Warn, "  "+draw.Count(r.Repaired)+" strings repaired")
	}
	return l.String()
}

// names is the panes' names with how much is in them.
func (m *Model) names() [paneCount]string {
	return [paneCount]string{
		"Senders " + draw.Count(len(m.snap.Senders)),
		"Refused " + draw.Count(len(m.snap.Receiver.Refused)),
		"Notices " + draw.Count(len(m.said)),
	}
}

// strip is the line with the panes' names; the one in focus is in brackets.
func (m *Model) strip() string {
	l := draw.NewLine(m.width).Space(1)
	for i, name := range m.names() {
		style, left, right := theme.Style{}, " ", " "
		if pane(i) == m.pane {
			style, left, right = m.theme.Title, "[", "]"
		}
		l.Add(style, left+name+right).Space(1)
	}
	return l.Right(m.theme.Dim, m.table().Position()).String()
}

// paneAt is the pane whose name is at column x of the strip, else the one in focus.
func (m *Model) paneAt(x int) pane {
	at := 1
	for i, name := range m.names() {
		end := at + len(name) + 2
		if x >= at && x < end {
			return pane(i)
		}
		at = end + 1
	}
	return m.pane
}

package ingestscreen

import (
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// accountColumns are the parts of the accounting identity.
func accountColumns() []draw.Column {
	return []draw.Column{
		{ID: "received", Title: "received", Min: 9, Max: 15, Right: true},
		{ID: "check", Title: "ok", Min: 2},
		{ID: "kept", Title: "kept", Min: 9, Max: 15, Right: true, Priority: 1},
		{ID: "evicted", Title: "evicted", Min: 7, Max: 15, Right: true, Priority: 4},
		{ID: "rejected", Title: "rejected", Min: 8, Max: 11, Right: true, Priority: 2},
		{ID: "duplicates", Title: "duplic.", Min: 7, Max: 11, Right: true, Priority: 5},
		{ID: "replaced", Title: "replac.", Min: 7, Max: 11, Right: true, Priority: 6},
		{ID: "inflight", Title: "in flight", Min: 9, Right: true, Priority: 7},
	}
}

// accountCell is one part of an account. check says whether the identity
// received = kept + evicted + rejected + duplicates + replaced + in flight holds.
func accountCell(t theme.Theme, a run.Account, column string) draw.Cell {
	if column == "check" {
		if a.Balanced() {
			return draw.Cell{Text: t.Glyphs.Yes, Style: t.Good}
		}
		return draw.Cell{Text: t.Glyphs.No, Style: t.Bad}
	}
	n := map[string]uint64{
		"received": a.Received, "kept": a.Kept, "evicted": a.Evicted, "rejected": a.Rejected,
		"duplicates": a.Duplicates, "replaced": a.Replaced, "inflight": a.InFlight,
	}[column]
	cell := draw.Cell{Text: draw.Count(n)}
	switch {
	case n == 0:
		cell.Style = t.Dim
	case column == "rejected":
		cell.Style = t.Bad
	case column == "evicted":
		cell.Style = t.Warn
	}
	return cell
}

// totals is the account of each signal, as rows without a cursor.
type totals struct {
	theme theme.Theme
	snap  *store.Snapshot
}

func (r totals) Len() int           { return int(run.SignalCount) }
func (r totals) Key(row int) string { return run.Signal(row).String() }

func (r totals) Cell(row int, column string) draw.Cell {
	if column == "signal" {
		return draw.Cell{Text: run.Signal(row).Item()}
	}
	return accountCell(r.theme, r.snap.Accounts[row], column)
}

func totalColumns() []draw.Column {
	return append([]draw.Column{{ID: "signal", Title: "all", Min: 6, Max: 24}}, accountColumns()...)
}

// senderRows is one row for each signal that a sender sent.
type senderRows struct {
	theme theme.Theme
	snap  *store.Snapshot
	rows  []senderRow
}

type senderRow struct {
	sender int
	signal run.Signal
}

func senderRowsOf(t theme.Theme, s *store.Snapshot) senderRows {
	r := senderRows{theme: t, snap: s}
	for i := range s.Senders {
		for signal := range run.SignalCount {
			if s.Senders[i].Accounts[signal].Received > 0 {
				r.rows = append(r.rows, senderRow{i, signal})
			}
		}
	}
	return r
}

func (r senderRows) Len() int { return len(r.rows) }

func (r senderRows) Key(row int) string {
	return r.snap.Senders[r.rows[row].sender].Name + "\x00" + strconv.Itoa(int(r.rows[row].signal))
}

func (r senderRows) Cell(row int, column string) draw.Cell {
	at := r.rows[row]
	sender := &r.snap.Senders[at.sender]
	switch column {
	case "sender":
		return draw.Cell{Text: sender.Name, Style: r.theme.Accent}
	case "signal":
		return draw.Cell{Text: at.signal.Item()}
	case "requests":
		return draw.Cell{Text: draw.Count(sender.Requests), Style: r.theme.Dim}
	case "bytes":
		return draw.Cell{Text: draw.Bytes(sender.Bytes), Style: r.theme.Dim}
	case "last":
		return draw.Cell{Text: draw.Age(r.snap.Now, sender.Last)}
	}
	return accountCell(r.theme, sender.Accounts[at.signal], column)
}

func senderColumns() []draw.Column {
	out := []draw.Column{
		{ID: "sender", Title: "sender", Min: 12, Max: 36},
		{ID: "signal", Title: "signal", Min: 6, Priority: 1},
	}
	out = append(out, accountColumns()...)
	return append(out,
		draw.Column{ID: "last", Title: "last", Min: 4, Right: true, Priority: 3},
		draw.Column{ID: "bytes", Title: "bytes", Min: 8, Right: true, Priority: 8},
		draw.Column{ID: "requests", Title: "requests", Min: 8, Max: 11, Right: true, Priority: 9},
	)
}

// rowText is a row of the pane in focus, for the clipboard.
func (m *Model) rowText(row int) string {
	switch m.pane {
	case refused:
		return m.snap.Receiver.Refused[row].Text
	case notices:
		return m.said[row].Text
	}
	r := senderRowsOf(m.theme, m.snap).rows[row]
	a := m.snap.Senders[r.sender].Accounts[r.signal]
	return strings.Join([]string{m.snap.Senders[r.sender].Name, r.signal.Item(),
		"received", strconv.FormatUint(a.Received, 10), "kept", strconv.FormatUint(a.Kept, 10),
		"rejected", strconv.FormatUint(a.Rejected, 10)}, " ")
}

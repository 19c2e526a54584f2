package ingestscreen

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestAccountCells(t *testing.T) {
	th := theme.New(theme.Options{Profile: theme.ANSI16})
	a := run.Account{Received: 1_000_000, Kept: 900_000, Evicted: 99_000, Rejected: 900, Duplicates: 80, Replaced: 15, InFlight: 5}
	want := map[string]string{"received": "1,000,000", "check": "✓", "kept": "900,000", "evicted": "99,000", "rejected": "900",
		"duplicates": "80", "replaced": "15", "inflight": "5"}
	got := map[string]string{}
	for _, c := range accountColumns() {
		got[c.ID] = accountCell(th, a, c.ID).Text
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if accountCell(th, a, "rejected").Style != th.Bad || accountCell(th, a, "evicted").Style != th.Warn {
		t.Error("what was lost does not stand out")
	}
	if accountCell(th, run.Account{}, "rejected").Style != th.Dim {
		t.Error("nothing lost is not dim")
	}
	for name, broken := range map[string]run.Account{
		"one lost": {Received: 10, Kept: 9}, "one too many": {Received: 10, Kept: 11}, "in flight": {Received: 3, InFlight: 4},
	} {
		if got := accountCell(th, broken, "check"); got.Text != "✗" || got.Style != th.Bad {
			t.Errorf("%s: the check shows %q", name, got.Text)
		}
	}
}

func TestSendersHaveARowForEachSignalTheySent(t *testing.T) {
	s := &store.Snapshot{Now: now, Senders: []store.Sender{
		{Name: "a", Accounts: [run.SignalCount]run.Account{{Received: 1}, {}, {Received: 2}}},
		{Name: "b"},
		{Name: "c", Accounts: [run.SignalCount]run.Account{{}, {Received: 3}, {}}},
	}}
	r := senderRowsOf(theme.Theme{}, s)
	var got []string
	for i := range r.Len() {
		got = append(got, r.Cell(i, "sender").Text+" "+r.Cell(i, "signal").Text)
	}
	if diff := cmp.Diff([]string{"a spans", "a logs", "c points"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r.Key(0) == r.Key(1) {
		t.Error("two signals of a sender have one identity")
	}
}

func TestSenderCells(t *testing.T) {
	r := senderRowsOf(theme.New(theme.Options{}), busy())
	want := map[string]string{"sender": "10.0.0.0", "signal": "spans", "received": "1,000", "last": "now", "bytes": "1.00 MiB", "requests": "100"}
	for column, text := range want {
		if got := r.Cell(0, column).Text; got != text {
			t.Errorf("%s: %q, want %q", column, got, text)
		}
	}
}

func TestRefusedCells(t *testing.T) {
	r := refusedRows{busy()}
	want := map[string]string{"count": "3", "last": "12s", "text": "HTTP client on the gRPC port 4317 (use 4318)"}
	for column, text := range want {
		if got := r.Cell(0, column).Text; got != text {
			t.Errorf("%s: %q, want %q", column, got, text)
		}
	}
	if r.Key(0) == r.Key(1) {
		t.Error("two refusals have one identity")
	}
}

func TestNoticeCells(t *testing.T) {
	r := noticeRows{theme.New(theme.Options{Profile: theme.ANSI16}), now, allNotices(busy(), new(checks))}
	want := map[string]string{"level": "warning", "count": "41", "last": "3s", "run": "llama-70b", "text": "ranks 0, 1 share span ids (seeded RNG?)"}
	for column, text := range want {
		if got := r.Cell(1, column).Text; got != text {
			t.Errorf("%s: %q, want %q", column, got, text)
		}
	}
	if got := r.Cell(0, "count").Text; got != "" {
		t.Errorf("what happened once is counted: %q", got)
	}
	for row, style := range []theme.Style{r.theme.Bad, r.theme.Warn, r.theme.Dim} {
		if r.Cell(row, "level").Style != style {
			t.Errorf("level of notice %d looks like %q", row, r.Cell(row, "level").Style.On())
		}
	}
}

// The store lists a run's notices with the run and with the snapshot.
func TestNoNoticeIsListedTwice(t *testing.T) {
	one := run.Notice{Code: "shared-span-ids", Level: run.Warning, Text: "ranks 0, 1 share span ids", Run: "a"}
	s := &store.Snapshot{Runs: []*store.Run{{ID: "a", Notices: []run.Notice{one}}}, Notices: []run.Notice{one}}
	if got := allNotices(s, new(checks)); len(got) != 1 {
		t.Errorf("%d notices, want 1: %+v", len(got), got)
	}
}

func TestNoticesOfEveryRun(t *testing.T) {
	s := uitest.Snapshot(t, uitest.Training{Run: "a", Ranks: 2, Steps: 1, Slow: -1}, uitest.Training{Run: "b", Ranks: 2, Steps: 1, Slow: -1})
	for _, r := range s.Runs {
		r.Notices = append(r.Notices, run.Notice{Code: "mine", Level: run.Critical, Text: "of " + r.ID, Run: r.ID})
	}
	text := ""
	for _, n := range allNotices(s, new(checks))[:2] {
		text += n.Text + ";"
	}
	if text != "of a;of b;" && text != "of b;of a;" {
		t.Errorf("first notices %q, want the critical one of each run", text)
	}
}

func TestMemoryLine(t *testing.T) {
	m := newScreen(t, busy())
	for _, want := range []string{"76.6%", "392 MiB of 512 MiB", "spans and points 311 MiB of 400 MiB", "fixed 81.0 MiB"} {
		if !strings.Contains(m.memoryLine(), want) {
			t.Errorf("%q is missing in %q", want, m.memoryLine())
		}
	}
	m.SetSize(200, 40)
	if !strings.Contains(m.memoryLine(), "17 could not be placed in a step") {
		t.Errorf("what overflowed is not said: %q", m.memoryLine())
	}
	if got := newScreen(t, &store.Snapshot{}).memoryLine(); !strings.HasPrefix(got, "  memory  -") {
		t.Errorf("without a budget: %q", got)
	}
}

func TestMemoryIsMarkedWhenNearlyFull(t *testing.T) {
	th := theme.New(theme.Options{Profile: theme.ANSI16})
	for used, style := range map[uint64]theme.Style{50: th.Good, 95: th.Warn} {
		m := New(th)
		m.SetSize(120, 30)
		uitest.Give(t, m, uitest.Data(t, &store.Snapshot{Memory: store.Memory{Budget: 100 << 20, Used: used << 20}}, ""))
		if !strings.Contains(m.memoryLine(), "["+style.On()) {
			t.Errorf("%d %% used: %q", used, m.memoryLine())
		}
	}
}

func TestReceiverLine(t *testing.T) {
	m := newScreen(t, busy())
	for _, want := range []string{"gRPC 127.0.0.1:4317", "HTTP 127.0.0.1:4318", "64 connections", "12,345 requests", "5.00 GiB", "2 strings repaired"} {
		if !strings.Contains(m.receiverLine(), want) {
			t.Errorf("%q is missing in %q", want, m.receiverLine())
		}
	}
	if got := newScreen(t, &store.Snapshot{}).receiverLine(); !strings.Contains(got, "nowhere: this is a file") {
		t.Errorf("a file: %q", got)
	}
}

func TestDetailShowsTheWholeText(t *testing.T) {
	s := busy()
	long := "metric gateway.requests: " + strings.Repeat("a very long explanation ", 8) + "the end"
	s.Notices = []run.Notice{{Code: "x", Level: run.Critical, Text: long}}
	m := newScreen(t, s)
	m.SetSize(100, 24)
	uitest.Press(m, "shift+tab")
	if view := m.View(); !strings.Contains(view, "the end") {
		t.Errorf("the end of the notice is not shown:\n%s", view)
	}
	m.SetSize(100, 12)
	uitest.Inside(t, m.View(), 100, 12)
}

func TestWheelAndClicksAboveTheTable(t *testing.T) {
	m := newScreen(t, busy())
	m.SetSize(80, 16)
	before := m.CopyText()
	m.Update(uitest.Click(3, 1))
	if m.CopyText() != before {
		t.Error("a click on the totals moved the cursor")
	}
	wheel := uitest.Click(3, 10)
	wheel.Button = 5 // wheel down
	m.Update(wheel)
	m.Update(wheel)
	if m.CopyText() == before {
		t.Error("the wheel does not move")
	}
}

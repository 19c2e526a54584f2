package logsscreen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// goldens draws a screen at every size; the program's header and footer take two
// lines.
func goldens(t *testing.T, m *Model, name string) {
	t.Helper()
	for _, size := range uitest.Sizes() {
		m.SetSize(size[0], size[1]-2)
		uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
	}
}

func TestGoldens(t *testing.T) {
	for _, ranks := range []int{0, 1, 8, 1024} {
		goldens(t, open(t, ofRanks(t, ranks), ""), fmt.Sprintf("%d-ranks", ranks))
	}
}

func TestGoldensOfDetails(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	uitest.Press(m, "g", "x", "enter")
	goldens(t, m, "details")
	uitest.Press(m, "tab", "j", "j")
	goldens(t, m, "details-scrolled")
}

func TestGoldensOfASearch(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	uitest.Press(m, "k", "f")
	typed(m, "watchdog")
	goldens(t, m, "search")
}

func TestGoldenInColour(t *testing.T) {
	m := New(theme.New(theme.Options{Profile: theme.ANSI256, Dark: true}))
	m.SetSize(80, 22)
	uitest.Give(t, m, uitest.Data(t, ofRanks(t, 8), ""))
	uitest.Press(m, "k", "k")
	uitest.Golden(t, "colour-80x24", m.View())
}

func TestEverySize(t *testing.T) {
	uitest.EverySize(t, open(t, ofRanks(t, 0), ""))
	m := open(t, ofRanks(t, 8), "")
	for _, keys := range [][]string{{"g"}, {"enter"}, {"tab", "G"}, {"tab", "f", "w"}, {"enter", "s", "s", "s"}} {
		uitest.Press(m, keys...)
		uitest.EverySize(t, m)
	}
}

// TestTheSelectionOutlivesSizes: at 80×24 it is in sight as before.
func TestTheSelectionOutlivesSizes(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	m.SetSize(80, 22)
	uitest.Press(m, "k", "k", "k", "enter")
	was := here(t, m)
	for _, size := range [][2]int{{1, 1}, {0, 0}, {3, 200}, {200, 3}, {20, 5}, {80, 22}} {
		m.SetSize(size[0], size[1])
		m.View()
	}
	if here(t, m) != was || !strings.Contains(text(m), "\n> 00:00:43.480") || !m.detail.open {
		t.Errorf("on %q, was on %q\n%s", here(t, m), was, text(m))
	}
}

func TestHostileText(t *testing.T) {
	for i, text := range uitest.Hostile() {
		f := newFeed(t)
		rec := record(17, text, 1, uitest.Text(text, text), uitest.Int("n"+text, 3))
		rec.SeverityText, rec.EventName = text, text
		odd := run.Log{SeverityText: text, EventName: text, Body: run.ArrayValue([]run.Value{run.StringValue(text)})}
		f.send(append(trainer(i), uitest.Text("host.name", text), uitest.Text("nv.dl.role", text), uitest.Text(text, text)), rec, odd)
		m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
		m.SetSize(120, 30)
		uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
		for _, keys := range [][]string{{"g"}, {"enter"}, {"tab", "j"}, {"tab", "f"}, {"x"}} {
			uitest.Press(m, keys...)
			for _, width := range []int{40, 80, 160} {
				m.SetSize(width, 30)
				uitest.Harmless(t, m.View())
				uitest.Inside(t, m.View(), width, 30)
			}
		}
	}
}

func FuzzRecord(f *testing.F) {
	f.Add(uint8(17), "ERROR", "boom", "k", uitest.Start, uint64(0), 80, 24)
	f.Add(uint8(0), "", "", "", uint64(0), ^uint64(0), 1, 1)
	f.Add(uint8(255), "\x1b[2J", "\xff\x00\n", "\u202e", uint64(1), uint64(5), 200, 60)
	f.Fuzz(func(t *testing.T, severity uint8, word, body, key string, at, observed uint64, width, height int) {
		width, height = width&0xff, height&0x3f
		store := newFeed(t)
		store.send(trainer(0), run.Log{Severity: severity, SeverityText: word, Body: run.StringValue(body), EventName: key,
			Time: at, Observed: observed, Attrs: []run.Attr{uitest.Text(key, body)}})
		m := New(theme.New(theme.Options{Profile: theme.ANSI16}))
		m.SetSize(width, height)
		uitest.Give(t, m, uitest.Data(t, store.Snapshot(), ""))
		for _, k := range []string{"enter", "tab", "s", "x", "f", "ctrl+x"} {
			uitest.Inside(t, m.View(), width, height)
			uitest.Harmless(t, m.View())
			uitest.Press(m, k)
		}
		uitest.Inside(t, m.View(), width, height)
	})
}

func TestDetailsSayEverything(t *testing.T) {
	f := newFeed(t)
	rec := record(18, "two\nlines", 1, uitest.Int("count", 3), uitest.Text("empty", ""), run.Attr{Key: "list", Value: run.ArrayValue([]run.Value{run.IntValue(1)})})
	rec.Observed, rec.SeverityText, rec.EventName, rec.Flags, rec.Dropped = uitest.Start+2*sec, "ERROR2", "oom", 1, 4
	rec.TraceID, rec.SpanID = uitest.TraceID(5), uitest.SpanID(6)
	f.send(trainer(3), rec)
	m := open(t, f.Snapshot(), "")
	m.SetSize(160, 60)
	uitest.Press(m, "enter")
	got := text(m)
	for _, want := range []string{
		`x error  (severity 18, text "ERROR2")`, "two", "lines", "event      oom", "2025-10-09 08:53:21.000000000 UTC", "1760000001000000000",
		"observed   2025-10-09 08:53:22.000000000 UTC", uitest.TraceID(5).String(), uitest.SpanID(6).String(), "flags      0x1",
		"megatron-lm  rank 3  on node-0", "4 attributes dropped by the sender", "count      3  (int)", `empty      ""`, "list       [1]  (array)",
		"resource", "dl.world_size  4  (int)", "nemo.run.id",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	if !m.Back() || m.detail.open {
		t.Error("Esc closes the details")
	}
}

func TestCopies(t *testing.T) {
	f := newFeed(t)
	long := strings.Repeat("long ", 2000)
	f.send(trainer(3), record(9, "\x1b[31m"+long, 1, uitest.Int("count", 3)))
	m := open(t, f.Snapshot(), "")
	if got := m.CopyText(); got != "\x1b[31m"+long {
		t.Errorf("y copies %d bytes: what was sent, unchanged, has %d", len(got), len(long)+5)
	}
	msgs := uitest.Settle(m, func() tea.Msg { return nil })
	if msgs != nil {
		t.Fatal(msgs)
	}
	all, ok := m.Update(uitest.Key("Y"))().(screen.CopyMsg)
	if !ok || !strings.Contains(all.Text, "count  3") || !strings.Contains(all.Text, long[:9000]) {
		t.Errorf("Y copies %.200q", all.Text)
	}
	empty := open(t, ofRanks(t, 0), "")
	if !strings.Contains(empty.CopyText(), `eval "$(lensview env)"`) {
		t.Errorf("without data y copies %q", empty.CopyText())
	}
}

func TestEmptyStatesTeach(t *testing.T) {
	if got := text(open(t, ofRanks(t, 0), "")); !strings.Contains(got, "Listening on") {
		t.Errorf("\n%s", got)
	}
	f := newFeed(t)
	f.spans(trainer(0), run.Span{TraceID: uitest.TraceID(7), ID: uitest.SpanID(1), Name: "s", Kind: 1, Start: uitest.Start, End: uitest.Start + sec})
	if got := text(open(t, f.Snapshot(), "")); !strings.Contains(got, "sent no log records") || !strings.Contains(got, "OTEL_LOGS_EXPORTER=otlp") {
		t.Errorf("\n%s", got)
	}
}

// The whole run is counted by severity whatever is shown of it, and said once.
func TestTotalsOfTheWholeRun(t *testing.T) {
	f := newFeed(t)
	f.some(0, 60)
	for _, test := range []struct {
		filter   string
		keys     []string
		has, not string
	}{
		{"", nil, "60 records  following", "x 6 error  ! 6 warn  x"},
		{"", nil, "whole run  60 records, all held  x 6 error  ! 6 warn  48 info", "evicted"},
		{"rank=1", nil, "15 records  following  x 3 error", "60 records  following"},
		{"rank=1", nil, "whole run  60 records, all held  x 6 error  ! 6 warn  48 info", ""},
		{"", []string{"s", "s"}, "12 records  warn and worse", ""},
		{"", []string{"s", "s"}, "whole run  60 records, all held", ""},
	} {
		m := open(t, f.Snapshot(), test.filter)
		uitest.Press(m, test.keys...)
		if got := text(m); !strings.Contains(got, test.has) || test.not != "" && strings.Contains(got, test.not) {
			t.Errorf("%q %v: want %q, not %q:\n%s", test.filter, test.keys, test.has, test.not, strings.Join(strings.Split(got, "\n")[:3], "\n"))
		}
	}
}

func TestMouse(t *testing.T) {
	f := newFeed(t)
	f.some(0, 60)
	m := open(t, f.Snapshot(), "")
	m.SetSize(80, 22)
	wheel := func(b tea.MouseButton, x, y int) {
		uitest.Settle(m, m.Update(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: b}))
	}
	wheel(tea.MouseButtonWheelUp, 5, 5)
	if m.follow.on || here(t, m) != "record 56" {
		t.Errorf("the wheel stops following: on %q, %v", here(t, m), m.follow.on)
	}
	uitest.Settle(m, m.Update(uitest.Click(30, 3)))
	first := here(t, m)
	if first != "record 39" {
		t.Errorf("a click goes to %q", first)
	}
	uitest.Settle(m, m.Update(uitest.Click(30, 3)))
	if !m.detail.open {
		t.Fatal("a second click opens no details")
	}
	m.View()
	wheel(tea.MouseButtonWheelDown, 5, 20)
	if m.detail.pane.Position() == "" || strings.HasPrefix(m.detail.pane.Position(), "1–") {
		t.Errorf("the wheel over the details scrolls them: %q", m.detail.pane.Position())
	}
	if here(t, m) != first {
		t.Errorf("and not the table: %q", here(t, m))
	}
	uitest.Settle(m, m.Update(uitest.Click(5, 20)))
	if !m.detail.focus {
		t.Error("a click on the details goes there")
	}
	wheel(tea.MouseButtonWheelUp, 5, 0) // on the summary: nothing
	m.SetSize(160, 40)
	uitest.Settle(m, m.Update(uitest.Click(155, 20)))
	if !m.detail.focus {
		t.Error("a click on the details beside the table goes there")
	}
}

// TestKeysAreInHelp: every key that does something is listed, and none twice.
func TestKeysAreInHelp(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	listed := map[string]int{}
	for _, group := range m.FullHelp() {
		for _, b := range group {
			for _, k := range b.Keys() {
				listed[k]++
			}
			if b.Help().Desc == "" {
				t.Errorf("%v has no help", b.Keys())
			}
		}
	}
	for _, a := range m.actions() {
		for _, k := range a.on.Keys() {
			if listed[k] != 1 {
				t.Errorf("%q is listed %d times", k, listed[k])
			}
		}
	}
	if n := len(m.ShortHelp()); n != 5 {
		t.Errorf("%d keys in the footer", n)
	}
	uitest.Press(m, "f")
	if !key.Matches(uitest.Key("esc"), m.ShortHelp()[1]) {
		t.Error("the footer does not say how to cancel")
	}
}

// many is a run with 100,000 records.
func many(b testing.TB) *feed {
	f := newFeed(b, 1<<30)
	for i := range 200 {
		var logs []run.Log
		for k := range 500 {
			logs = append(logs, record(9, fmt.Sprintf("rank %d iteration %d: lm loss 2.345678, grad norm 0.123, all of it is well", i%64, k), uint64(k)))
		}
		f.send(trainer(i%64), logs...)
	}
	return f
}

func BenchmarkKey(b *testing.B) {
	m := open(b, many(b).Snapshot(), "")
	for b.Loop() {
		m.Update(uitest.Key("k"))
		m.View()
	}
}

// BenchmarkMore is what arriving records cost on top of 100,000.
func BenchmarkMore(b *testing.B) {
	f := many(b)
	m := open(b, f.Snapshot(), "rank=0..7")
	b.ReportMetric(float64(len(m.seen.shown)), "shown")
	for b.Loop() {
		f.send(trainer(0), record(9, "one more", 1))
		uitest.Give(b, m, uitest.Data(b, f.Snapshot(), "rank=0..7"))
	}
}

func BenchmarkFindNowhere(b *testing.B) {
	m := open(b, many(b).Snapshot(), "")
	for b.Loop() {
		m.seek(1, func(rec *run.Log) bool { return holds(rec, "nowhere") })
	}
}

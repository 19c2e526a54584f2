package ranksscreen

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func eight(t testing.TB) *Model {
	return newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 8, Steps: 4, Slow: 5, Quiet: 7}), "")
}

// Whoever wants the slow rank first presses s, c, Enter.
func TestSortingByComputeIsThreeKeys(t *testing.T) {
	m := eight(t)
	uitest.Press(m, "s")
	if got := column(m, "rank"); got[0] != "0" || !m.Capturing() {
		t.Errorf("the first key changed the order: %q", got)
	}
	uitest.Press(m, "c", "enter")
	if got := column(m, "rank"); got[0] != "5" || m.Capturing() || m.table.Sort().Column != "compute" {
		t.Errorf("order %q by %+v", got, m.table.Sort())
	}
	if at, _ := m.focus(); at.rank.Rank.Rank != 5 {
		t.Errorf("the cursor is on rank %d: nobody had chosen another row", at.rank.Rank.Rank)
	}
	uitest.Press(m, "s", "esc")
	if m.Capturing() || m.table.Sort().Column != "compute" {
		t.Errorf("Esc: capturing %v, by %+v", m.Capturing(), m.table.Sort())
	}
	uitest.Press(m, "s")
	if !m.Back() || m.Capturing() || m.Back() {
		t.Error("back closes the list, once")
	}
}

func TestSortMovesByColumn(t *testing.T) {
	m := eight(t)
	var got []string
	for _, k := range []string{">", ">", "<", "<", "<"} {
		uitest.Press(m, k)
		got = append(got, m.table.Sort().Column)
	}
	if d := cmp.Diff([]string{"state", "host", "state", "rank", "rank"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// A row that was chosen stays chosen and in sight when the order changes under it.
func TestCursorStaysInSight(t *testing.T) {
	m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 200, Steps: 4, Slow: 5}), "")
	m.SetSize(80, 12)
	uitest.Press(m, "j", "j", "j", "j", "j") // rank 5
	for _, keys := range [][]string{{"s", "c", "enter"}, {"S"}, {"s", "w", "a", "enter"}, {">"}, {"<"}, {"b"}, {"b"}} {
		uitest.Press(m, keys...)
		at, _ := m.focus()
		if at.rank == nil || at.rank.Rank.Rank != 5 || !strings.Contains(m.View(), ">     5") {
			t.Fatalf("after %q the cursor is on %+v:\n%s", keys, at.rank, m.View())
		}
	}
}

func TestMarkedRanksBesideEachOther(t *testing.T) {
	m := eight(t)
	if got := uitest.Press(m, "v"); len(got) != 1 || !strings.Contains(got[0].(screen.NoticeMsg).Text, "m marks ranks") {
		t.Errorf("without marks v says %v", got)
	}
	uitest.Press(m, "j", "m", "G", "m") // 1 and 7
	if view := m.View(); !strings.Contains(view, "&   1") || !strings.Contains(view, "&   7") || !strings.Contains(view, "2 marked: v") {
		t.Errorf("marks are not shown:\n%s", view)
	}
	want := []tea.Msg{screen.OpenMsg{Screen: screen.Trace, Narrow: "rank in (1,7)", Target: screen.Target{
		Run: "r", Process: 1, HasProcess: true, Iteration: 4, HasIteration: true, Lanes: true}}}
	if d := cmp.Diff(want, uitest.Press(m, "v")); d != "" {
		t.Errorf("v (-want +got):\n%s", d)
	}
	uitest.Press(m, "g", "j", "m")
	if len(m.marked) != 1 {
		t.Errorf("m on a marked rank leaves %d marks", len(m.marked))
	}
	uitest.Press(m, "M")
	if len(m.marked) != 0 {
		t.Errorf("M leaves %d marks", len(m.marked))
	}
}

// The filter that v narrows to is one, whatever roles and filters there are.
func TestNarrowedFilterParses(t *testing.T) {
	m := eight(t)
	ranks := []*rank{sample(0), sample(3), sample(3)}
	ranks[0].Role, ranks[1].Role, ranks[2].Role = `a "b"`, "trainer", ""
	for filter, want := range map[string]string{"": "", "host=n1 or rank>2": "(host=n1 or rank>2) and "} {
		m.data.Filter = uitest.Filter(t, filter)
		got := m.narrowed(ranks)
		uitest.Filter(t, got)
		if !strings.HasPrefix(got, want+"rank in (0,3) and role in (") {
			t.Errorf("under %q: %q", filter, got)
		}
	}
}

func TestResourceOfAProcess(t *testing.T) {
	m := eight(t)
	m.SetSize(120, 40)
	uitest.Press(m, "j", "j", "o")
	view := m.View()
	for _, want := range []string{"resource", "rank 2  tp/pp/dp 0/0/1~  node-0000", "run                  r  (by nemo.run.id)", "attempt              1 of 1",
		"spans                12", "resource 11 attributes, as sent", "dl.rank              int     2", "host.name            string  node-0000",
		"dl.tensor_parallel.size  int     2"} {
		if !strings.Contains(view, want) {
			t.Errorf("%q is missing in\n%s", want, view)
		}
	}
	uitest.Press(m, "j")
	if !strings.Contains(m.View(), "dl.rank              int     3") {
		t.Errorf("the pane does not follow the cursor:\n%s", m.View())
	}
	if !m.Back() || strings.Contains(m.View(), "as sent") || m.Back() {
		t.Error("Esc closes the pane, once")
	}
	uitest.Press(m, "b", "g", "o")
	if view := m.View(); !strings.Contains(view, "A group has no resource of its own") {
		t.Errorf("of a group:\n%s", view)
	}
}

func TestResourceScrolls(t *testing.T) {
	m := eight(t)
	m.SetSize(80, 20)
	uitest.Press(m, "o", "tab", "G")
	if view := m.View(); !strings.Contains(view, "service.name") || !strings.Contains(view, "scrolling") {
		t.Errorf("the end is not shown:\n%s", view)
	}
	before := m.table.Key()
	uitest.Press(m, "k", "tab", "j")
	if m.table.Key() == before {
		t.Error("after Tab the keys are the table's again")
	}
}

// Types are shown as they were sent, and what is hostile is harmless.
func TestResourceTypes(t *testing.T) {
	for want, v := range map[string]run.Value{
		"int     7": run.IntValue(7), "string  7": run.StringValue("7"), "bool    true": run.BoolValue(true), "double  0.5": run.DoubleValue(0.5),
		"string  (empty)": run.StringValue(""), "array   [1]": run.ArrayValue([]run.Value{run.IntValue(1)}),
	} {
		if got := typedText(v); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, text := range uitest.Hostile() {
		s := store.New(store.Config{Clock: func() int64 { return int64(uitest.Start) }})
		b := otlp.NewBuilder(run.Traces)
		b.Resource([]run.Attr{uitest.Text("nemo.run.id", "r"), uitest.Int("dl.rank", 0), uitest.Text(text, text)}, 0, "")
		b.Scope(run.Scope{})
		b.Span(&run.Span{TraceID: uitest.TraceID(1), ID: uitest.SpanID(1), Name: "op", Start: uitest.Start, End: uitest.Start + 1})
		uitest.Put(t, s, b, run.Receipt{At: int64(uitest.Start)})
		m := newScreen(t, s.Snapshot(), "")
		uitest.Press(m, "o")
		for _, size := range uitest.Sizes() {
			m.SetSize(size[0], size[1])
			uitest.Harmless(t, m.View())
			uitest.Inside(t, m.View(), size[0], size[1])
		}
	}
}

func TestGoldensOfPanes(t *testing.T) {
	for name, keys := range map[string][]string{"sort": {"s"}, "resource": {"j", "o"}, "marked": {"m", "j", "m"}} {
		for _, size := range uitest.Sizes() {
			m := eight(t)
			m.SetSize(size[0], size[1])
			uitest.Press(m, keys...)
			uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
			c := New(uitest.Coloured())
			c.SetSize(size[0], size[1])
			uitest.Give(t, c, m.data)
			uitest.Press(c, keys...)
			uitest.GoldenColour(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), c.View())
		}
	}
}

func TestEverySizeWithPanes(t *testing.T) {
	for _, keys := range [][]string{{"s"}, {"o"}, {"o", "tab", "G"}, {"m", "s", "x"}} {
		m := eight(t)
		uitest.Press(m, keys...)
		uitest.EverySize(t, m)
	}
}

// The mouse sorts by headings, and scrolls the pane when it is over it.
func TestMouse(t *testing.T) {
	m := eight(t)
	m.SetSize(120, 30)
	at := strings.Index(strings.Split(m.View(), "\n")[1], "compute")
	uitest.Settle(m, m.Update(uitest.Click(at, 1)))
	if m.table.Sort().Column != "compute" || column(m, "rank")[0] != "5" {
		t.Errorf("a click on compute sorts by %+v", m.table.Sort())
	}
	uitest.Press(m, "o")
	key := m.table.Key()
	m.Update(tea.MouseMsg{X: 100, Y: 10, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	if m.table.Key() != key {
		t.Error("the wheel over the pane moved the cursor")
	}
	uitest.Press(m, "s")
	if got := uitest.Settle(m, m.Update(uitest.Click(5, 4))); got != nil {
		t.Errorf("a click behind the list of columns did %v", got)
	}
}

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
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var _ = uitest.Flag()

func newScreen(t testing.TB, s *store.Snapshot, filter string) *Model {
	t.Helper()
	m := New(theme.New(theme.Options{ASCII: true}))
	m.SetSize(120, 40)
	uitest.Give(t, m, uitest.Data(t, s, filter))
	return m
}

// column is what a column shows, row by row, as far as rows are in the window.
func column(m *Model, id string) []string {
	var out []string
	for i := range m.shown.Len() {
		out = append(out, strings.TrimSpace(m.shown.Cell(i, id).Text))
	}
	return out
}

func TestGoldens(t *testing.T) {
	for _, ranks := range []int{0, 1, 1024} {
		var runs []uitest.Training
		if ranks > 0 {
			runs = append(runs, uitest.Training{Run: "llama-70b", Ranks: ranks, Steps: 4, Slow: 5, Quiet: 3})
		}
		m := newScreen(t, uitest.Snapshot(t, runs...), "")
		for _, size := range uitest.Sizes() {
			m.SetSize(size[0], size[1])
			uitest.Golden(t, fmt.Sprintf("%d-ranks-%dx%d", ranks, size[0], size[1]), m.View())
		}
	}
}

func TestGoldenOfGroups(t *testing.T) {
	m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "llama-70b", Ranks: 24, Steps: 4, Slow: 5}), "")
	uitest.Press(m, "b")
	m.SetSize(120, 40)
	uitest.Golden(t, "by-host-120x40", m.View())
	m.SetSize(80, 24)
	uitest.Golden(t, "by-host-80x24", m.View())
}

func TestSorts(t *testing.T) {
	m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 8, Steps: 4, Slow: 5}), "")
	if got := column(m, "rank"); got[0] != "0" || got[7] != "7" {
		t.Errorf("at first by rank: %q", got)
	}
	m.table.SortBy("compute")
	m.arrange()
	if got := column(m, "rank"); got[0] != "5" {
		t.Errorf("by compute the slow rank comes first: %q", got)
	}
	uitest.Press(m, "S")
	if got := column(m, "rank"); got[7] != "5" {
		t.Errorf("turned it comes last: %q", got)
	}
}

func TestNumbers(t *testing.T) {
	m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 8, Steps: 4, Slow: 5, Quiet: 7}), "")
	want := map[string]string{"p50": "1.000s", "p95": "1.000s", "compute": "0.900s", "wait": "0.100s", "iteration": "4",
		"age": "7s", "truncated": "0", "host": "node-0000", "coord": "1/1/0~"}
	got := map[string]string{}
	for id := range want {
		got[id] = column(m, id)[5]
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rank 5 (-want +got):\n%s", diff)
	}
}

func TestGroupsHaveTheirOwnStatistics(t *testing.T) {
	m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 16, Steps: 4, Slow: 5}), "")
	uitest.Press(m, "b")
	if got := m.shown.Len(); got != 18 {
		t.Fatalf("%d rows by host, want 2 groups of 8 ranks", got)
	}
	group := m.shown.list[0]
	for id, want := range map[string]string{"p50": "1.000s", "compute": "0.600s", "iteration": "4"} {
		if got := m.shown.groupText(group, id); got != want {
			t.Errorf("group's %s %q, want %q", id, got, want)
		}
	}
	for _, by := range []string{"tp", "pp", "dp", "role", "run"} {
		uitest.Press(m, "b")
		if m.grouping() != by || !m.shown.IsGroup(0) {
			t.Errorf("grouping %q, want %q with a group first", m.grouping(), by)
		}
	}
	uitest.Press(m, "b")
	if m.grouping() != "" || m.shown.IsGroup(0) {
		t.Error("after the last grouping comes none")
	}
}

func TestByRunShowsEveryRun(t *testing.T) {
	m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "a", Ranks: 4, Steps: 3, Slow: -1},
		uitest.Training{Run: "b", Ranks: 8, Steps: 3, Slow: -1}), "")
	uitest.Press(m, "b", "b", "b", "b", "b", "b")
	if got := m.shown.Len(); got != 2+4+8 {
		t.Errorf("%d rows by run, want both runs with all their ranks: %q", got, column(m, "rank"))
	}
	uitest.Press(m, "b")
	if got := m.shown.Len(); got != 4 && got != 8 {
		t.Errorf("%d rows after it, want those of one run", got)
	}
}

func TestFolding(t *testing.T) {
	m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 16, Steps: 2, Slow: -1}), "")
	uitest.Press(m, "b", "g", "enter")
	if m.shown.Len() != 10 || !m.shown.list[0].shut {
		t.Errorf("%d rows after one group was folded, want 10", m.shown.Len())
	}
	uitest.Press(m, "tab")
	if m.shown.Len() != 2 {
		t.Errorf("%d rows after all were folded, want 2", m.shown.Len())
	}
	uitest.Press(m, "tab")
	if m.shown.Len() != 18 {
		t.Errorf("%d rows after all were unfolded, want 18", m.shown.Len())
	}
}

func TestEnterOpensTheTrace(t *testing.T) {
	m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 8, Steps: 4, Slow: -1}), "")
	got := uitest.Press(m, "j", "j", "j", "enter")
	want := []tea.Msg{screen.OpenMsg{Screen: screen.Trace, Target: screen.Target{
		Run: "r", Process: 3, HasProcess: true, Iteration: 4, HasIteration: true}}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Enter on rank 3 (-want +got):\n%s", diff)
	}
	click := uitest.Click(5, 5)
	if got := uitest.Settle(m, m.Update(click)); len(got) != 1 {
		t.Errorf("a click on the row in focus opened %v", got)
	}
}

func TestFilterNarrows(t *testing.T) {
	s := uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 16, Steps: 2, Slow: -1})
	m := newScreen(t, s, "rank=3..5")
	if diff := cmp.Diff([]string{"3", "4", "5"}, column(m, "rank")); diff != "" {
		t.Errorf("rank=3..5 (-want +got):\n%s", diff)
	}
	if head := strings.SplitN(m.View(), "\n", 2)[0]; !strings.Contains(head, "3 of 16 ranks shown  16 of 16 ranks seen") {
		t.Errorf("the headline of three ranks: %q", head)
	}
	uitest.Give(t, m, uitest.Data(t, s, "rank=99"))
	if view := m.View(); !strings.Contains(view, "No rank of this run matches") || !strings.Contains(view, "rank=99") {
		t.Errorf("a filter that nothing matches says:\n%s", view)
	}
}

func TestCoverageIsShown(t *testing.T) {
	m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 6, World: 8, Steps: 2, Slow: -1}), "")
	if view := m.View(); !strings.Contains(view, "6 of 8 ranks seen") || !strings.Contains(view, "never seen: 6, 7") {
		t.Errorf("coverage is missing:\n%s", strings.SplitN(view, "\n", 2)[0])
	}
}

func TestCursorStaysOnItsRank(t *testing.T) {
	m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 8, Steps: 2, Slow: -1}), "")
	uitest.Press(m, "j", "j", "j")
	key := m.table.Key()
	uitest.Give(t, m, uitest.Data(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 64, Steps: 5, Slow: 63}), ""))
	m.table.SortBy("compute")
	m.arrange()
	if m.table.Key() != key {
		t.Errorf("cursor on %q, was on %q", m.table.Key(), key)
	}
}

func TestUnchangedDataCostNothing(t *testing.T) {
	s := uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 8, Steps: 2, Slow: -1})
	d := uitest.Data(t, s, "")
	m := newScreen(t, s, "")
	uitest.Give(t, m, d)
	if cmd := m.SetData(d); cmd != nil {
		t.Error("the same snapshot, run and filter started work")
	}
}

func TestEarlierAttempts(t *testing.T) {
	now := int64(uitest.Start)
	s := store.New(store.Config{Clock: func() int64 { return now }})
	for attempt, uuid := range []string{"first", "second"} {
		b := otlp.NewBuilder(run.Traces)
		b.Resource([]run.Attr{uitest.Text("nemo.run.id", "r"), uitest.Text("nv.dl.run.uuid", uuid), uitest.Int("dl.rank", 0),
			uitest.Int("dl.world_size", 1), uitest.Text("host.name", "n")}, 0, "")
		b.Scope(run.Scope{})
		b.Span(&run.Span{TraceID: uitest.TraceID(uint64(attempt)), ID: uitest.SpanID(uint64(attempt + 1)), Name: "megatron.train.iteration",
			Start: uitest.Start, End: uitest.Start + 1e9, Attrs: []run.Attr{uitest.Int("megatron.iteration", 1)}})
		now += 3600e9
		uitest.Put(t, s, b, run.Receipt{At: now})
	}
	m := newScreen(t, s.Snapshot(), "")
	if got := column(m, "attempt"); len(got) != 1 || got[0] != "2" {
		t.Errorf("attempts %q, want the newest only", got)
	}
	uitest.Press(m, "a")
	if got := column(m, "attempt"); len(got) != 2 {
		t.Errorf("attempts %q, want both", got)
	}
}

func TestEverySize(t *testing.T) {
	for _, ranks := range []int{0, 1, 40} {
		s := &store.Snapshot{}
		if ranks > 0 {
			s = uitest.Snapshot(t, uitest.Training{Run: "训练 run", Ranks: ranks, Steps: 3, Slow: -1})
		}
		m := newScreen(t, s, "")
		for range groupings() {
			uitest.EverySize(t, m)
			uitest.Press(m, "b", "G")
		}
	}
}

func TestHostileText(t *testing.T) {
	for i, text := range uitest.Hostile() {
		s := store.New(store.Config{Clock: func() int64 { return int64(uitest.Start) }})
		b := otlp.NewBuilder(run.Traces)
		b.Resource([]run.Attr{uitest.Text("nemo.run.id", "r"+text), uitest.Text("host.name", text), uitest.Text("nv.dl.role", text),
			uitest.Int("dl.rank", i), uitest.Text("service.instance.id", text)}, 0, "")
		b.Scope(run.Scope{})
		b.Span(&run.Span{TraceID: uitest.TraceID(1), ID: uitest.SpanID(1), Name: text, Start: uitest.Start, End: uitest.Start + 1})
		uitest.Put(t, s, b, run.Receipt{At: int64(uitest.Start), Sender: text})
		m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
		m.SetSize(120, 20)
		uitest.Give(t, m, uitest.Data(t, s.Snapshot(), ""))
		for range groupings() {
			uitest.Harmless(t, m.View())
			uitest.Inside(t, m.View(), 120, 20)
			uitest.Press(m, "b")
		}
	}
}

func TestCopiesTheRow(t *testing.T) {
	m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 8, Steps: 4, Slow: 0}), "")
	if got := m.CopyText(); !strings.Contains(got, "rank 0") || !strings.Contains(got, "compute 0.900s") {
		t.Errorf("copied %q", got)
	}
	if got := newScreen(t, &store.Snapshot{}, "").CopyText(); got != "" {
		t.Errorf("without rows and receiver copied %q", got)
	}
	if got := newScreen(t, uitest.Snapshot(t), "").CopyText(); got != `eval "$(lensview env)"`+"\n" {
		t.Errorf("without rows copied %q, want the lines for a job script", got)
	}
}

func BenchmarkKeyWith1024Ranks(b *testing.B) {
	m := newScreen(b, uitest.Snapshot(b, uitest.Training{Run: "r", Ranks: 1024, Steps: 4, Slow: 5}), "")
	m.SetSize(160, 43)
	down := uitest.Key("j")
	for b.Loop() {
		m.Update(down)
		m.View()
	}
}

func BenchmarkSort16384Ranks(b *testing.B) {
	m := newScreen(b, uitest.Snapshot(b, uitest.Training{Run: "r", Ranks: 16384, Steps: 1, Slow: 5}), "")
	m.SetSize(160, 43)
	for b.Loop() {
		m.Update(uitest.Key("S"))
		m.View()
	}
}

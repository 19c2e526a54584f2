package runsscreen

import (
	"fmt"
	"math"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/analysis"
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

func three(t testing.TB) *store.Snapshot {
	return uitest.Snapshot(t,
		uitest.Training{Run: "llama-70b", Ranks: 64, Steps: 30, Slow: 5, Quiet: 90},
		uitest.Training{Run: "mixtral-8x22b-with-a-very-long-name-of-its-own", Ranks: 6, World: 8, Steps: 12, Slow: -1, Quiet: 40},
		uitest.Training{Run: "gpt-small", Ranks: 1, Steps: 200, Slow: -1, Quiet: 2})
}

func ids(m *Model) []string {
	var out []string
	for _, r := range m.runs {
		out = append(out, r.ID)
	}
	return out
}

func TestGoldens(t *testing.T) {
	for name, s := range map[string]*store.Snapshot{
		"0-ranks": uitest.Snapshot(t), "3-runs": three(t),
		"1-rank":     uitest.Snapshot(t, uitest.Training{Run: "llama-70b", Ranks: 1, Steps: 4, Slow: -1}),
		"1024-ranks": uitest.Snapshot(t, uitest.Training{Run: "llama-70b", Ranks: 1024, Steps: 4, Slow: 5, Quiet: 3}),
	} {
		m := newScreen(t, s, "")
		for _, size := range uitest.Sizes() {
			m.SetSize(size[0], size[1])
			uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
		}
	}
}

func TestSorts(t *testing.T) {
	m := newScreen(t, three(t), "")
	if got := ids(m); got[0] != "gpt-small" || got[2] != "llama-70b" {
		t.Errorf("at first who was heard of last: %q", got)
	}
	for column, first := range map[string]string{"run": "gpt-small", "ranks": "llama-70b", "iteration": "gpt-small", "spans": "llama-70b"} {
		m.table.SortBy(column)
		m.arrange()
		if got := ids(m); got[0] != first {
			t.Errorf("by %s: %q, want %s first", column, got, first)
		}
	}
}

func TestCells(t *testing.T) {
	m := newScreen(t, three(t), "")
	r := rows{theme: m.theme, focus: "llama-70b", unit: unitOf(m.runs), runs: m.runs}
	got := map[string]string{}
	want := map[string]string{"run": "llama-70b", "ranks": "64/64", "iteration": "30", "p50": "1.000s", "focus": "*", "user": "ada",
		"service": "megatron-lm", "spans": "5760", "truncated": "0", "state": "idle 2m"}
	for id := range want {
		got[id] = r.Cell(2, id).Text
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("llama-70b (-want +got):\n%s", diff)
	}
	if cell := r.Cell(1, "ranks"); cell.Text != "6/8" {
		t.Errorf("ranks %q, want 6/8", cell.Text)
	}
}

func TestEnterFocusesAndOpensRanks(t *testing.T) {
	m := newScreen(t, three(t), "")
	want := []tea.Msg{screen.OpenMsg{Screen: screen.Ranks, Target: screen.Target{Run: m.runs[1].ID}}}
	if diff := cmp.Diff(want, uitest.Press(m, "j", "enter")); diff != "" {
		t.Errorf("Enter on the second run (-want +got):\n%s", diff)
	}
	if got := uitest.Settle(m, m.Update(uitest.Click(5, 4))); len(got) != 0 {
		t.Errorf("a first click on another row opened %v", got)
	}
	if got := uitest.Settle(m, m.Update(uitest.Click(5, 4))); len(got) != 1 {
		t.Errorf("a second click opened %v", got)
	}
	if got := uitest.Press(newScreen(t, &store.Snapshot{}, ""), "enter"); len(got) != 0 {
		t.Errorf("Enter without runs opened %v", got)
	}
}

func TestHeadingsSort(t *testing.T) {
	m := newScreen(t, three(t), "")
	m.Update(uitest.Click(5, 1))
	if got := m.table.Sort().Column; got != "run" {
		t.Errorf("a click on the heading of runs sorts by %q", got)
	}
	uitest.Press(m, "S")
	if got := ids(m); got[0] != "mixtral-8x22b-with-a-very-long-name-of-its-own" {
		t.Errorf("turned: %q", got)
	}
	uitest.Press(m, "s", "r", "a", "enter")
	if got := m.table.Sort().Column; got != "ranks" {
		t.Errorf("s, ra, Enter sorts by %q", got)
	}
	uitest.Press(m, "<")
	if got := m.table.Sort().Column; got != "state" {
		t.Errorf("the column to the left is %q", got)
	}
}

func TestFilterNarrows(t *testing.T) {
	m := newScreen(t, three(t), "run=gpt-small")
	if diff := cmp.Diff([]string{"gpt-small"}, ids(m)); diff != "" {
		t.Errorf("run=gpt-small (-want +got):\n%s", diff)
	}
	if !strings.Contains(m.View(), "2 more do not match the filter") {
		t.Error("what the filter hides is not said")
	}
	if m := newScreen(t, three(t), "run=nobody"); !strings.Contains(m.View(), "No run matches") {
		t.Errorf("a filter that nothing matches says:\n%s", m.View())
	}
}

func TestHeadline(t *testing.T) {
	s := three(t)
	h := HeadlineOf(s, s.Run("mixtral-8x22b-with-a-very-long-name-of-its-own"), new(Kept))
	if h.Seen != 6 || h.World != 8 || h.Iteration != 12 || !h.HasIter || h.Ranks() != "6/8 ranks" {
		t.Errorf("headline %+v", h)
	}
	state, style := HeadlineOf(s, s.Run("llama-70b"), new(Kept)).StateText(theme.New(theme.Options{Profile: theme.ANSI16}))
	if state != "idle 2m" || style.IsPlain() {
		t.Errorf("state %q", state)
	}
	if got := (Headline{Seen: 1}).Ranks(); got != "1 rank" {
		t.Errorf("world not sent: %q", got)
	}
	if got := (Headline{}).Ranks(); got != "" {
		t.Errorf("no rank: %q", got)
	}
}

func TestStateText(t *testing.T) {
	for _, test := range []struct {
		state analysis.State
		quiet float64
		want  string
	}{{analysis.Live, 3, "live"}, {analysis.Idle, 95, "idle 95s"}, {analysis.Idle, math.NaN(), "idle"}, {analysis.Recorded, 9, "recorded"}} {
		if got := stateText(test.state, test.quiet, analysis.Pace{}); got != test.want {
			t.Errorf("%s for %v s: %q, want %q", test.state, test.quiet, got, test.want)
		}
	}
}

func TestUnchangedDataCostNothing(t *testing.T) {
	d := uitest.Data(t, three(t), "")
	m := newScreen(t, d.Snapshot, "")
	uitest.Give(t, m, d)
	if cmd := m.SetData(d); cmd != nil {
		t.Error("the same snapshot and filter started work")
	}
	d.Run = "gpt-small"
	if cmd := m.SetData(d); cmd != nil {
		t.Error("another run in focus started work")
	}
	if got := (rows{theme: m.theme, focus: m.data.Run, runs: m.runs}).Cell(0, "focus").Text; got != "*" {
		t.Errorf("the mark did not move to the run in focus: %q", got)
	}
}

func TestEverySize(t *testing.T) {
	for _, s := range []*store.Snapshot{{}, uitest.Snapshot(t), three(t)} {
		m := newScreen(t, s, "")
		uitest.EverySize(t, m)
		uitest.Press(m, "G")
		uitest.EverySize(t, m)
	}
}

func TestHostileText(t *testing.T) {
	for i, text := range uitest.Hostile() {
		s := store.New(store.Config{Clock: func() int64 { return int64(uitest.Start) }})
		b := otlp.NewBuilder(run.Traces)
		b.Resource([]run.Attr{uitest.Text("nemo.run.id", text), uitest.Text("service.name", text), uitest.Text("nemo.user.id", text)}, 0, "")
		b.Scope(run.Scope{})
		b.Span(&run.Span{TraceID: uitest.TraceID(uint64(i)), ID: uitest.SpanID(1), Name: text, Start: uitest.Start, End: uitest.Start + 1})
		uitest.Put(t, s, b, run.Receipt{At: int64(uitest.Start)})
		m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
		uitest.Give(t, m, uitest.Data(t, s.Snapshot(), ""))
		for _, width := range []int{40, 80, 200} {
			m.SetSize(width, 12)
			uitest.Harmless(t, m.View())
			uitest.Inside(t, m.View(), width, 12)
		}
	}
}

func TestCopies(t *testing.T) {
	if got := newScreen(t, three(t), "").CopyText(); got != "gpt-small" {
		t.Errorf("copied %q, want the run's id", got)
	}
	if got := newScreen(t, uitest.Snapshot(t), "").CopyText(); got != `eval "$(lensview env)"`+"\n" {
		t.Errorf("without runs copied %q, want the lines for a job script", got)
	}
}

// The doctor's test run came first; the cursor goes with the focus to the run of the
// job, unless it was put elsewhere.
func TestTheCursorGoesWithTheFocus(t *testing.T) {
	for _, test := range []struct {
		before string // the run in focus before
		press  string
		want   string
	}{{"llama-70b", "", "gpt-small"}, {"llama-70b", "k", "mixtral-8x22b-with-a-very-long-name-of-its-own"}, {"gpt-small", "", "llama-70b"}} {
		s := three(t)
		m := New(theme.New(theme.Options{ASCII: true}))
		m.SetSize(80, 24)
		d := uitest.Data(t, s, "")
		d.Run = test.before
		uitest.Give(t, m, d)
		m.table.Select("llama-70b")
		if test.press != "" {
			uitest.Press(m, test.press)
		}
		d.Run = "gpt-small"
		uitest.Give(t, m, d)
		if got := m.table.Key(); got != test.want {
			t.Errorf("%+v: the cursor is on %s", test, got)
		}
	}
}

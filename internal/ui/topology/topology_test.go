package topologyscreen

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// training is tp 2 × pp 2 × dp 4 with rank 5 computing for 0.9 s instead of 0.6.
func training(t testing.TB, change ...func(*uitest.Training)) *store.Snapshot {
	tr := uitest.Training{Run: "r", Ranks: 16, Steps: 4, Slow: 5, Quiet: 7}
	for _, f := range change {
		f(&tr)
	}
	return uitest.Snapshot(t, tr)
}

// grid is the lines of the grid, blanks by one.
func gridLines(m *Model) []string {
	all := strings.Split(text(m), "\n")
	from := headLines + m.parts().problems
	var out []string
	for _, l := range all[from : from+m.window.lines+1] {
		out = append(out, strings.Join(strings.Fields(l), " "))
	}
	return out
}

func TestGridWithNumbers(t *testing.T) {
	m := open(t, training(t), "")
	uitest.Press(m, "m")
	want := []string{
		"> dp 0 . 600.0 . 600.0 . 600.0 . 600.0 600.0",
		"dp 1 . 600.0 . 600.0 . 600.0 . 600.0 600.0",
		"dp 2 . 600.0 @ 900.0 . 600.0 . 600.0 600.0",
		"dp 3 . 600.0 . 600.0 . 600.0 . 600.0 600.0",
		"median 600.0 600.0",
	}
	if diff := cmp.Diff(want, gridLines(m)); diff != "" {
		t.Errorf("compute (-want +got):\n%s", diff)
	}
	for _, part := range []string{"16 of 16 ranks  tp 2 x pp 2 x dp 4", "compute in ms from . 600.0 : 633.3", "@ 866.7 to 900.0", "medians of 3 clean steps",
		"~ coordinates follow from ranks and sizes, tp-cp-ep-dp-pp", "tp1", "pp 1"} {
		if !strings.Contains(text(m), part) {
			t.Errorf("%q is missing in:\n%s", part, text(m))
		}
	}
}

func TestCursorReadsACell(t *testing.T) {
	m := open(t, training(t), "")
	uitest.Press(m, "m", "w")
	want := "rank 5  compute 900.0ms  tp 1 pp 0 dp 2~  3 clean steps  iteration 4  7s ago  host node-0000"
	if got := m.CopyText(); got != want {
		t.Errorf("the largest is %q, want %q", got, want)
	}
	uitest.Press(m, "w")
	if got := m.CopyText(); !strings.HasPrefix(got, "rank 0  compute 600.0ms") {
		t.Errorf("the next largest is %q", got)
	}
	uitest.Press(m, "j", "w")
	if got := m.CopyText(); !strings.HasPrefix(got, "rank 5 ") {
		t.Errorf("after another key the largest comes first again: %q", got)
	}
	uitest.Press(m, "b")
	if got := m.CopyText(); got != "worker pp 0 dp 2  compute 750.0ms  from 600.0 to 900.0  ranks 4–5  iteration 4  7s ago  host node-0000" {
		t.Errorf("as a worker: %q", got)
	}
	uitest.Press(m, "w")
	if got := m.CopyText(); !strings.HasPrefix(got, "worker pp 0 dp 2 ") {
		t.Errorf("the largest worker is %q", got)
	}
}

func TestMeasures(t *testing.T) {
	m := open(t, training(t), "")
	for _, want := range []string{"compute in ms", "wait in ms", "io: no clean step has it yet", "other: no clean step has it yet", "step in s"} {
		uitest.Press(m, "m")
		if !strings.Contains(text(m), want) {
			t.Errorf("%q is missing in:\n%s", want, text(m))
		}
	}
	uitest.Press(m, "M")
	if m.measure != analysis.OtherTime || !strings.Contains(text(m), "? no clean step with other 16") {
		t.Errorf("M shows %s:\n%s", m.measure, text(m))
	}
}

func TestStepsThatAreAlikeSayNothing(t *testing.T) {
	m := open(t, training(t), "")
	if !strings.Contains(text(m), "ranks wait for each other, so steps are alike: m for compute") {
		t.Errorf("equal steps:\n%s", text(m))
	}
	for i := range m.seen.grid.Cells {
		if level, ok := m.seen.scale.level(m.seen.grid.Cells[i].Value); level != 0 || !ok {
			t.Fatalf("rank %d has shade %d", i, level)
		}
	}
	if uitest.Press(m, "m"); strings.Contains(text(m), "so steps are alike") {
		t.Error("compute is no step")
	}
}

func TestScaleHidesNoise(t *testing.T) {
	for _, c := range []struct {
		low, high, v float64
		level        int
	}{{1, 1.01, 1.01, 0}, {1, 1.04, 1.04, 3}, {1, 2, 2, 8}, {1, 2, 1.5, 4}, {0, 0, 0, 0}} {
		s := newScale(c.low, c.high)
		if level, ok := s.level(c.v); level != c.level || !ok {
			t.Errorf("%v of %v … %v: shade %d, want %d", c.v, c.low, c.high, level, c.level)
		}
	}
	if s := newScale(math.NaN(), math.NaN()); s.number(1) != "1000000000" && s.width != 1 {
		t.Errorf("without values: %+v", s)
	}
	if got := newScale(0.5, 0.9).number(math.NaN()); got != "–" {
		t.Errorf("no value is %q", got)
	}
}

func TestMissingRanksAreSeen(t *testing.T) {
	m := open(t, training(t, func(tr *uitest.Training) { tr.Ranks, tr.World = 14, 16 }), "")
	for _, part := range []string{"14 of 16 ranks", "14 of 16 ranks seen, never ranks 14–15", "x never seen 2"} {
		if !strings.Contains(m.View(), part) {
			t.Errorf("%q is missing in:\n%s", part, text(m))
		}
	}
	uitest.Press(m, "G", "end")
	if got := m.CopyText(); got != "rank 15  never seen  tp 1 pp 1 dp 3~" {
		t.Errorf("the last rank: %q", got)
	}
	if got := uitest.Press(m, "enter"); !cmp.Equal(got, []tea.Msg{screen.NoticeMsg{Text: "rank 15 was never seen: there is no trace of it"}}) {
		t.Errorf("Enter on it: %v", got)
	}
	uitest.Press(m, "b")
	if got := m.CopyText(); got != "worker pp 1 dp 3  never seen  ranks 14–15" {
		t.Errorf("its worker: %q", got)
	}
}

func TestFilterBlanksCells(t *testing.T) {
	s := training(t)
	m := open(t, s, "rank<3")
	if got := gridLines(m)[:2]; !slices.Equal(got, []string{"> dp 0 . 1.000 . 1.000 1.000", "dp 1 . 1.000 1.000"}) {
		t.Errorf("the grid of rank<3: %q", got)
	}
	if !strings.Contains(text(m), "blank: not in the filter 13") {
		t.Errorf("it does not say what is blank:\n%s", text(m))
	}
	uitest.Press(m, "G")
	if got := m.CopyText(); !strings.Contains(got, "not in the filter") {
		t.Errorf("a filtered rank: %q", got)
	}
	uitest.Press(m, "b")
	if got := m.CopyText(); got != "worker pp 0 dp 3  not in the filter  ranks 6–7" {
		t.Errorf("a filtered worker: %q", got)
	}
}

func TestEnterOpensTheTraceOfARank(t *testing.T) {
	m := open(t, training(t), "")
	want := []tea.Msg{screen.OpenMsg{Screen: screen.Trace, Target: screen.Target{Run: "r", Process: 3, HasProcess: true, Iteration: 4, HasIteration: true}}}
	if diff := cmp.Diff(want, uitest.Press(m, "j", "l", "enter")); diff != "" {
		t.Errorf("Enter on rank 3 (-want +got):\n%s", diff)
	}
}

func TestEnterOpensTheRanksOfAWorker(t *testing.T) {
	s := training(t)
	m := open(t, s, "")
	uitest.Press(m, "b", "j", "l")
	want := []tea.Msg{screen.OpenMsg{Screen: screen.Ranks, Target: screen.Target{Run: "r"}, Narrow: "pp=1 and dp=1"}}
	if diff := cmp.Diff(want, uitest.Press(m, "enter")); diff != "" {
		t.Errorf("Enter on a worker (-want +got):\n%s", diff)
	}
	uitest.Give(t, m, uitest.Data(t, s, "rank<12 or rank=15"))
	got := uitest.Press(m, "enter")[0].(screen.OpenMsg).Narrow
	if got != "(rank<12 or rank=15) and pp=1 and dp=1" {
		t.Errorf("the filter in force is lost: %q", got)
	}
	b := uitest.Filter(t, got).Bind(s.Runs[0])
	var ranks []int
	for i, p := range s.Runs[0].Processes {
		if b.Process(i) {
			ranks = append(ranks, p.ID.Rank)
		}
	}
	if !slices.Equal(ranks, []int{10, 11}) {
		t.Errorf("it lets ranks %v through, want those of the worker", ranks)
	}
}

func TestTargetPutsTheCursorOnAProcess(t *testing.T) {
	s := training(t)
	m := open(t, s, "")
	m.SetTarget(screen.Target{Run: "r", Process: 9, HasProcess: true})
	if !strings.HasPrefix(m.CopyText(), "rank 9 ") {
		t.Errorf("on %q", m.CopyText())
	}
	m = New(plain())
	m.SetSize(80, 22)
	m.SetTarget(screen.Target{Process: 6, HasProcess: true}) // before any data
	uitest.Give(t, m, uitest.Data(t, s, ""))
	if !strings.HasPrefix(m.CopyText(), "rank 6 ") {
		t.Errorf("asked for before the data came: on %q", m.CopyText())
	}
	m.SetTarget(screen.Target{Run: "other", Process: 1, HasProcess: true})
	if !strings.HasPrefix(m.CopyText(), "rank 6 ") {
		t.Error("a target in another run moved the cursor")
	}
}

func TestToggleOfWorkersThatAreRanks(t *testing.T) {
	m := open(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 6, Steps: 3, Slow: -1}), "")
	if got := uitest.Press(m, "b"); !cmp.Equal(got, []tea.Msg{screen.NoticeMsg{Text: "tp and cp are 1: every worker is a rank"}}) || m.board.unit != ranks {
		t.Errorf("b says %v", got)
	}
}

// role is four ranks of a role, tp 1 × pp 2 × dp 2, with coordinates of their own.
func role(t testing.TB, s *store.Store, name string, long uint64, sent bool) {
	for rank := range 4 {
		b := otlp.NewBuilder(run.Traces)
		attrs := []run.Attr{uitest.Text("nemo.run.id", "rl"), uitest.Text("nv.dl.role", name), uitest.Int("dl.rank", rank), uitest.Int("dl.world_size", 4),
			uitest.Text("service.instance.id", name+fmt.Sprint(rank)), uitest.Int("nv.dl.topology.size.tp", 1), uitest.Int("nv.dl.topology.size.pp", 2),
			uitest.Int("nv.dl.topology.size.dp", 2)}
		if sent {
			attrs = append(attrs, uitest.Int("dl.tensor_parallel.rank", 0), uitest.Int("dl.pipeline_parallel.rank", rank/2), uitest.Int("dl.data_parallel.rank", rank%2))
		}
		b.Resource(attrs, 0, "")
		b.Scope(run.Scope{})
		for i := range uint64(3) {
			b.Span(&run.Span{TraceID: uitest.TraceID(uint64(rank)), ID: uitest.SpanID(uint64(rank)*10 + i), Name: "megatron.train_step",
				Start: uitest.Start + i*1e10, End: uitest.Start + i*1e10 + long, Attrs: []run.Attr{uitest.Int("megatron.iteration", int(i))}})
		}
		uitest.Put(t, s, b, run.Receipt{At: int64(uitest.Start)})
	}
}

func TestRoles(t *testing.T) {
	s := store.New(store.Config{Clock: func() int64 { return int64(uitest.Start) }})
	role(t, s, "policy", 1e9, true)
	m := open(t, s.Snapshot(), "")
	if got := uitest.Press(m, "o"); !cmp.Equal(got, []tea.Msg{screen.NoticeMsg{Text: "there is only one role that has ranks"}}) {
		t.Errorf("o with one role says %v", got)
	}
	if view := text(m); strings.Contains(view, "~") || strings.Contains(view, "policy") {
		t.Errorf("sent coordinates are called derived, or the only role is named:\n%s", view)
	}
	role(t, s, "generation", 2e9, false)
	uitest.Give(t, m, uitest.Data(t, s.Snapshot(), ""))
	seen := map[string]string{}
	for range 2 {
		seen[m.seen.grid.Role] = gridLines(m)[0]
		if !strings.Contains(text(m), m.seen.grid.Role+"  4 of 4 ranks") {
			t.Errorf("the role is not named:\n%s", text(m))
		}
		uitest.Press(m, "o")
	}
	want := map[string]string{"policy": "> dp 0 . 1.000 . 1.000 1.000", "generation": "> dp 0 . 2.000 . 2.000 2.000"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	m.cell = workers
	m.arrange()
	if got := m.groupFilter(); got != "pp=0 and dp=0 and role="+m.seen.grid.Role {
		t.Errorf("the filter of a worker: %q", got)
	}
}

func TestEmptyStates(t *testing.T) {
	sizes := []run.Attr{uitest.Int("nv.dl.topology.size.tp", 2), uitest.Int("nv.dl.topology.size.pp", 1), uitest.Int("nv.dl.topology.size.dp", 4)}
	norank := store.New(store.Config{Clock: func() int64 { return int64(uitest.Start) }})
	b := otlp.NewBuilder(run.Traces)
	b.Resource([]run.Attr{uitest.Text("nemo.run.id", "r")}, 0, "")
	b.Scope(run.Scope{})
	b.Span(&run.Span{TraceID: uitest.TraceID(1), ID: uitest.SpanID(1), Name: "op", Start: uitest.Start, End: uitest.Start + 1})
	uitest.Put(t, norank, b, run.Receipt{At: int64(uitest.Start)})
	for name, c := range map[string]struct {
		s       *store.Snapshot
		say, un []string
	}{
		"nothing": {ofRanks(t, 0), []string{"Listening on", `eval "$(lensview env)"`}, nil},
		"no rank": {norank.Snapshot(), []string{"has said which rank it is", "nv.dl.rank"}, nil},
		"no sizes": {without(t, 4), []string{"no parallel sizes were sent", "tensor-parallel size: nv.dl.topology.size.tp (or dl.tensor_parallel.size)",
			"pipeline-parallel size", "data-parallel size", "export OTEL_RESOURCE_ATTRIBUTES="}, nil},
		"no dp": {without(t, 4, sizes[0]), []string{"the pipeline-parallel size was not sent", "data-parallel size: nv.dl"},
			[]string{"tensor-parallel size: nv.dl"}},
		"odd product": {without(t, 4, sizes...), []string{"sizes do not multiply to world size: tp 2 x dp 4 x pp 1 = 8, world size 4", "must multiply"},
			[]string{"export OTEL"}},
	} {
		m := open(t, c.s, "")
		for _, part := range c.say {
			if !strings.Contains(text(m), part) {
				t.Errorf("%s: %q is missing in:\n%s", name, part, text(m))
			}
		}
		for _, part := range c.un {
			if strings.Contains(text(m), part) {
				t.Errorf("%s: %q is there in:\n%s", name, part, text(m))
			}
		}
	}
	if got := open(t, without(t, 4), "").CopyText(); !strings.HasPrefix(got, "export OTEL_RESOURCE_ATTRIBUTES=") {
		t.Errorf("copied %q", got)
	}
	if got := open(t, ofRanks(t, 0), "").CopyText(); got != `eval "$(lensview env)"`+"\n" {
		t.Errorf("copied %q", got)
	}
	if m := New(plain()); m.View() != "" {
		t.Error("no size drew something")
	}
}

func TestUnchangedDataCostNothing(t *testing.T) {
	d := uitest.Data(t, training(t), "")
	m := open(t, d.Snapshot, "")
	uitest.Give(t, m, d)
	if m.SetData(d) != nil {
		t.Error("the same snapshot, run and filter started work")
	}
}

func TestStaleAnswersAreDropped(t *testing.T) {
	m := open(t, training(t), "")
	first := m.nextMeasure(1)
	m.nextMeasure(1)
	if !strings.Contains(text(m), "measuring") {
		t.Error("it does not say that it is at work")
	}
	next := m.Update(first())
	if m.seen.measure != analysis.StepTime {
		t.Errorf("the answer to what is not asked any more is shown: %s", m.seen.measure)
	}
	uitest.Settle(m, next)
	if m.seen.measure != analysis.WaitTime || strings.Contains(text(m), "measuring") {
		t.Errorf("shows %s", m.seen.measure)
	}
}

func TestTheCursorStaysOnItsPlace(t *testing.T) {
	m := open(t, training(t, func(tr *uitest.Training) { tr.Ranks, tr.World = 14, 16 }), "")
	uitest.Press(m, "j", "j", "L")
	before := m.at
	uitest.Give(t, m, uitest.Data(t, training(t), ""))
	if m.at != before || !strings.HasPrefix(m.CopyText(), "rank 12 ") {
		t.Errorf("was on %+v, is on %+v: %s", before, m.at, m.CopyText())
	}
	uitest.Give(t, m, uitest.Data(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 4, Steps: 3, Slow: -1}), ""))
	if !strings.HasPrefix(m.CopyText(), "rank 2 ") {
		t.Errorf("in a smaller grid it is on %q", m.CopyText())
	}
}

func TestMouse(t *testing.T) {
	m := open(t, training(t), "")
	m.SetSize(80, 22)
	click := func(x, y int) []tea.Msg { return uitest.Settle(m, m.Update(uitest.Click(x, y))) }
	x := m.board.left() + m.board.x(1)
	if got := click(x, headLines+2); len(got) != 0 || !strings.HasPrefix(m.CopyText(), "rank 5 ") {
		t.Errorf("a first click gives %v on %q", got, m.CopyText())
	}
	if got := click(x+3, headLines+2); len(got) != 1 {
		t.Errorf("a second click gives %v", got)
	}
	for _, at := range [][2]int{{0, 0}, {x, 1}, {0, headLines}, {79, headLines}, {x, 21}, {x + m.board.form.cell, headLines}} {
		if got := click(at[0], at[1]); len(got) != 0 || !strings.HasPrefix(m.CopyText(), "rank 5 ") {
			t.Errorf("a click at %v gives %v on %q", at, got, m.CopyText())
		}
	}
	wheel := func(b tea.MouseButton) { m.Update(tea.MouseMsg{Action: tea.MouseActionPress, Button: b}) }
	if wheel(tea.MouseButtonWheelDown); m.at.dp != 3 {
		t.Errorf("the wheel goes to dp %d", m.at.dp)
	}
	if wheel(tea.MouseButtonWheelUp); m.at.dp != 0 {
		t.Errorf("the wheel goes back to dp %d", m.at.dp)
	}
	m.Update(tea.MouseMsg{Action: tea.MouseActionRelease, Button: tea.MouseButtonLeft})
}

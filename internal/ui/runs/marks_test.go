package runsscreen

import (
	"fmt"
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

// press does what the program does with the screen's messages: marks come back.
func press(t testing.TB, m *Model, keys ...string) []tea.Msg {
	t.Helper()
	var out []tea.Msg
	for _, k := range keys {
		for _, msg := range uitest.Press(m, k) {
			mark, ok := msg.(screen.MarkMsg)
			if !ok {
				out = append(out, msg)
				continue
			}
			d := m.data
			d.Marks = d.Marks.Toggled(mark.Run)
			uitest.Settle(m, m.SetData(d))
		}
	}
	return out
}

func TestRunsAreMarkedForComparison(t *testing.T) {
	m := newScreen(t, three(t), "")
	if strings.Contains(m.View(), "& ") || strings.Contains(m.View(), "marked") {
		t.Errorf("marks before any:\n%s", m.View())
	}
	press(t, m, "m", "j", "m") // the first and the third
	if d := cmp.Diff([]string{"gpt-small", "llama-70b"}, m.data.Marks.Runs()); d != "" {
		t.Errorf("marks (-want +got):\n%s", d)
	}
	for _, want := range []string{"& gpt-small", "& llama-70b", "2 marked for comparison", "  mixtral"} {
		if !strings.Contains(m.View(), want) {
			t.Errorf("%q is missing in\n%s", want, m.View())
		}
	}
	press(t, m, "g", "m")
	if m.data.Marks.Has("gpt-small") || !m.data.Marks.Has("llama-70b") {
		t.Errorf("m on a marked run leaves %v", m.data.Marks.Runs())
	}
	press(t, m, "M")
	if len(m.data.Marks.Runs()) != 0 {
		t.Errorf("M leaves %v", m.data.Marks.Runs())
	}
	if got := press(t, newScreen(t, &store.Snapshot{}, ""), "m"); got != nil {
		t.Errorf("m without runs does %v", got)
	}
}

// differing is a run of three ranks of which one has other software, and one
// says more than the others.
func differing(t testing.TB) *store.Snapshot {
	t.Helper()
	s := store.New(store.Config{Clock: func() int64 { return int64(uitest.Start) }})
	for rank := range 3 {
		b := otlp.NewBuilder(run.Traces)
		attrs := []run.Attr{uitest.Text("nemo.run.id", "r"), uitest.Text("service.name", "megatron"), uitest.Int("dl.rank", rank), uitest.Int("dl.world_size", 3),
			uitest.Text("nv.dl.software.nccl", []string{"2.20", "2.19", "2.20"}[rank])}
		if rank == 2 {
			attrs = append(attrs, uitest.Text("debug", ""))
		}
		b.Resource(attrs, 0, "")
		b.Scope(run.Scope{})
		b.Span(&run.Span{TraceID: uitest.TraceID(1), ID: uitest.SpanID(1), Name: "op", Start: uitest.Start, End: uitest.Start + 1})
		uitest.Put(t, s, b, run.Receipt{At: int64(uitest.Start)})
	}
	return s.Snapshot()
}

func TestResourcesOfARun(t *testing.T) {
	m := newScreen(t, differing(t), "")
	press(t, m, "o")
	view := m.View()
	for _, want := range []string{"3 processes", "differ in 3 attributes", "nv.dl.software.nccl", "string  2.20  on 2: ranks 0, 2", "string  2.19  on 1: rank 1",
		"debug                string  (empty)  on 1", "3 values, no two alike:", "share 3 attributes", "string  megatron"} {
		if !strings.Contains(strings.ReplaceAll(view, "…", "~"), want) {
			t.Errorf("%q is missing in\n%s", want, view)
		}
	}
	if !m.Back() || strings.Contains(m.View(), "differ in") || m.Back() {
		t.Error("Esc closes the pane, once")
	}
}

// The pane follows the cursor, and the filter.
func TestResourcesFollow(t *testing.T) {
	s := three(t)
	m := newScreen(t, s, "")
	press(t, m, "o")
	if view := m.View(); !strings.Contains(view, "1 process") || !strings.Contains(view, "differ in 0 attributes") {
		t.Errorf("of one process:\n%s", view)
	}
	press(t, m, "j")
	if view := m.View(); !strings.Contains(view, "6 processes") {
		t.Errorf("of the second run:\n%s", view)
	}
	uitest.Give(t, m, uitest.Data(t, s, "rank<2"))
	if view := m.View(); !strings.Contains(view, "2 processes") {
		t.Errorf("of those that the filter leaves:\n%s", view)
	}
	uitest.Settle(m, m.Update(uitest.Click(5, 2)))
	if view := m.View(); !strings.Contains(view, m.table.Key()) || m.found.run != m.table.Key() {
		t.Errorf("after a click it is of %s:\n%s", m.found.run, view)
	}
}

func TestDifferenceText(t *testing.T) {
	held := func(text string, n int, who string) analysis.HeldValue {
		return analysis.HeldValue{Value: run.StringValue(text), Count: n, Who: who}
	}
	for want, d := range map[string]analysis.ResourceDifference{
		"2 values, no two alike: a, b":                           {Distinct: 2, Each: true, Values: []analysis.HeldValue{held("a", 1, ""), held("b", 1, "")}},
		"2 values, no two alike: a, b; 3 without it":             {Distinct: 2, Missing: 3, Each: true, Values: []analysis.HeldValue{held("a", 1, ""), held("b", 1, "")}},
		"string  a  on 1,000: ranks 0–999\n4 values more":        {Distinct: 5, Values: []analysis.HeldValue{held("a", 1000, "ranks 0–999")}},
		"string  a  on 2: ranks 0–1; 1,022 without it":           {Distinct: 1, Missing: 1022, Values: []analysis.HeldValue{held("a", 2, "ranks 0–1")}},
		"string  (empty)  on 2: ranks 0–1\nstring  x  on 1: n02": {Distinct: 2, Values: []analysis.HeldValue{held("", 2, "ranks 0–1"), held("x", 1, "n02")}},
	} {
		if d := cmp.Diff(want, differenceText(&d)); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
}

func TestEarlierAttemptsAreLeftOut(t *testing.T) {
	m := newScreen(t, differing(t), "")
	m.found = comparison{asked{run: "r"}, analysis.Resources{Processes: 8, Earlier: 16}}
	if got := m.resources()[1].Text; got != "8 processes of the latest attempt; 16 of earlier ones left out" {
		t.Errorf("%q", got)
	}
	m.found.run = "another"
	if got := m.resources(); len(got) != 1 || got[0].Text != "Comparing its processes." {
		t.Errorf("before there is an answer: %+v", got)
	}
}

func TestGoldensOfPanes(t *testing.T) {
	for name, keys := range map[string][]string{"sort": {"s"}, "resources": {"o"}, "marked": {"m", "m"}} {
		for _, size := range uitest.Sizes() {
			s := three(t)
			if name == "resources" {
				s = differing(t)
			}
			m := newScreen(t, s, "")
			m.SetSize(size[0], size[1])
			press(t, m, keys...)
			uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
			c := New(uitest.Coloured())
			c.SetSize(size[0], size[1])
			uitest.Give(t, c, uitest.Data(t, s, ""))
			press(t, c, keys...)
			uitest.GoldenColour(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), c.View())
		}
	}
}

// Every size, and text of every kind, with each pane open.
func TestPanesHoldTheirPlace(t *testing.T) {
	for _, keys := range [][]string{{"s"}, {"o"}, {"o", "tab", "G"}, {"m", "s", "x"}} {
		m := newScreen(t, three(t), "")
		press(t, m, keys...)
		uitest.EverySize(t, m)
	}
	for _, text := range uitest.Hostile() {
		s := store.New(store.Config{Clock: func() int64 { return int64(uitest.Start) }})
		for rank := range 2 {
			b := otlp.NewBuilder(run.Traces)
			b.Resource([]run.Attr{uitest.Text("nemo.run.id", "r"+text), uitest.Int("dl.rank", rank), uitest.Text(text, text), uitest.Text("x", text[:rank])}, 0, "")
			b.Scope(run.Scope{})
			b.Span(&run.Span{TraceID: uitest.TraceID(1), ID: uitest.SpanID(1), Name: "op", Start: uitest.Start, End: uitest.Start + 1})
			uitest.Put(t, s, b, run.Receipt{At: int64(uitest.Start)})
		}
		m := newScreen(t, s.Snapshot(), "")
		press(t, m, "o", "m")
		for _, size := range uitest.Sizes() {
			m.SetSize(size[0], size[1])
			uitest.Harmless(t, m.View())
			uitest.Inside(t, m.View(), size[0], size[1])
		}
	}
}

func TestKeysAreListed(t *testing.T) {
	m := newScreen(t, three(t), "")
	listed := map[string]bool{}
	for _, group := range m.FullHelp() {
		for _, b := range group {
			for _, k := range b.Keys() {
				if listed[k] {
					t.Errorf("%q does two things", k)
				}
				listed[k] = true
			}
		}
	}
	for _, a := range m.actions() {
		if !listed[a.on.Keys()[0]] {
			t.Errorf("%q is not in the help", a.on.Keys()[0])
		}
	}
	uitest.Press(m, "s")
	if got := m.ShortHelp()[0].Help().Desc; got != "sort" || !m.Capturing() {
		t.Errorf("while a column is chosen Enter is %q", got)
	}
}

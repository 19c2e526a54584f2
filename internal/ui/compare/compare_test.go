package comparescreen

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// What the program asks a screen for: a method that is misspelled would be asked
// for in vain, without a word.
var (
	_ screen.Screen    = (*Model)(nil)
	_ screen.Copier    = (*Model)(nil)
	_ screen.Exporter  = (*Model)(nil)
	_ screen.Commander = (*Model)(nil)
	_ screen.Releaser  = (*Model)(nil)
)

// two is two runs that are alike but for their compute, which takes factor times
// as long in the second; more is attributes of the second.
func two(t testing.TB, world int, factor float64, more ...run.Attr) *store.Snapshot {
	t.Helper()
	now := int64(uitest.Start)
	s := store.New(store.Config{Clock: func() int64 { return now }})
	for i, id := range []string{"before", "after"} {
		attrs, n, ms := []run.Attr(nil), 4, 500.0
		if i == 1 {
			attrs, n, ms = more, world, ms*factor
		}
		for rank := range n {
			b := otlp.NewBuilder(run.Traces)
			b.Resource(append([]run.Attr{uitest.Text("nemo.run.id", id), uitest.Int("dl.rank", rank), uitest.Int("dl.world_size", n),
				uitest.Text("service.instance.id", fmt.Sprint(id, rank))}, attrs...), 0, "")
			b.Scope(run.Scope{})
			at := uitest.Start + uint64(i)*1e12
			for step := 1; step <= 20; step++ {
				compute := uint64(ms*1e6) + uint64(step*rank%7)*1e5
				key := uint64(i+1)<<48 | uint64(rank+1)<<32 | uint64(step)<<4
				end := at + compute + 2e8
				b.Span(&run.Span{TraceID: uitest.TraceID(key), ID: uitest.SpanID(key), Name: "megatron.train.iteration", Start: at, End: end,
					Attrs: []run.Attr{uitest.Int("megatron.iteration", step)}})
				b.Span(&run.Span{TraceID: uitest.TraceID(key), ID: uitest.SpanID(key | 1), Parent: uitest.SpanID(key), Name: "megatron.forward_backward", Start: at, End: at + compute})
				b.Span(&run.Span{TraceID: uitest.TraceID(key), ID: uitest.SpanID(key | 2), Parent: uitest.SpanID(key), Name: "only." + id, Start: at + compute, End: end - 1e8})
				at = end
			}
			uitest.Put(t, s, b, run.Receipt{At: now})
		}
	}
	return s.Snapshot()
}

// marked is the data with both runs marked, in this order.
func marked(t testing.TB, s *store.Snapshot, runs ...string) screen.Data {
	t.Helper()
	d := uitest.Data(t, s, "")
	d.Run = "before"
	for _, id := range runs {
		d.Marks = d.Marks.Toggled(id)
	}
	return d
}

func with(t testing.TB, d screen.Data) *Model {
	t.Helper()
	m := New(plain())
	m.SetSize(120, 38)
	uitest.Give(t, m, d)
	return m
}

// text is the view in ASCII.
func text(m *Model) string { return draw.ASCII(m.View()) }

func wants(t *testing.T, m *Model, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text(m), p) {
			t.Errorf("%q is missing in\n%s", p, text(m))
		}
	}
}

func TestMarkedRunsAreCompared(t *testing.T) {
	s := two(t, 4, 1.3, uitest.Text("nv.dl.software.torch", "2.9"))
	m := with(t, marked(t, s, "before", "after"))
	if m.seen.a != "before" || m.seen.b != "after" || m.seen.windows {
		t.Fatalf("%+v", m.seen.question)
	}
	wants(t, m, "longer than one of A", "forward_backward", "material", "A  before", "B  after", "software.torch", "not sent", "2.9",
		"spans only in A", "only.before", "spans only in B", "only.after")
	uitest.Press(m, "x")
	wants(t, m, "less than one of A", "A  after", "B  before")
	m.SetSize(80, 22)
	uitest.Golden(t, "two-80x24", m.View())
}

func TestWhatIsNotAlikeIsNotJudged(t *testing.T) {
	m := with(t, marked(t, two(t, 8, 1.5), "before", "after"))
	wants(t, m, "none is judged", "world size differs: 4 and 8", "forward_backward")
	if strings.Contains(text(m), "material") {
		t.Errorf("judged:\n%s", text(m))
	}
}

func TestWhoIsCompared(t *testing.T) {
	s := two(t, 4, 1)
	file := *s
	file.Clock = store.SenderClock
	for _, test := range []struct {
		name  string
		data  screen.Data
		keys  []string
		a, b  string
		first int64 // of window B
	}{
		{"nothing marked: halves", marked(t, s), nil, "before", "before", 11},
		{"marks", marked(t, s, "after", "before"), nil, "after", "before", 0},
		{"a mark and the focus", marked(t, s, "after"), nil, "after", "before", 0},
		{"the focus is marked", marked(t, s, "before"), nil, "before", "before", 11},
		{"files", marked(t, &file), nil, "before", "after", 0},
		{"windows of files", marked(t, &file), []string{"w"}, "before", "before", 11},
		{"and back", marked(t, &file), []string{"w", "w"}, "before", "after", 0},
		{"two runs, not windows", marked(t, s), []string{"w"}, "before", "after", 0},
		{"another B", marked(t, s), []string{"b"}, "before", "after", 0},
		{"another A", marked(t, s, "before", "after"), []string{"a"}, "after", "after", 11},
		{"a mark of a run that is gone", marked(t, s, "gone", "after"), nil, "after", "before", 0},
		{"the border", marked(t, s), []string{"]", "]", "["}, "before", "before", 12},
		{"the border, far", marked(t, s), []string{"}", "}", "}"}, "before", "before", 20},
		{"the border, farther", marked(t, s), []string{"{", "{", "{"}, "before", "before", 2},
		{"halves again", marked(t, s), []string{"{", "="}, "before", "before", 11},
	} {
		m := with(t, test.data)
		uitest.Press(m, test.keys...)
		if m.seen.a != test.a || m.seen.b != test.b || m.seen.windows != (test.first > 0) || m.seen.wb.first != test.first {
			t.Errorf("%s: %+v", test.name, m.seen.question)
		}
	}
}

func TestWindowsAreCommands(t *testing.T) {
	m := with(t, marked(t, two(t, 4, 1)))
	do := map[string]func(string) tea.Cmd{}
	for _, c := range m.Commands() {
		do[c.Name] = c.Do
	}
	uitest.Settle(m, do["window-a"]("2..6"))
	if m.seen.wa != (window{2, 6}) || m.seen.wb != (window{7, 20}) {
		t.Errorf("%v %v", m.seen.wa, m.seen.wb)
	}
	uitest.Settle(m, do["window-b"]("12..16"))
	if m.seen.wa != (window{2, 6}) || m.seen.wb != (window{12, 16}) {
		t.Errorf("%v %v", m.seen.wa, m.seen.wb)
	}
	for _, wrong := range []string{"", "5", "9..3", "a..b", "0..0", "-1..4"} {
		if got := uitest.Settle(m, do["window-a"](wrong)); len(got) != 1 || !strings.Contains(got[0].(screen.NoticeMsg).Text, "FIRST..LAST") {
			t.Errorf("%q: %v", wrong, got)
		}
	}
}

func TestEnterShowsTheSpans(t *testing.T) {
	m := with(t, marked(t, two(t, 4, 1.3), "before", "after"))
	uitest.Press(m, "n", "n")
	if !m.lines[m.at].flagged {
		t.Fatalf("line %q", m.lines[m.at].text)
	}
	got := uitest.Press(m, "enter")
	want := screen.OpenMsg{Screen: screen.Spans, Target: screen.Target{Run: "after"}, Narrow: `phase=forward_backward or name=forward_backward`}
	if len(got) != 1 || got[0] != want {
		t.Errorf("%+v", got)
	}
	uitest.Filter(t, want.Narrow)
	if !strings.HasPrefix(m.CopyText(), "forward_backward  A 500ms") {
		t.Error(m.CopyText())
	}
	if e := m.Export(); e.Ext != "csv" || !strings.Contains(e.Text, "seconds,forward_backward,compute,0.5") {
		t.Errorf("%+v", e)
	}
}

func TestMouse(t *testing.T) {
	m := with(t, marked(t, two(t, 4, 1.3), "before", "after"))
	m.SetSize(80, 10)
	m.Update(uitest.Click(3, 5))
	if m.at != 5 {
		t.Errorf("at %d", m.at)
	}
	if got := uitest.Settle(m, m.Update(uitest.Click(3, 5))); len(got) != 1 {
		t.Errorf("%v", got)
	}
	m.Update(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	if m.at != 8 {
		t.Errorf("at %d", m.at)
	}
	for _, at := range [][2]int{{0, 500}, {-1, -1}} {
		m.Update(uitest.Click(at[0], at[1]))
	}
}

func TestTheFocusIsAlwaysInSight(t *testing.T) {
	m := with(t, marked(t, two(t, 4, 1.3), "before", "after"))
	for _, size := range [][2]int{{80, 22}, {40, 10}, {120, 3}, {13, 38}} {
		m.SetSize(size[0], size[1])
		for _, k := range []string{"G", "k", "pgup", "n", "n", "n", "g", "pgdown", "j", "x", "w", "w", "]"} {
			uitest.Press(m, k)
			if m.at < m.top || m.at >= m.top+size[1] {
				t.Fatalf("%v, after %s: line %d, from %d on", size, k, m.at, m.top)
			}
			uitest.Inside(t, m.View(), size[0], size[1])
		}
	}
}

func TestHostileText(t *testing.T) {
	var attrs []run.Attr
	for i, text := range uitest.Hostile() {
		attrs = append(attrs, uitest.Text(fmt.Sprint("note", i), text), uitest.Text(text, "x"))
	}
	s := two(t, 4, 1.3, attrs...)
	m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
	uitest.Give(t, m, marked(t, s, "before", "after"))
	for _, size := range [][2]int{{100, 20}, {30, 8}, {200, 70}} {
		m.SetSize(size[0], size[1])
		for range 20 {
			uitest.Harmless(t, m.View())
			uitest.Inside(t, m.View(), size[0], size[1])
			uitest.Press(m, "pgdown")
		}
		uitest.Press(m, "g")
	}
}

func TestReleaseKeepsTheView(t *testing.T) {
	m := with(t, marked(t, two(t, 4, 1.3), "before", "after"))
	uitest.ReleaseKeepsTheView(t, m, func() *store.Snapshot { return m.data.Snapshot })
}

func BenchmarkCompare1024(b *testing.B) {
	s := uitest.Snapshot(b, uitest.Training{Run: "a", Ranks: 1024, Steps: 30, Slow: -1}, uitest.Training{Run: "b", Ranks: 1024, Steps: 30, Slow: 7})
	d := uitest.Data(b, s, "")
	for b.Loop() {
		if a := compare(d, question{a: "a", b: "b"}); !a.found {
			b.Fatal(a.why)
		}
	}
}

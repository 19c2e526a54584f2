package ranksscreen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// listed is the keys of the help, each with what it does.
func listed(m *Model) map[string]string {
	out := map[string]string{}
	for _, group := range m.FullHelp() {
		for _, b := range group {
			for _, k := range b.Keys() {
				out[k] += b.Help().Desc
			}
		}
	}
	return out
}

func TestEveryKeyIsListedOnce(t *testing.T) {
	m := eight(t)
	n := 0
	for _, group := range m.FullHelp() {
		for _, b := range group {
			n += len(b.Keys())
			if b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%v has no help", b.Keys())
			}
		}
	}
	all := listed(m)
	if n != len(all) {
		t.Errorf("%d keys do %d things", len(all), n)
	}
	for _, a := range m.actions() {
		for _, k := range a.on.Keys() {
			if all[k] == "" {
				t.Errorf("%q is not listed", k)
			}
		}
	}
	for name, keys := range map[string][]string{"table": nil, "columns": {"s"}, "marks": {"esc", "m", "m"}} {
		if name == "marks" {
			m = eight(t)
		}
		uitest.Press(m, keys...)
		if n := len(m.ShortHelp()); n < 4 || n > 5 {
			t.Errorf("%s: the footer has %d keys", name, n)
		}
	}
}

// Any keys in any order: the view keeps its size, the cursor its row, and nothing
// from outside drives the terminal.
func TestRandomKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	s := uitest.Snapshot(t, uitest.Training{Run: "训练 \x1b[2J", Ranks: 40, Steps: 3, Slow: 5}, uitest.Training{Run: "b", Ranks: 4, Steps: 2, Slow: -1})
	m := newScreen(t, s, "")
	var keys []string
	for k := range listed(m) {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	keys = append(keys, "esc", "x", "c", "backspace", "tab")
	for range 600 {
		uitest.Press(m, keys[r.IntN(len(keys))])
		width, height := r.IntN(170), r.IntN(50)
		m.SetSize(width, height)
		view := m.View()
		uitest.Inside(t, view, width, height)
		uitest.Harmless(t, view)
		if at, ok := m.focus(); ok && at.rank == nil && at.group == nil {
			t.Fatal("the cursor is on nothing")
		}
		if r.IntN(9) == 0 {
			m.Back()
		}
	}
}

// The order of every column is that of a plain sort by the figure.
func TestOrderAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	figure := map[string]func(*rank) float64{
		"p50": func(k *rank) float64 { return k.StepP50 }, "p95": func(k *rank) float64 { return k.StepP95 },
		"compute": func(k *rank) float64 { return k.Compute }, "wait": func(k *rank) float64 { return k.Wait },
		"age": func(k *rank) float64 { return k.Age }, "quiet": func(k *rank) float64 { return k.Quiet },
		"truncated": func(k *rank) float64 { return float64(k.Truncated) }, "errors": func(k *rank) float64 { return float64(k.Errors) },
	}
	value := func() float64 {
		if r.IntN(5) == 0 {
			return math.NaN()
		}
		return float64(r.IntN(6))
	}
	for column, of := range figure {
		for _, desc := range []bool{false, true} {
			var ranks []*rank
			for i := range 60 {
				ranks = append(ranks, &rank{Rank: analysis.Rank{Rank: i, Process: i, StepP50: value(), StepP95: value(), Compute: value(), Wait: value(),
					Age: value(), Quiet: value(), Truncated: uint64(r.IntN(4)), Errors: uint64(r.IntN(4))}})
			}
			sortRanks(ranks, column, desc)
			for i := range len(ranks) - 1 {
				a, b := of(ranks[i]), of(ranks[i+1])
				switch {
				case math.IsNaN(a) && !math.IsNaN(b):
					t.Fatalf("%s: what has none comes before %v", column, b)
				case !math.IsNaN(b) && a != b && (a > b) != desc:
					t.Fatalf("%s, downwards %v: %v before %v", column, desc, a, b)
				case a == b && ranks[i].Process > ranks[i+1].Process:
					t.Fatalf("%s: equal ranks changed places", column)
				}
			}
		}
	}
}

// Ranks that appear and iterations that go on leave the selection where it is.
func TestLiveGrowthKeepsTheSelection(t *testing.T) {
	for _, keys := range [][]string{{"j", "j", "j"}, {"s", "c", "enter", "j", "j"}, {"b", "j", "j"}, {"G"}, {"j", "j", "o"}} {
		m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 24, Steps: 3, Slow: 5}), "")
		m.SetSize(80, 14)
		uitest.Press(m, keys...)
		key := m.table.Key()
		for i, ranks := range []int{32, 96} {
			uitest.Give(t, m, uitest.Data(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: ranks, Steps: 4 + i, Slow: 9 + i}), ""))
			if m.table.Key() != key {
				t.Fatalf("after %q with %d ranks the cursor is on %q, was on %q", keys, ranks, m.table.Key(), key)
			}
			if view := m.View(); !strings.Contains(view, m.theme.Glyphs.Cursor+" ") {
				t.Fatalf("after %q with %d ranks the selection is out of sight:\n%s", keys, ranks, view)
			}
		}
	}
}

// From one size to any other and back the view is as before: CASES 69.
func TestSizesThereAndBack(t *testing.T) {
	for _, keys := range [][]string{nil, {"G"}, {"b", "G"}, {"s"}, {"o", "tab", "G"}, {"m", "m", "G"}} {
		m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 100, Steps: 3, Slow: 5}), "")
		m.SetSize(80, 24)
		uitest.Press(m, keys...)
		before := m.View()
		for _, size := range [][2]int{{1, 1}, {0, 0}, {3, 200}, {200, 3}, {20, 5}, {80, 24}} {
			m.SetSize(size[0], size[1])
			uitest.Inside(t, m.View(), size[0], size[1])
		}
		if d := cmp.Diff(before, m.View()); d != "" {
			t.Errorf("after %q the view changed (-before +after):\n%s", keys, d)
		}
	}
}

// hosts is a run with a rank on each host.
func hosts(t testing.TB, names []string) *store.Snapshot {
	t.Helper()
	s := store.New(store.Config{Clock: func() int64 { return int64(uitest.Start) }})
	for i, name := range names {
		b := otlp.NewBuilder(run.Traces)
		b.Resource([]run.Attr{uitest.Text("nemo.run.id", "r"), uitest.Text("host.name", name), uitest.Int("dl.rank", i), uitest.Int("dl.world_size", len(names))}, 0, "")
		b.Scope(run.Scope{})
		b.Span(&run.Span{TraceID: uitest.TraceID(uint64(i)), ID: uitest.SpanID(1), Name: "op", Start: uitest.Start, End: uitest.Start + 1})
		uitest.Put(t, s, b, run.Receipt{At: int64(uitest.Start)})
	}
	return s.Snapshot()
}

// Columns stand below each other whatever characters are in them, and what is cut
// ends in …: CASES 70.
func TestColumnsLineUp(t *testing.T) {
	names := append(uitest.Hostile(), strings.Repeat("🚀", 30), strings.Repeat("训", 30), "plain")
	m := newScreen(t, hosts(t, names), "")
	for _, width := range []int{60, 80, 120, 160} {
		m.SetSize(width, 40)
		lines := strings.Split(ansi.Strip(m.View()), "\n")
		heading := lines[1]
		at := draw.Width(heading[:strings.Index(heading, "iter")+len("iter")])
		for _, line := range lines[2 : 2+len(names)] {
			cells := 0
			for rest := line; rest != "" && cells < at; {
				g, w := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
				cells, rest = cells+w, rest[len(g):]
			}
			if cells != at {
				t.Errorf("%d cells: the column iter ends at %d, in this line a character stands across it: %q", width, at, line)
			}
		}
	}
	m.SetSize(80, 40)
	if !strings.Contains(m.View(), draw.Ellipsis) {
		t.Error("nothing says that a name was cut")
	}
}

// A rank that hangs grows old although its process is heard of.
func TestAgeAndHeard(t *testing.T) {
	now := int64(uitest.Start)
	s := store.New(store.Config{Clock: func() int64 { return now }})
	send := func(spans ...run.Span) {
		b := otlp.NewBuilder(run.Traces)
		b.Resource([]run.Attr{uitest.Text("nemo.run.id", "r"), uitest.Int("dl.rank", 0), uitest.Int("dl.world_size", 1)}, 0, "")
		b.Scope(run.Scope{})
		for i := range spans {
			b.Span(&spans[i])
		}
		uitest.Put(t, s, b, run.Receipt{At: now})
	}
	send(run.Span{TraceID: uitest.TraceID(1), ID: uitest.SpanID(1), Name: "megatron.train.iteration", Start: uitest.Start, End: uitest.Start + 1e9,
		Attrs: []run.Attr{uitest.Int("megatron.iteration", 3)}})
	now += 240e9
	send(run.Span{TraceID: uitest.TraceID(2), ID: uitest.SpanID(2), Name: "op", Start: uitest.Start + 239e9, End: uitest.Start + 240e9})
	now += 2e9
	s.Tick(now)
	m := newScreen(t, s.Snapshot(), "")
	if age, heard := column(m, "age")[0], column(m, "quiet")[0]; age != "4m" || heard != "2s" {
		t.Errorf("age %q, heard %q", age, heard)
	}
	m = newScreen(t, hosts(t, []string{"n"}), "")
	if age := column(m, "age")[0]; age != draw.Missing {
		t.Errorf("before the first iteration the age is %q", age)
	}
}

// Marks stay with their ranks, not with their rows, and those of another run are
// not shown beside those of the run in focus.
func TestMarksFollowTheirRanks(t *testing.T) {
	s := uitest.Snapshot(t, uitest.Training{Run: "a", Ranks: 8, Steps: 3, Slow: 5}, uitest.Training{Run: "b", Ranks: 8, Steps: 3, Slow: 2})
	m := newScreen(t, s, "")
	uitest.Press(m, "j", "m", "j", "m", "s", "c", "enter", "b", "b")
	d := uitest.Data(t, s, "")
	d.Run = "b"
	uitest.Give(t, m, d)
	uitest.Press(m, "b", "b", "b", "b", "b", "g", "m")
	if got := uitest.Press(m, "v"); len(got) != 1 || got[0] != (screen.NoticeMsg{Text: "m marks ranks; v shows two and more beside each other"}) {
		t.Errorf("one rank of b and two of a: v says %v", got)
	}
	d.Run = "a"
	uitest.Give(t, m, d)
	got, ok := uitest.Press(m, "v")[0].(screen.OpenMsg)
	if !ok || got.Narrow != "rank in (1,3)" || got.Target.Run != "a" {
		t.Errorf("v opens %+v", got)
	}
}

// The summary says what matters most first, at any width.
func TestSummary(t *testing.T) {
	m := newScreen(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 6, World: 20, Steps: 4, Slow: -1}), "")
	uitest.Press(m, "m", "b")
	for width, want := range map[int][]string{
		40:  {"6 of 20 ranks seen"},
		80:  {"6 of 20 ranks seen", "by host: medians of ranks"},
		160: {"6 of 20 ranks seen", "never seen: 6, 7, 8, 9, 10, 11 and 8 more", "1 marked: v", "medians of 3 clean steps", "1–7 of 7"},
	} {
		m.SetSize(width, 20)
		line := strings.SplitN(m.View(), "\n", 2)[0]
		for _, w := range want {
			if !strings.Contains(line, w) {
				t.Errorf("%d cells: %q is missing in %q", width, w, line)
			}
		}
	}
}

// What is copied names every column that has a value.
func TestCopyNamesItsColumns(t *testing.T) {
	m := eight(t)
	text := m.CopyText()
	for _, c := range columns() {
		title := strings.TrimSpace(c.Title)
		if has := strings.Contains("  "+text, "  "+title+" "); has != !slices.Contains([]string{"role"}, c.ID) {
			t.Errorf("%s: there %v in %q", title, has, text)
		}
	}
	uitest.Press(m, "b", "g")
	if text := m.CopyText(); !strings.Contains(text, "host node-0000") || !strings.Contains(text, fmt.Sprintf("%d ranks", 8)) {
		t.Errorf("of a group: %q", text)
	}
}

func BenchmarkMeasure1024Ranks(b *testing.B) {
	d := uitest.Data(b, uitest.Snapshot(b, uitest.Training{Run: "r", Ranks: 1024, Steps: 40, Slow: 5}), "")
	for b.Loop() {
		measure(d, false, &kept{})
	}
}

// The list of columns and the resource cost a key no more than a row does.
func BenchmarkKeyWithPane(b *testing.B) {
	m := newScreen(b, uitest.Snapshot(b, uitest.Training{Run: "r", Ranks: 1024, Steps: 4, Slow: 5}), "")
	m.SetSize(160, 43)
	uitest.Press(m, "o")
	down := uitest.Key("j")
	for b.Loop() {
		m.Update(down)
		m.View()
	}
}

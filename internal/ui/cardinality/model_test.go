package cardinalityscreen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// Any keys in any order, at any size: the view keeps its size, nothing drives the
// terminal, and the cursor is on something.
func TestRandomKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	m := open(t, grown(t), "")
	var keys []string
	for _, group := range m.FullHelp() {
		for _, b := range group {
			keys = append(keys, b.Keys()...)
		}
	}
	sort.Strings(keys)
	keys = append(keys, "tab", "esc", "v", "backspace")
	for range 600 {
		uitest.Press(m, keys[r.IntN(len(keys))])
		width, height := r.IntN(170), r.IntN(50)
		m.SetSize(width, height)
		uitest.Inside(t, m.View(), width, height)
		uitest.Harmless(t, m.View())
		if _, ok := m.focus(); !ok {
			t.Fatal("the cursor is on nothing")
		}
		if r.IntN(7) == 0 {
			m.Back()
		}
	}
}

// modelled is an answer of random keys and conventions.
func modelled(r *rand.Rand, n int) answer {
	a := answer{run: "r", now: 1000e9, metrics: n}
	for i := range n {
		k := metricKey{stat: store.KeyStat{Metric: fmt.Sprint("m", i%7), Key: fmt.Sprint("k", i), Distinct: r.IntN(5), SeriesMax: r.IntN(4),
			First: 1, GrewAt: int64(r.IntN(2))*999e9 + 1, Exact: r.IntN(2) == 0}}
		if r.IntN(3) > 0 {
			k.finding = &analysis.Finding{Level: run.Level(r.IntN(3)), Unbounded: r.IntN(2) == 0}
		}
		a.keys = append(a.keys, k)
	}
	for i := range n / 3 {
		a.broken = append(a.broken, analysis.Broken{Code: "c", Name: fmt.Sprint("b", i), Level: run.Level(r.IntN(3)), Count: r.IntN(4)})
	}
	return a
}

// Within its part every row stands where a plain sort by the figure puts it, and
// equal ones stay in the order in which they were found.
func TestOrderAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	figure := map[string]func(*row, int64) float64{
		"level":  func(at *row, _ int64) float64 { return float64(at.level()) },
		"values": func(at *row, _ int64) float64 { return float64(at.values()) },
		"series": func(at *row, _ int64) float64 { return float64(at.series()) },
		"growth": func(at *row, now int64) float64 { return at.growth(now) },
	}
	for range 30 {
		a := modelled(r, 40)
		place := map[string]int{}
		for i := range a.keys {
			place[a.keys[i].key()] = i
		}
		for i := range a.broken {
			place[brokenKey(&a.broken[i])] = i
		}
		for column, of := range figure {
			for _, desc := range []bool{false, true} {
				list := newRows(plain(), &a, true, draw.Sort{Column: column, Desc: desc}, func(string) int { return 0 })
				if got, want := list.Len(), 2+len(a.keys)+len(a.broken); got != want {
					t.Fatalf("%d rows, want %d", got, want)
				}
				for i := 1; i < list.Len(); i++ {
					x, y := &list.list[i-1], &list.list[i]
					if x.group || y.group {
						continue
					}
					p, q := of(x, a.now), of(y, a.now)
					if p != q && (p > q) != desc {
						t.Fatalf("%s, downwards %v: %v before %v", column, desc, p, q)
					}
					if p == q && place[list.Key(i-1)] > place[list.Key(i)] {
						t.Fatalf("%s, downwards %v: equal rows changed places", column, desc)
					}
				}
			}
		}
	}
}

// Findings alone are shown unless all keys are asked for, and every identity is one
// of its own.
func TestRowsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for n := range 30 {
		a := modelled(r, n)
		findings := 0
		for i := range a.keys {
			if a.keys[i].finding != nil {
				findings++
			}
		}
		if a.worst() != findings {
			t.Errorf("%d keys will hurt, want %d", a.worst(), findings)
		}
		for all, keys := range map[bool]int{false: findings, true: n} {
			list := newRows(plain(), &a, all, draw.Sort{Column: "key"}, func(string) int { return 0 })
			want := keys + len(a.broken)
			for _, part := range []int{keys, len(a.broken)} {
				if part > 0 {
					want++ // its heading
				}
			}
			if list.Len() != want {
				t.Errorf("of %d keys, all %v: %d rows, want %d", n, all, list.Len(), want)
			}
			seen := map[string]bool{}
			for i := range list.Len() {
				if seen[list.Key(i)] {
					t.Fatalf("two rows are %q", list.Key(i))
				}
				seen[list.Key(i)] = true
			}
		}
	}
}

// Growth leaves the selection on its key, in sight, with its details open at the
// line that was scrolled to.
func TestLiveGrowthKeepsTheSelection(t *testing.T) {
	f := newFeed(t)
	grow := func(metric, key string, from, to int) {
		for i := from; i < to; i++ {
			f.now += sec / 4
			f.series(0, metric, run1s{{key, i}}.attrs())
		}
	}
	grow("first", "a", 0, 60)
	grow("second", "b", 0, 70)
	m := open(t, f.Snapshot(), "")
	m.SetSize(80, 16)
	uitest.Press(m, "j", "enter", "tab", "j", "j")
	key, line := m.table.Key(), strings.Split(m.View(), "\n")[8]
	for i := range 4 {
		grow("first", "a", 60+100*i, 160+100*i)
		grow(fmt.Sprint("new", i), "c", 0, 300)
		grow("second", "b", 70+i, 71+i) // a key that no longer grows is no finding any more
		uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
		if m.table.Key() != key {
			t.Fatalf("the cursor went from %q to %q", key, m.table.Key())
		}
		if view := m.View(); !strings.Contains(view, m.theme.Glyphs.Cursor+" ") {
			t.Fatalf("the selection is out of sight:\n%s", view)
		}
		if got := strings.Split(m.View(), "\n")[8]; !m.detail.IsOpen() || (got == "") != (line == "") {
			t.Fatalf("the details moved: %q, was %q", got, line)
		}
	}
}

// From one size to any other and back the view is as before: CASES 69.
func TestSizesThereAndBack(t *testing.T) {
	for _, keys := range [][]string{nil, {"G"}, {"s"}, {"enter", "tab", "G"}, {"a", "G"}} {
		m := open(t, grown(t), "")
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

// Columns stand below each other whatever characters are in keys, and what is cut
// ends in …: CASES 70.
func TestColumnsLineUp(t *testing.T) {
	f := newFeed(t)
	names := append(uitest.Hostile(), strings.Repeat("训", 40), "gateway.session.requests.by.user.and.model", "plain")
	for _, name := range names {
		f.series(0, "m."+name, []run.Attr{uitest.Text("k."+name, "v")})
	}
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "a")
	for _, width := range []int{40, 80, 120, 160} {
		m.SetSize(width, 40)
		lines := strings.Split(ansi.Strip(m.View()), "\n")
		at := draw.Width(lines[1][:strings.Index(lines[1], "values ")+len("values ")])
		for _, line := range lines[3 : 3+len(names)] {
			if got := ansi.Cut(line, at-2, at-1); got != "1" {
				t.Errorf("%d cells: the number of values is not at %d of %q: %q", width, at, line, got)
			}
		}
		for i := range m.shown.Len() {
			text, name := m.shown.Cell(i, "key").Text, ""
			if k := m.shown.list[i].metric; k != nil {
				name = draw.Clean(k.stat.Key)
			}
			if name != "" && text != name && !strings.HasSuffix(text, draw.Ellipsis) {
				t.Errorf("%d cells: %q hides that %q was cut", width, text, name)
			}
		}
	}
}

// Of a run that sends nothing but spans, of none at all, and while it is being
// looked at, the screen says what it waits for.
func TestEmptyStates(t *testing.T) {
	for want, m := range map[string]*Model{
		"Nothing has arrived yet":            open(t, uitest.Snapshot(t), ""),
		"This run has sent no metrics":       open(t, uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 2, Steps: 2, Slow: -1}), ""),
		"none has too many values":           open(t, healthy(t), ""),
		"Looking at the attributes of this ": New(plain()),
	} {
		if strings.HasPrefix(want, "Looking") {
			m.SetSize(80, 24)
			m.SetData(uitest.Data(t, grown(t), "")) // its answer has not come
		}
		if !strings.Contains(m.View(), want) {
			t.Errorf("%q is missing in\n%s", want, m.View())
		}
		for _, size := range uitest.Sizes() {
			m.SetSize(size[0], size[1])
			uitest.Inside(t, m.View(), size[0], size[1])
		}
	}
}

// Another run in focus is another answer, and what is shown of the old one goes.
func TestAnotherRun(t *testing.T) {
	f := newFeed(t)
	f.series(0, "m", run1s{{"a", 1}}.attrs())
	s := f.Snapshot()
	other := *s.Runs[0]
	other.ID, other.Cardinality = "other", nil
	both := &store.Snapshot{Version: 7, Now: s.Now, Runs: []*store.Run{s.Runs[0], &other}}
	m := open(t, both, "")
	uitest.Press(m, "a")
	if m.shown.Len() != 2 {
		t.Fatalf("%d rows", m.shown.Len())
	}
	uitest.Give(t, m, screen.Data{Snapshot: both, Run: "other"})
	if m.shown.Len() != 0 || m.seen.run != "other" {
		t.Errorf("%d rows of %s", m.shown.Len(), m.seen.run)
	}
	uitest.Give(t, m, screen.Data{Snapshot: both, Run: "gone"})
	if m.seen.run != "" || m.shown.Len() != 0 {
		t.Errorf("of a run that is not there: %+v", m.seen)
	}
}

// The stamp of a row changes with what its details say, and with nothing else.
func TestStamps(t *testing.T) {
	a := answer{now: 100e9, keys: []metricKey{{stat: store.KeyStat{Metric: "m", Key: "k", Distinct: 5, Series: 9, First: 1, GrewAt: 99e9}}},
		broken: []analysis.Broken{{Code: "c", Name: "n", Count: 3}}}
	key, other := a.keys[0].key(), brokenKey(&a.broken[0])
	before, beside := a.stamp(key), a.stamp(other)
	if before == "" || beside == "" || a.stamp("nosuch") != "" {
		t.Errorf("stamps %q, %q", before, beside)
	}
	a.keys[0].stat.Distinct++
	if a.stamp(key) == before || a.stamp(other) != beside {
		t.Error("a new value is not told, or told of another row")
	}
	a.broken[0].Count++
	if a.stamp(other) == beside {
		t.Error("another name is not told")
	}
}

func TestPerMinute(t *testing.T) {
	for rate, want := range map[float64]string{0.04: "0.0/min", 1: "1.0/min", 9.99: "10.0/min", 10: "10/min", 9999: "9999/min", 12_345: "12.3k/min", 3e6: "3.00M/min"} {
		if got := perMinute(rate); got != want {
			t.Errorf("%v: %q, want %q", rate, got, want)
		}
	}
	if got := perMinute(math.NaN()); strings.Contains(got, "NaN") {
		t.Errorf("no rate is %q", got)
	}
}

package spansscreen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// sent is one span as a test remembers it: what the screen says is worked out
// from these a second time, as simply as can be.
type sent struct {
	run  string
	rank int
	name string
	attr string // "" when not sent
	ns   uint64
	cut  bool
}

// value is the sent value of a dimension, as the screen writes it.
func (s sent) value(by string) (text string, known bool) {
	switch by {
	case "run":
		return s.run, true
	case "rank":
		return fmt.Sprint(s.rank), true
	case "host":
		return fmt.Sprintf("node-%d", s.rank/2), true
	case "name":
		return s.name, true
	}
	return s.attr, s.attr != ""
}

// world sends random spans of three runs and remembers them.
type world struct {
	*feed
	dice *rand.Rand
	all  []sent
}

func newWorld(t testing.TB, seed uint64) *world {
	return &world{feed: newFeed(t), dice: rand.New(rand.NewPCG(seed, 1))}
}

func (w *world) some(n int) {
	for range n {
		s := sent{
			run: []string{"alpha", "beta", "gamma"}[w.dice.IntN(3)], rank: w.dice.IntN(4), name: []string{"fwd", "bwd", "opt"}[w.dice.IntN(3)],
			attr: []string{"", "7", "x", "30"}[w.dice.IntN(4)], ns: uint64(w.dice.IntN(5_000_000)), cut: w.dice.IntN(9) == 0,
		}
		w.all = append(w.all, s)
		var attrs []run.Attr
		if s.attr != "" {
			attrs = append(attrs, uitest.Text("k", s.attr))
		}
		if s.cut {
			attrs = append(attrs, truncated())
		}
		from := uint64(w.dice.IntN(1_000_000_000))
		resource := append(trainer(s.run, s.rank), uitest.Text("host.name", fmt.Sprintf("node-%d", s.rank/2)))
		w.send(resource, w.mk(s.name, from, from+s.ns, attrs...))
	}
}

// of is the spans of a group.
func (w *world) of(path []analysis.Branch, runID string) []sent {
	var out []sent
	for _, s := range w.all {
		in := runID == "" || s.run == runID
		for _, b := range path {
			text, known := s.value(b.By)
			in = in && text == b.Value && known == b.Known
		}
		if in {
			out = append(out, s)
		}
	}
	return out
}

// figuresOf works a row's cells out: nearest rank is the smallest value that at
// least so many percent do not exceed.
func figuresOf(spans []sent) map[string]string {
	var ns []uint64
	cut := 0
	for _, s := range spans {
		if s.cut {
			cut++
		} else {
			ns = append(ns, s.ns)
		}
	}
	slices.Sort(ns)
	out := map[string]string{"n": fmt.Sprint(len(ns)), "truncated": fmt.Sprint(cut), "p50": draw.Missing, "p95": draw.Missing, "p99": draw.Missing,
		"max": draw.Missing, "min": draw.Missing}
	if len(ns) == 0 {
		return out
	}
	at := func(percent int) string {
		for i, v := range ns {
			if (i+1)*100 >= percent*len(ns) {
				return draw.Duration(float64(v))
			}
		}
		return ""
	}
	mark := func(few bool) string {
		if few {
			return fewMark
		}
		return ""
	}
	out["p50"], out["p95"], out["p99"] = at(50), at(95)+mark(len(ns) < 20), at(99)+mark(len(ns) < 100)
	out["max"], out["min"] = draw.Duration(float64(ns[len(ns)-1])), draw.Duration(float64(ns[0]))
	return out
}

// compare holds every row against what was sent.
func (w *world) compare(m *Model) {
	w.Helper()
	runID := m.data.Run
	if slices.Contains(m.by, "run") {
		runID = ""
	}
	for i := range m.shown.list {
		want := figuresOf(w.of(m.shown.path(i), runID))
		for column, text := range want {
			if got := strings.TrimSpace(m.shown.Cell(i, column).Text); got != text {
				w.Fatalf("by %v: %s: %s is %q, want %q", m.by, pathText(m.shown.path(i)), column, got, text)
			}
		}
	}
}

// everything is unfolded.
func everything(m *Model) {
	m.folds.all(false)
	m.arrange()
}

func TestEveryGroupAgainstWhatWasSent(t *testing.T) {
	for seed := range uint64(6) {
		w := newWorld(t, seed)
		w.some(20)
		m := open(t, w.Snapshot(), "")
		for _, levels := range []string{"name", "run", "rank", "run host rank", "name rank", "k", "run k", "rank name k", "host"} {
			w.some(60) // they arrive while the screen is looked at
			group(m, levels)
			uitest.Give(t, m, uitest.Data(t, w.Snapshot(), ""))
			everything(m)
			w.compare(m)
		}
	}
}

// rowsOf counts the groups that what was sent makes, level by level.
func (w *world) rowsOf(by []string, runID string) int {
	seen := map[string]bool{}
	for _, s := range w.of(nil, runID) {
		key := ""
		for _, d := range by {
			text, known := s.value(d)
			key += fmt.Sprintf("%s=%s %v|", d, text, known)
			seen[key] = true
		}
	}
	return len(seen)
}

func TestNoGroupIsMissing(t *testing.T) {
	w := newWorld(t, 42)
	w.some(300)
	m := open(t, w.Snapshot(), "")
	for levels, by := range map[string][]string{
		"run rank": {"run", "rank", "name"}, "k": {"k", "name"}, "name k": {"name", "k"}, "run host rank": {"run", "host", "rank", "name"},
	} {
		group(m, levels)
		everything(m)
		runID := "alpha"
		if slices.Contains(by, "run") {
			runID = ""
		} else if m.data.Run != runID {
			runID = m.data.Run
		}
		if got, want := m.shown.Len(), w.rowsOf(by, runID); got != want {
			t.Errorf("by %s: %d rows, want %d", levels, got, want)
		}
		keys := map[string]bool{}
		for i := range m.shown.Len() {
			keys[m.shown.Key(i)] = true
			if at, ok := m.shown.Find(m.shown.Key(i)); !ok || at != i {
				t.Fatalf("row %d is found at %d", i, at)
			}
		}
		if len(keys) != m.shown.Len() {
			t.Errorf("by %s: %d rows have %d identities", levels, m.shown.Len(), len(keys))
		}
	}
}

func TestTheSlowestAgainstWhatWasSent(t *testing.T) {
	w := newWorld(t, 7)
	w.some(1500)
	m := open(t, w.Snapshot(), "")
	group(m, "run rank")
	everything(m)
	for at := range m.shown.Len() {
		m.table.MoveTo(at)
		path := m.shown.path(at)
		uitest.Press(m, "enter")
		var want []string
		spans := w.of(path, "")
		slices.SortStableFunc(spans, func(a, b sent) int { return int(b.ns) - int(a.ns) })
		for _, s := range spans {
			if !s.cut && len(want) < mostSlow {
				want = append(want, draw.Duration(float64(s.ns)))
			}
		}
		got := column2(m, "duration")
		if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
			t.Fatalf("%s: %q, want %q", pathText(path), got, want)
		}
		for _, rest := range got[len(want):] {
			if !strings.HasPrefix(rest, "(") {
				t.Fatalf("%s: %q follows the slowest and is no truncated span", pathText(path), rest)
			}
		}
		m.Back()
	}
}

func TestTheFilterAgainstWhatWasSent(t *testing.T) {
	w := newWorld(t, 9)
	w.some(400)
	for text, keep := range map[string]func(sent) bool{
		"rank>=2":             func(s sent) bool { return s.rank >= 2 },
		"name=fwd":            func(s sent) bool { return s.name == "fwd" },
		"k=7 or k=x":          func(s sent) bool { return s.attr == "7" || s.attr == "x" },
		"run=beta and rank=1": func(s sent) bool { return s.run == "beta" && s.rank == 1 },
		"not truncated":       func(s sent) bool { return !s.cut },
		"fwd and host=node-1": func(s sent) bool { return s.name == "fwd" && s.rank/2 == 1 },
	} {
		narrowed := &world{feed: w.feed, dice: w.dice}
		for _, s := range w.all {
			if keep(s) {
				narrowed.all = append(narrowed.all, s)
			}
		}
		m := open(t, w.Snapshot(), text)
		for _, levels := range []string{"run rank", "name", "k"} {
			group(m, levels)
			everything(m)
			narrowed.compare(m)
		}
	}
}

// keyNames are the keys that a fuzz presses.
func keyNames() []string {
	return []string{"j", "k", "h", "l", "o", "tab", "s", "S", "v", "b", "B", "enter", "G", "g", "pgdown", "pgup", "down", "up", "r", "n", " ", "backspace", "ctrl+u"}
}

// FuzzKeys presses keys in any order, at any size, while spans arrive: the view
// stays inside its size and the cursor on a row.
func FuzzKeys(f *testing.F) {
	f.Add([]byte{9, 16, 11, 0, 3, 11, 255, 11}, uint8(80), uint8(22))
	f.Add([]byte{9, 18, 19, 13, 11, 5, 5, 12, 11, 200, 8}, uint8(40), uint8(10))
	f.Fuzz(func(t *testing.T, presses []byte, width, height uint8) {
		w := newWorld(t, 3)
		w.some(40)
		m := open(t, w.Snapshot(), "")
		m.SetSize(int(width), int(height))
		names := keyNames()
		for _, b := range presses[:min(len(presses), 200)] {
			switch n := int(b); {
			case n < len(names):
				uitest.Press(m, names[n])
			case n == 255:
				m.Back()
			case n >= 200:
				w.some(5)
				uitest.Give(t, m, uitest.Data(t, w.Snapshot(), ""))
			default:
				m.SetSize(n, int(height))
			}
			uitest.Inside(t, m.View(), m.size.width, m.size.height)
			if at, ok := m.focus(); ok && m.shown.Key(at) != m.table.Key() {
				t.Fatalf("the cursor is on %q, the row is %q", m.table.Key(), m.shown.Key(at))
			}
		}
	})
}

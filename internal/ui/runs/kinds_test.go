package runsscreen

import (
	"math/rand/v2"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// Any keys in any order, at any size.
func TestRandomKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	m := newScreen(t, three(t), "")
	var keys []string
	for _, group := range m.FullHelp() {
		for _, b := range group {
			keys = append(keys, b.Keys()...)
		}
	}
	sort.Strings(keys)
	keys = append(keys, "tab", "esc", "v", "backspace")
	for range 500 {
		press(t, m, keys[r.IntN(len(keys))])
		width, height := r.IntN(170), r.IntN(50)
		m.SetSize(width, height)
		uitest.Inside(t, m.View(), width, height)
		uitest.Harmless(t, m.View())
		for _, run := range m.data.Marks.Runs() {
			if m.data.Snapshot.Run(run) == nil {
				t.Fatalf("%q is marked and is no run", run)
			}
		}
		if r.IntN(7) == 0 {
			m.Back()
		}
	}
}

// From one size to any other and back the view is as before: CASES 69.
func TestSizesThereAndBack(t *testing.T) {
	for _, keys := range [][]string{nil, {"G"}, {"s"}, {"o", "tab", "G"}, {"m", "G"}} {
		m := newScreen(t, three(t), "")
		m.SetSize(80, 24)
		press(t, m, keys...)
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

// Runs that come and go leave the selection and the marks on their runs.
func TestRunsComeAndGo(t *testing.T) {
	of := func(ids ...string) *store.Snapshot {
		var runs []uitest.Training
		for i, id := range ids {
			runs = append(runs, uitest.Training{Run: id, Ranks: 2, Steps: 2 + i, Slow: -1, Quiet: 3})
		}
		return uitest.Snapshot(t, runs...)
	}
	m := newScreen(t, of("a", "b", "c"), "")
	press(t, m, "j", "m")
	marked, at := m.data.Marks, m.table.Key()
	for _, ids := range [][]string{{"z", "a", "b", "c"}, {"a", "b", "c", "y", "x"}, {"c", "b", "a"}} {
		d := uitest.Data(t, of(ids...), "")
		d.Marks = marked
		uitest.Give(t, m, d)
		if m.table.Key() != at {
			t.Errorf("with runs %q the cursor is on %q, was on %q", ids, m.table.Key(), at)
		}
		if strings.Count(m.View(), m.theme.Glyphs.Marked+" ") != 1 {
			t.Errorf("with runs %q the mark is lost:\n%s", ids, m.View())
		}
	}
}

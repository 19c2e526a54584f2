package spansscreen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// mixed is names with different longest spans, two of them with errors.
func mixed(t testing.TB) *Model {
	f := newFeed(t)
	failed := func(s run.Span) run.Span { s.Status = run.StatusError; return s }
	f.send(trainer("r", 0), f.mk("a", 0, 3*ms), f.mk("b", 0, 9*ms), failed(f.mk("b", 0, ms)), f.mk("c", 0, 5*ms), failed(f.mk("d", 0, ms)), f.mk("d", 0, 2*ms))
	return open(t, f.Snapshot(), "")
}

func where(m *Model) string {
	at, ok := m.focus()
	if !ok {
		return ""
	}
	return m.shown.list[at].group.Value
}

func TestNextSlow(t *testing.T) {
	m := mixed(t)
	var got []string
	for _, k := range []string{"w", "w", "w", "w", "w", "W", "W"} {
		msgs := uitest.Press(m, k)
		got = append(got, where(m))
		if len(msgs) != 1 || !strings.Contains(msgs[0].(screen.NoticeMsg).Text, "by its longest span") {
			t.Errorf("%s says %v", k, msgs)
		}
	}
	if d := cmp.Diff([]string{"b", "c", "a", "d", "b", "d", "a"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if uitest.Press(m, "j", "w"); where(m) != "b" {
		t.Errorf("after another move w begins with %s, want the slowest", where(m))
	}
	if got := uitest.Press(open(t, ofRanks(t, 0), ""), "w"); len(got) != 1 {
		t.Errorf("without rows w says %v", got)
	}
}

func TestNextWithErrors(t *testing.T) {
	m := mixed(t)
	m.table.SortBy("name")
	m.arrange()
	uitest.Press(m, "g")
	var got []string
	for _, k := range []string{"x", "x", "x", "ctrl+x", "ctrl+x"} {
		uitest.Press(m, k)
		got = append(got, where(m))
	}
	if d := cmp.Diff([]string{"b", "d", "b", "d", "b"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	uitest.Press(m, "enter", "x")
	if p, _ := m.slow.focus(); !p.Marks.Has(run.Failed) {
		t.Errorf("among the slowest x goes to %+v", p)
	}
	uitest.Press(m, "g", "w")
	if at, _ := m.slow.table.Cursor(); at != 1 {
		t.Errorf("among the slowest w goes to row %d", at)
	}
	if got := uitest.Press(open(t, ofRanks(t, 8), ""), "x"); len(got) != 1 || got[0].(screen.NoticeMsg).Text != "no row here has an error" {
		t.Errorf("without errors x says %v", got)
	}
}

// Groups that are unfolded are passed by: what is slow in them is in their rows.
func TestNextSlowInGroups(t *testing.T) {
	f := newFeed(t)
	for rank := range 3 {
		f.send(trainer("r", rank), f.mk("op", 0, uint64(rank+1)*ms))
	}
	m := open(t, f.Snapshot(), "")
	group(m, "rank")
	uitest.Press(m, "tab", "tab", "g", "w")
	at, _ := m.focus()
	if m.shown.IsGroup(at) || m.shown.path(at)[0].Value != "2" {
		t.Errorf("w went to %+v", m.shown.path(at))
	}
}

func TestSortIsChosen(t *testing.T) {
	m := mixed(t)
	if uitest.Press(m, "s"); !m.Capturing() || m.ShortHelp()[0].Help().Desc != "sort" {
		t.Error("s opens no list of columns")
	}
	uitest.Press(m, "m", "a", "x", "enter")
	if got := strings.Join(column(m, "name"), ""); got != "bcad" || m.Capturing() {
		t.Errorf("by max: %s", got)
	}
	uitest.Press(m, "s")
	if !m.Back() || m.Capturing() {
		t.Error("Esc leaves the list open")
	}
	uitest.Press(m, "s")
	if got := uitest.Settle(m, m.Update(uitest.Click(10, 3))); got != nil || !m.Capturing() {
		t.Errorf("a click behind the list did %v", got)
	}
	for _, size := range uitest.Sizes() {
		m.SetSize(size[0], size[1])
		uitest.Inside(t, m.View(), size[0], size[1])
	}
}

func TestGoldensInColour(t *testing.T) {
	for name, keys := range map[string][]string{"8-ranks": nil, "sort-8": {"s"}, "slowest-8": {"enter"}} {
		for _, size := range uitest.Sizes() {
			m := New(uitest.Coloured())
			m.SetSize(size[0], size[1])
			uitest.Give(t, m, uitest.Data(t, ofRanks(t, 8), ""))
			uitest.Press(m, keys...)
			uitest.GoldenColour(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
		}
	}
}

// From one size to any other and back the view is as before: CASES 69.
func TestSizesThereAndBack(t *testing.T) {
	for _, keys := range [][]string{nil, {"G"}, {"s"}, {"enter", "G"}, {"b"}, {"v", "G"}} {
		m := open(t, ofRanks(t, 8), "")
		m.SetSize(80, 24)
		uitest.Press(m, keys...)
		before := m.View()
		for _, size := range [][2]int{{1, 1}, {0, 0}, {3, 200}, {200, 3}, {20, 5}, {80, 24}} {
			m.SetSize(size[0], size[1])
			uitest.Settle(m, m.SetData(m.data)) // as the program does
			uitest.Inside(t, m.View(), size[0], size[1])
		}
		if d := cmp.Diff(before, m.View()); d != "" {
			t.Errorf("after %q the view changed (-before +after):\n%s", keys, d)
		}
	}
}

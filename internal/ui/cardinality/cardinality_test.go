package cardinalityscreen

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestGoldens(t *testing.T) {
	for name, of := range map[string]struct {
		s    *store.Snapshot
		keys []string
	}{
		"nothing": {uitest.Snapshot(t), nil}, "healthy": {healthy(t), nil}, "healthy-all": {healthy(t), []string{"a"}},
		"spans-only": {uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 2, Steps: 2, Slow: -1}), nil},
		"grown":      {grown(t), nil}, "details": {grown(t), []string{"enter"}}, "sort": {grown(t), []string{"s"}},
		"details-broken": {grown(t), []string{"G", "enter"}},
	} {
		for _, size := range uitest.Sizes() {
			m := open(t, of.s, "")
			m.SetSize(size[0], size[1])
			uitest.Press(m, of.keys...)
			uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
			if !strings.HasPrefix(name, "grown") && !strings.HasPrefix(name, "details") {
				continue
			}
			c := New(uitest.Coloured())
			c.SetSize(size[0], size[1])
			uitest.Give(t, c, uitest.Data(t, of.s, ""))
			uitest.Press(c, of.keys...)
			uitest.GoldenColour(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), c.View())
		}
	}
}

// What will hurt comes first, with what is known of it.
func TestFindings(t *testing.T) {
	m := open(t, grown(t), "")
	for id, want := range map[string][]string{
		"level":  {"attributes of metrics", "critical", "critical", "warning", "other conventions that are broken", "warning", "warning"},
		"key":    {"", "prompt.hash", "queue", "session.id", "", "dl.rnak", "loss"},
		"on":     {"", "prompt.tokens", "queue.depth", "agent.turns", "", "span", "span step"},
		"series": {"", "12,000", "1", "121", "", "", ""},
	} {
		if d := cmp.Diff(want, column(m, id)); d != "" {
			t.Errorf("%s (-want +got):\n%s", id, d)
		}
	}
	values, growth := column(m, "values"), column(m, "growth")
	if values[1] != "~12,034 " || values[3] != "121^" || !strings.HasSuffix(growth[3], "/min") {
		t.Errorf("values %q, growth %q", values, growth)
	}
	if got := column(m, "examples")[3]; got != "sess-00000, sess-00001, sess-00002" {
		t.Errorf("examples %q", got)
	}
	if got := column(m, "advice")[3]; got != "use a span attribute instead" {
		t.Errorf("advice %q", got)
	}
	if got := column(m, "advice")[5]; got != "did you mean dl.rank?" {
		t.Errorf("advice %q", got)
	}
}

func TestDetailsSayWhatToDo(t *testing.T) {
	m := open(t, grown(t), "")
	details := func(key string) string {
		for m.table.MoveTo(0); ; m.table.Move(1) {
			if at, _ := m.focus(); !at.group && strings.Contains(m.table.Key(), key) {
				break
			}
		}
		var text string
		for _, msg := range uitest.Press(m, "Y") {
			text = msg.(screen.CopyMsg).Text
		}
		return text
	}
	for key, wants := range map[string][]string{
		"prompt.hash": {"prompt.hash on metric prompt.tokens", "critical: ", "values  about 1", "estimated", "example 3", "Or drop it before it is sent: a View on prompt.tokens"},
		"session.id": {"values  121, exact", "seen once  121 of them, 100.0%", "series  121 in one process at most, 121 in all", "nearly every value is new: it has no bound",
			"last new value just now", "example 1  sess-00000", "Put session.id on a span instead"},
		"queue":   {"overflow  otel.metric.overflow=true was received", "do not trust its series"},
		"dl.rnak": {"did you mean dl.rank?", "where  span", "nothing finds it"},
		"loss":    {"on  step", "record it as a metric", "as a metric it has a chart"},
	} {
		text := details(key)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %q is missing in\n%s", key, want, text)
			}
		}
	}
}

func TestEnterOpensTheDetailsAndEscCloses(t *testing.T) {
	m := open(t, grown(t), "")
	uitest.Press(m, "enter")
	if view := m.View(); !strings.Contains(view, "what to do") || !strings.Contains(view, "example 1") {
		t.Errorf("Enter shows\n%s", view)
	}
	before := m.View()
	uitest.Press(m, "j")
	if m.View() == before {
		t.Error("the details do not follow the cursor")
	}
	if !m.Back() || m.detail.IsOpen() || m.Back() {
		t.Error("Esc closes the details, once")
	}
	uitest.Press(m, "g", "enter")
	if view := m.View(); !strings.Contains(view, "The rows below it have details") {
		t.Errorf("of a heading:\n%s", view)
	}
}

func TestAllKeys(t *testing.T) {
	m := open(t, healthy(t), "")
	if view := m.View(); !strings.Contains(view, "1 attribute key on 1 metric: none has too many values") {
		t.Errorf("a healthy run says\n%s", view)
	}
	uitest.Press(m, "enter") // nothing to open
	uitest.Press(m, "a")
	if d := cmp.Diff([]string{"attributes of metrics", "ok"}, column(m, "level")); d != "" || m.detail.IsOpen() {
		t.Errorf("a (-want +got):\n%s", d)
	}
	uitest.Press(m, "g", "j", "enter")
	if view := m.View(); !strings.Contains(view, "Nothing: tens of values") || !strings.Contains(view, "8 in all") {
		t.Errorf("details of a healthy key:\n%s", view)
	}
	if got := m.CopyText(); got != "model has 2 values on metric requests" {
		t.Errorf("y copies %q", got)
	}
	uitest.Press(m, "a")
	if m.shown.Len() != 0 {
		t.Errorf("a again leaves %d rows", m.shown.Len())
	}
}

func TestEverySortKeepsTheParts(t *testing.T) {
	m := open(t, grown(t), "")
	for _, c := range columns() {
		if !c.Sortable {
			continue
		}
		for range 2 {
			m.table.SortBy(c.ID)
			m.arrange()
			got := column(m, "level")
			if got[0] != "attributes of metrics" || got[4] != "other conventions that are broken" || len(got) != 7 {
				t.Errorf("by %+v: %q", m.table.Sort(), got)
			}
		}
	}
	uitest.Press(m, "s", "v", "enter")
	if got := column(m, "key"); got[1] != "prompt.hash" || m.table.Sort().Column != "values" {
		t.Errorf("by values: %q", got)
	}
	uitest.Press(m, "S")
	if got := column(m, "key"); got[3] != "prompt.hash" {
		t.Errorf("turned: %q", got)
	}
	uitest.Press(m, ">", "<", "<")
	if got := m.table.Sort().Column; got != "on" {
		t.Errorf("moved to %q", got)
	}
}

// The cursor stays on its key while others come before it.
func TestCursorStays(t *testing.T) {
	m := open(t, grown(t), "")
	uitest.Press(m, "j", "j")
	at, _ := m.focus()
	key := at.metric.stat.Key
	f := newFeed(t)
	for i := range 70 {
		f.now += sec
		f.series(0, "another", run1s{{"x", i}}.attrs())
		f.series(0, "agent.turns", run1s{{"session.id", i}}.attrs())
	}
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if at, ok := m.focus(); !ok || at.metric == nil || at.metric.stat.Key != key {
		t.Errorf("the cursor went from %s to %+v", key, at.metric)
	}
}

func TestUnchangedDataCostNothing(t *testing.T) {
	s := grown(t)
	m := open(t, s, "")
	d := m.data
	if m.SetData(d) != nil {
		t.Error("the same snapshot and run started work")
	}
	d.Filter = uitest.Filter(t, "rank=1")
	if m.SetData(d) != nil {
		t.Error("a filter, which does not apply, started work")
	}
	if !strings.Contains(m.View(), "the filter does not apply") {
		t.Error("that the filter does not apply is not said")
	}
}

func TestReleaseKeepsWhatIsShown(t *testing.T) {
	m := open(t, grown(t), "")
	before := m.View()
	m.Release()
	if m.View() != before {
		t.Error("what is shown changed")
	}
	for _, r := range m.data.Snapshot.Runs {
		if len(r.Chunks) > 0 {
			t.Error("spans are still held")
		}
	}
}

func TestMouse(t *testing.T) {
	m := open(t, grown(t), "")
	m.Update(uitest.Click(30, 4))
	if at, _ := m.table.Cursor(); at != 2 {
		t.Errorf("a click went to row %d", at)
	}
	m.Update(uitest.Click(30, 4))
	if !m.detail.IsOpen() {
		t.Error("a second click opens no details")
	}
	key := m.table.Key()
	m.Update(tea.MouseMsg{X: 110, Y: 6, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	if m.table.Key() != key {
		t.Error("the wheel over the details moved the cursor")
	}
	m.Back()
	at := strings.Index(strings.Split(m.View(), "\n")[1], "values")
	m.Update(uitest.Click(at, 1))
	if m.table.Sort().Column != "values" {
		t.Errorf("a click on values sorts by %q", m.table.Sort().Column)
	}
	uitest.Press(m, "s")
	m.Update(uitest.Click(30, 3))
	if at, _ := m.table.Cursor(); at != 0 && !m.Capturing() {
		t.Error("a click went behind the list of columns")
	}
}

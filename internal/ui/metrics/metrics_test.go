package metricsscreen

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// goldens draws a screen at every size; the program's header and footer take two
// lines.
func goldens(t *testing.T, m *Model, name string) {
	t.Helper()
	for _, size := range uitest.Sizes() {
		m.SetSize(size[0], size[1]-2)
		uitest.Golden(t, fmt.Sprintf("%s-%dx%d", name, size[0], size[1]), m.View())
	}
}

func TestGoldens(t *testing.T) {
	for _, ranks := range []int{0, 1, 8, 1024} {
		goldens(t, open(t, ofRanks(t, ranks), ""), fmt.Sprintf("%d-ranks", ranks))
	}
}

func TestGoldensOfCharts(t *testing.T) {
	for _, ranks := range []int{1, 8, 1024} {
		m := open(t, ofRanks(t, ranks), "")
		chartOf(t, m, "dl.grad_norm")
		uitest.Press(m, "left", "left", "left")
		goldens(t, m, fmt.Sprintf("gauge-%d", ranks))
		m.Back()
		chartOf(t, m, "nv.dl.training.tokens.processed")
		goldens(t, m, fmt.Sprintf("counter-%d", ranks))
		m.Back()
		chartOf(t, m, "megatron.training.step_duration_ms")
		goldens(t, m, fmt.Sprintf("histogram-%d", ranks))
	}
}

func TestGoldenInColour(t *testing.T) {
	m := New(theme.New(theme.Options{Profile: theme.ANSI256, Dark: true}))
	m.SetSize(80, 22)
	uitest.Give(t, m, uitest.Data(t, ofRanks(t, 8), ""))
	uitest.Golden(t, "colour-list-80x24", m.View())
	chartOf(t, m, "dl.grad_norm")
	uitest.Press(m, "left", "left")
	uitest.Golden(t, "colour-chart-80x24", m.View())
}

func TestEverySize(t *testing.T) {
	uitest.EverySize(t, open(t, ofRanks(t, 0), ""))
	m := open(t, ofRanks(t, 8), "")
	uitest.Press(m, "s")
	uitest.EverySize(t, m)
	uitest.Press(m, "esc")
	m.Back()
	for _, name := range []string{"dl.grad_norm", "megatron.training.step_duration_ms"} {
		chartOf(t, m, name)
		for _, keys := range [][]string{{"left", "+"}, {"b", "a", "v", "enter"}, {"w", "f", "x"}} {
			uitest.Press(m, keys...)
			uitest.EverySize(t, m)
		}
		uitest.Press(m, "esc")
		m.Back()
	}
}

func TestHostileText(t *testing.T) {
	for i, text := range uitest.Hostile() {
		f := newFeed(t)
		info := otlp.MetricInfo{Name: text, Unit: text, Description: text, Kind: otlp.Gauge}
		f.send(append(trainer(i), uitest.Text("host.name", text), uitest.Text("nv.dl.role", text)), info,
			pt(1, 1, uitest.Text(text, text)), pt(1, math.NaN(), uitest.Text(text, text+"2")), pt(5, 1, uitest.Text("k"+text, text)))
		m := New(theme.New(theme.Options{Profile: theme.TrueColor, Dark: true}))
		m.SetSize(120, 30)
		uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
		for _, keys := range [][]string{{"g"}, {"enter"}, {"b"}, {"b"}, {"b"}, {"left", "f", "x"}, {"enter", "a"}} {
			for _, width := range []int{40, 80, 160} {
				m.SetSize(width, 30)
				uitest.Harmless(t, m.View())
				uitest.Inside(t, m.View(), width, 30)
			}
			uitest.Press(m, keys...)
		}
	}
}

func FuzzChart(f *testing.F) {
	f.Add(1.0, 2.0, uitest.Start, uitest.Start+5*sec, 80, 24, uint8(0))
	f.Add(math.NaN(), math.Inf(-1), uint64(0), ^uint64(0), 1, 1, uint8(1))
	f.Add(-1e308, 1e308, uitest.Start, uitest.Start, 200, 60, uint8(2))
	f.Fuzz(func(t *testing.T, a, b float64, at, later uint64, width, height int, kind uint8) {
		width, height = width&0xff, height&0x3f
		s := newFeed(t)
		info := []otlp.MetricInfo{gauge("m"), counter("m"), histogram("m")}[kind%3]
		for rank := range 2 {
			p, q := otlp.DataPoint{Time: at, Value: run.DoubleValue(a)}, otlp.DataPoint{Time: later, Value: run.DoubleValue(b)}
			if info.Kind == otlp.Histogram {
				p.Count, p.Sum, p.HasSum, p.Min, p.HasMin, p.Buckets = 3, a, true, b, true, otlp.Buckets{Bounds: []float64{a}, Counts: []uint64{1, 2}}
				q.Count, q.Buckets = 1, otlp.Buckets{Counts: []uint64{1}}
			}
			s.send(trainer(rank), info, p, q)
		}
		m := New(theme.New(theme.Options{Profile: theme.ANSI16}))
		m.SetSize(width, height)
		uitest.Give(t, m, uitest.Data(t, s.Snapshot(), ""))
		for _, k := range []string{"enter", "left", "b", "b", "v", "a", "w", "+", "right", "v"} {
			uitest.Press(m, k)
			uitest.Inside(t, m.View(), width, height)
			uitest.Harmless(t, m.View())
		}
	})
}

func TestSorting(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), gauge("b"), pt(1, 5))
	f.send(trainer(0), gauge("a"), pt(1, math.NaN()))
	f.send(trainer(0), gauge("c"), pt(1, 9), pt(2, 7))
	m := open(t, f.Snapshot(), "")
	order := func() (out []string) {
		for i := range m.list.rows.Len() {
			out = append(out, m.list.rows.Key(i))
		}
		return out
	}
	check := func(want ...string) {
		t.Helper()
		if d := cmp.Diff(want, order()); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	}
	check("b", "a", "c")
	sortBy := func(column string) {
		uitest.Press(m, "s")
		if !m.Capturing() {
			t.Fatal("s asks for a column")
		}
		for _, r := range column {
			uitest.Press(m, string(r))
		}
		uitest.Press(m, "enter")
	}
	sortBy("max")
	check("c", "b", "a")
	uitest.Press(m, "S")
	check("b", "c", "a") // what has no value stays last
	sortBy("metric")
	check("a", "b", "c")
	uitest.Settle(m, m.Update(uitest.Click(4, 1)))
	check("c", "b", "a")
}

func TestFilter(t *testing.T) {
	m := open(t, ofRanks(t, 8), "rank=3 or gateway")
	if m.cell(t, "dl.loss", "series") != "1" {
		t.Errorf("\n%s", text(m))
	}
	m = open(t, ofRanks(t, 8), "loss")
	if m.list.rows.Len() != 1 {
		t.Errorf("a word is a part of a metric's name\n%s", text(m))
	}
	chartOf(t, m, "dl.loss")
	uitest.Give(t, m, uitest.Data(t, ofRanks(t, 8), "rank in (2,5)"))
	if d := cmp.Diff([]string{"A rank 2", "B rank 5"}, m.chart.column("label")); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	uitest.Give(t, m, uitest.Data(t, ofRanks(t, 8), "rank=99"))
	has(t, m, "No series of dl.loss matches the filter", "rank=99")
	m.Back()
	has(t, m, "No metric has a series that matches the filter")
}

func TestGroupings(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	c := chartOf(t, m, "dl.loss")
	if c.answer.By != "series" || len(c.groups) != 8 {
		t.Errorf("few series are shown one by one, not by %s", c.answer.By)
	}
	seen := []string{}
	for range 7 {
		seen = append(seen, c.answer.By)
		uitest.Press(m, "b")
	}
	if d := cmp.Diff([]string{"series", "rank", "pp", "dp", "tp", "all", "series"}, seen); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	uitest.Press(m, "B", "B")
	if c.answer.By != "all" || len(c.lines[c.groups[0].Key]) != 3 {
		t.Errorf("B goes back to %s", c.answer.By)
	}
	has(t, m, "A median of 8 series, thin: smallest and largest")
	big := open(t, ofRanks(t, 1024), "")
	if c := chartOf(t, big, "dl.loss"); c.answer.By != "all" {
		t.Errorf("1,024 series are shown by %s", c.answer.By)
	}
	uitest.Press(big, "b")
	has(t, big, "the first 8 of 1,024 lines and the one in focus")
	uitest.Press(big, "G")
	has(t, big, "* rank 1023")
	if m.chart.groupBy(m, "pp"); m.chart.by != "pp" {
		t.Error("the command groups")
	}
}

func (c *chart) groupBy(m *Model, by string) { uitest.Settle(m, m.groupBy(by)) }

func TestReadingAtATime(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), gauge("m"), pt(0, 10), pt(100, 20), pt(200, 30))
	m := open(t, f.Snapshot(), "")
	c := chartOf(t, m, "m")
	has(t, m, "at 08:56:40 now  30")
	uitest.Press(m, "left")
	if c.column("at")[0] != "20" {
		t.Errorf("a cell before the newest it is %s", c.column("at")[0])
	}
	at := c.at()
	f.send(trainer(0), gauge("m"), pt(300, 40))
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if c.at() != at || c.column("at")[0] != "20" || c.column("newest")[0] != "40" {
		t.Errorf("the cursor moved with the data: %s\n%s", c.column("at")[0], text(m))
	}
	uitest.Press(m, "$")
	if c.column("at")[0] != "40" || !math.IsNaN(c.time.cursor) {
		t.Errorf("$ is the newest: %s", c.column("at")[0])
	}
	for range 200 {
		uitest.Press(m, "<")
	}
	if c.column("at")[0] != "10" {
		t.Errorf("the oldest: %s", c.column("at")[0])
	}
	for range 200 {
		uitest.Press(m, ">")
	}
	if !math.IsNaN(c.time.cursor) {
		t.Error("beyond the newest the cursor stays with it")
	}
}

func TestZoom(t *testing.T) {
	f := newFeed(t)
	var points []otlp.DataPoint
	for i := range 100 {
		points = append(points, pt(10*i, float64(i)))
	}
	f.send(trainer(0), gauge("m"), points...)
	m := open(t, f.Snapshot(), "")
	c := chartOf(t, m, "m")
	uitest.Press(m, "+", "+")
	if from, to := c.span(); math.Abs((to-from)-990e9/4) > 1e6 || to != float64(points[99].Time) {
		t.Errorf("from %g to %g", from, to)
	}
	for range 10 {
		uitest.Press(m, "<")
	}
	from, to := c.span()
	if at := c.at(); at < from || at > to {
		t.Errorf("the cursor at %g is out of sight: %g … %g", at, from, to)
	}
	uitest.Press(m, "-")
	if a, b := c.span(); math.Abs((b-a)-990e9/2) > 1e6 {
		t.Errorf("zoomed out to %g", b-a)
	}
	uitest.Press(m, "z")
	if a, b := c.span(); b-a != 990e9 {
		t.Errorf("all of it is %g", b-a)
	}
}

func TestSeveralRuns(t *testing.T) {
	f := newFeed(t)
	for i, id := range []string{"first", "second", "third"} {
		service := "megatron-lm"
		if id == "third" {
			service = "other"
		}
		res := append(trainer(0), uitest.Text("nemo.run.id", id), uitest.Text("service.name", service))
		for k := range 6 {
			f.send(res, gauge("dl.loss"), pt(1000*i+10*k, float64(10*i+k)))
		}
	}
	s := f.Snapshot()
	m := open(t, s, "")
	c := chartOf(t, m, "dl.loss")
	uitest.Press(m, "c")
	if d := cmp.Diff([]string{"A first", "B second"}, c.column("label")); d != "" {
		t.Errorf("runs of this service (-want +got)\n%s", d)
	}
	has(t, m, "runs of this service, each from its beginning", "+50", "A", "B")
	if c.column("at")[0] != "5" || c.column("at")[1] != "15" {
		t.Errorf("at the end: %v", c.column("at"))
	}
	uitest.Press(m, "left", "left", "left", "left", "left", "left", "left", "left", "left", "left", "left", "left")
	if c.column("at")[0] != "4" && c.column("at")[0] != "3" || c.column("at")[1] != "1"+c.column("at")[0] {
		t.Errorf("at the same time after the beginning: %v", c.column("at"))
	}
	uitest.Press(m, "c")
	if c.runs != thisRun {
		t.Errorf("and back: %s", c.runs)
	}
	d := uitest.Data(t, s, "")
	d.Marks = (*screen.Marks)(nil).Toggled("third")
	uitest.Give(t, m, d)
	uitest.Press(m, "c")
	if d := cmp.Diff([]string{"A first", "B third"}, c.column("label")); d != "" || c.runs != markedRuns {
		t.Errorf("marked runs (-want +got)\n%s", d)
	}
	alone := newFeed(t)
	alone.send(trainer(0), gauge("m"), pt(1, 1))
	m = open(t, alone.Snapshot(), "")
	chartOf(t, m, "m")
	uitest.Press(m, "c")
	has(t, m, "nothing to compare with")
}

func TestNeighbours(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	chartOf(t, m, "dl.loss")
	uitest.Press(m, "]")
	if m.chart.name != "dl.grad_norm" || m.chart.answer.Metric == nil {
		t.Errorf("] goes to %s", m.chart.name)
	}
	uitest.Press(m, "[", "[")
	if name := m.chart.name; name == "dl.loss" || name == "dl.grad_norm" {
		t.Errorf("[ goes to %s", name)
	}
	for range 30 {
		uitest.Press(m, "[")
	}
	has(t, m, "there is no other metric in that direction")
	name := m.chart.name
	m.Back()
	if m.list.table.Key() != name {
		t.Errorf("the list is on %s", m.list.table.Key())
	}
}

// TestAChartIsAsItWasLeft when one comes back to it.
func TestAChartIsAsItWasLeft(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	c := chartOf(t, m, "nv.dl.training.tokens.processed")
	uitest.Press(m, "v", "b", "j", "j", "left", "left", "+")
	was := m.View()
	m.Release()
	uitest.Give(t, m, uitest.Data(t, ofRanks(t, 8), ""))
	if m.View() != was {
		t.Errorf("after another screen\n%s\nbefore\n%s", m.View(), was)
	}
	if !m.Back() || m.chart != nil || m.Back() {
		t.Fatal("Esc closes the chart, and then nothing is left to close")
	}
	uitest.Press(m, "enter")
	if m.chart != c || m.View() != was {
		t.Errorf("after Esc and Enter\n%s\nbefore\n%s", m.View(), was)
	}
	m.Back()
	m.Release()
	if m.last == nil || m.last.answer.Metric != nil {
		t.Error("the points of a closed chart are kept")
	}
	uitest.Give(t, m, uitest.Data(t, ofRanks(t, 8), ""))
	uitest.Press(m, "enter")
	if m.chart.by != c.by || m.chart.view != c.view || m.chart.time != c.time {
		t.Errorf("by %s in %s at %v", m.chart.by, m.chart.view, m.chart.time)
	}
}

func TestAnotherRun(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), gauge("m"), pt(1, 1))
	f.send(append(trainer(0), uitest.Text("nemo.run.id", "other")), gauge("n"), pt(1, 1))
	s := f.Snapshot()
	m := open(t, s, "")
	d := uitest.Data(t, s, "")
	d.Run = s.Runs[1].ID
	uitest.Give(t, m, d)
	if m.list.rows.Len() != 1 || m.list.rows.Key(0) != "n" {
		t.Errorf("\n%s", text(m))
	}
}

func TestFind(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	uitest.Press(m, "f")
	for _, r := range "tflops" {
		uitest.Press(m, string(r))
	}
	if m.list.table.Key() != "dl.throughput_tflops" || !m.Capturing() {
		t.Errorf("on %s", m.list.table.Key())
	}
	uitest.Press(m, "enter", "n")
	if m.list.table.Key() != "dl.throughput_tflops" || m.Capturing() {
		t.Errorf("n: on %s", m.list.table.Key())
	}
	m.Back()
	uitest.Press(m, "g", "f", "z", "z")
	has(t, m, "not found: zz")
	uitest.Press(m, "esc", "n")
	has(t, m, "nothing is looked for")
}

func TestCopiesAndExports(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	m.list.table.Select("dl.loss")
	if got := m.CopyText(); !strings.HasPrefix(got, "dl.loss  kind gauge") || !strings.Contains(got, "series 8") {
		t.Errorf("%q", got)
	}
	list := m.Export()
	if lines := strings.Split(list.Text, "\n"); list.Ext != "csv" || len(lines) != m.list.rows.Len()+2 || !strings.Contains(list.Text, "\ndl.loss,gauge,,") {
		t.Errorf("%s", list.Text)
	}
	c := chartOf(t, m, "dl.loss")
	uitest.Press(m, "j")
	if got := m.CopyText(); !strings.HasPrefix(got, "dl.loss  value  rank 1  at ") || !strings.Contains(got, "at cursor ") {
		t.Errorf("%q", got)
	}
	all, ok := m.Update(uitest.Key("Y"))().(screen.CopyMsg)
	if n := strings.Count(all.Text, "\n"); !ok || n != 1+len(c.linesOf(c.groups[1])[0].Points) || !strings.HasPrefix(all.Text, "time\tdl.loss\n2026-01-01T") {
		t.Errorf("%.200q", all.Text)
	}
	if e := m.Export(); !strings.HasPrefix(e.Text, "run,series,line,time_unix_nano,value,marks\nllama-70b,rank 0,,") {
		t.Errorf("%.200q", e.Text)
	}
	m.Back()
	chartOf(t, m, "megatron.training.step_duration_ms")
	if e := m.Export(); !strings.HasPrefix(e.Text, "run,series,above,to,count\nllama-70b,rank 0,") {
		t.Errorf("%.200q", e.Text)
	}
	if msg, ok := m.Update(uitest.Key("Y"))().(screen.NoticeMsg); !ok || !strings.Contains(msg.Text, "no line") {
		t.Errorf("%v", msg)
	}
	empty := open(t, ofRanks(t, 0), "")
	if !strings.Contains(empty.CopyText(), "export OTEL_EXPORTER_OTLP_ENDPOINT=") || empty.Export().Text != "" {
		t.Errorf("%q", empty.CopyText())
	}
}

func TestCommands(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	do := func(name, arg string) []tea.Msg {
		for _, c := range m.Commands() {
			if c.Name == name {
				if len(c.Values()) == 0 {
					t.Errorf("%s offers nothing", name)
				}
				return uitest.Settle(m, c.Do(arg))
			}
		}
		t.Fatalf("there is no command %s", name)
		return nil
	}
	do("metric", "grad_norm")
	if m.chart == nil || m.chart.name != "dl.grad_norm" {
		t.Fatalf("\n%s", text(m))
	}
	do("group", "host")
	if m.chart.answer.By != "host" {
		t.Errorf("by %s", m.chart.answer.By)
	}
	for arg, want := range map[string]string{"nosuch": "there is no metric nosuch", "dl.": "several metrics hold dl.: dl.loss"} {
		if msgs := do("metric", arg); len(msgs) != 1 || !strings.HasPrefix(msgs[0].(screen.NoticeMsg).Text, want) {
			t.Errorf("%s: %v", arg, msgs)
		}
	}
}

func TestEmptyStatesTeach(t *testing.T) {
	has(t, open(t, ofRanks(t, 0), ""), "Listening on")
	f := newFeed(t)
	b := otlp.NewBuilder(run.Logs)
	b.Resource(trainer(0), 0, "")
	b.Log(&run.Log{Time: uitest.Start, Body: run.StringValue("hello")})
	var batch otlp.Batch
	if err := batch.Decode(run.Logs, b.Bytes()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Put(t.Context(), &batch, run.Receipt{At: f.now}); err != nil {
		t.Fatal(err)
	}
	has(t, open(t, f.Snapshot(), ""), "This run has sent no metrics", "OTEL_METRIC_EXPORT_INTERVAL=10000")
}

func TestMouse(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	m.SetSize(120, 38)
	uitest.Settle(m, m.Update(uitest.Click(10, 5)))
	at := m.list.table.Key()
	uitest.Settle(m, m.Update(uitest.Click(10, 5)))
	if m.chart == nil || m.chart.name != at {
		t.Fatal("a second click opens no chart")
	}
	m.Back()
	c := chartOf(t, m, "dl.loss")
	uitest.Settle(m, m.Update(uitest.Click(60, 10)))
	if math.IsNaN(c.time.cursor) {
		t.Error("a click on the curves reads no values")
	}
	p := c.plot()
	if cell, _ := p.Column(p.Cursor); cell != 60-labelCells {
		t.Errorf("the cursor is in cell %d", cell)
	}
	wheel := func(b tea.MouseButton, y int) {
		uitest.Settle(m, m.Update(tea.MouseMsg{X: 60, Y: y, Action: tea.MouseActionPress, Button: b}))
	}
	wheel(tea.MouseButtonWheelUp, 10)
	if c.time.long == 0 {
		t.Error("the wheel over the curves does not zoom")
	}
	wheel(tea.MouseButtonWheelDown, 10)
	table := 38 - 1 - c.parts.table
	uitest.Settle(m, m.Update(uitest.Click(10, table+3)))
	if at, _ := c.table.Cursor(); at != 2 {
		t.Errorf("a click on the third line goes to %d", at)
	}
	for x := range 120 {
		if c.table.Hit(x, 0).Column == "max" {
			uitest.Settle(m, m.Update(uitest.Click(x, table)))
			break
		}
	}
	if c.table.Sort().Column != "max" {
		t.Error("a click on a heading does not sort")
	}
}

// TestKeysAreInHelp: every key that does something is listed, and none twice.
func TestKeysAreInHelp(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	check := func(what string) {
		t.Helper()
		listed := map[string]int{}
		for _, group := range m.FullHelp() {
			for _, b := range group {
				for _, k := range b.Keys() {
					listed[k]++
				}
				if b.Help().Desc == "" {
					t.Errorf("%v has no help", b.Keys())
				}
			}
		}
		for k, n := range listed {
			if n > 1 {
				t.Errorf("%s: %q is listed %d times", what, k, n)
			}
		}
		for _, a := range m.actions() {
			for _, k := range a.on.Keys() {
				if listed[k] != 1 {
					t.Errorf("%s: %q is not listed", what, k)
				}
			}
		}
		if n := len(m.ShortHelp()); n < 3 || n > 5 {
			t.Errorf("%s: %d keys in the footer", what, n)
		}
	}
	check("list")
	chartOf(t, m, "dl.loss")
	check("chart")
	m.Back()
	chartOf(t, m, "megatron.training.step_duration_ms")
	check("distribution")
	uitest.Press(m, "f")
	if !key.Matches(uitest.Key("esc"), m.ShortHelp()[1]) {
		t.Error("the footer does not say how to cancel")
	}
}

// TestAskingRestsBetweenAnswers to one question, and not before another.
func TestAskingRestsBetweenAnswers(t *testing.T) {
	var a asker[string, int]
	a.ask("q", func() int { return 1 })
	a.until.Store(math.MaxInt64 / 2)
	ctx := a.ctx
	cmd := a.ask("other", func() int { return 2 })
	if ctx.Err() == nil || a.until.Load() != 0 || cmd != nil {
		t.Error("another question waits for the rest of the one before")
	}
}

// hundredThousand is a run with 100,000 series of one metric.
func hundredThousand(b testing.TB) *store.Snapshot {
	f := newFeed(b)
	for i := range 3 {
		for from := 0; from < 100_000; from += 1000 {
			var list []otlp.DataPoint
			for k := from; k < from+1000; k++ {
				list = append(list, pt(10*i, float64(i*k), uitest.Int("session", k)))
			}
			f.send(trainer(0), counter("m"), list...)
		}
	}
	return f.Snapshot()
}

func BenchmarkKeyInList(b *testing.B) {
	m := open(b, ofRanks(b, 1024), "")
	for b.Loop() {
		m.Update(uitest.Key("j"))
		m.View()
	}
}

func BenchmarkKeyInChart(b *testing.B) {
	m := open(b, ofRanks(b, 1024), "")
	chartOf(b, m, "dl.loss")
	uitest.Press(m, "b")
	for b.Loop() {
		m.Update(uitest.Key("j"))
		m.View()
	}
}

// BenchmarkKeyIn100kSeries is a key among a hundred thousand groups.
func BenchmarkKeyIn100kSeries(b *testing.B) {
	m := open(b, hundredThousand(b), "")
	chartOf(b, m, "m")
	uitest.Press(m, "b")
	b.ReportMetric(float64(len(m.chart.groups)), "groups")
	for b.Loop() {
		m.Update(uitest.Key("j"))
		m.View()
	}
}

// BenchmarkTake100kSeries is what the event loop does when an answer arrives.
func BenchmarkTake100kSeries(b *testing.B) {
	m := open(b, hundredThousand(b), "")
	chartOf(b, m, "m")
	uitest.Press(m, "b")
	for b.Loop() {
		m.chart.take(m.chart.answer)
		m.View()
	}
}

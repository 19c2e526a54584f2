package metricsscreen

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

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

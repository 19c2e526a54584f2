package spansscreen

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// words is a line of a view, its columns by one blank.
func words(line string) string { return strings.Join(strings.Fields(line), " ") }

// line is the line of the view that holds a text.
func line(t *testing.T, view, part string) string {
	t.Helper()
	for _, l := range strings.Split(view, "\n") {
		if strings.Contains(l, part) {
			return words(l)
		}
	}
	t.Fatalf("%q is missing in:\n%s", part, view)
	return ""
}

// Nine steps of a second and one that the shutdown cut off two hours later.
func TestTruncatedStandsBesideTheFigures(t *testing.T) {
	f := newFeed(t)
	for i := range uint64(9) {
		f.send(trainer("r", 0), f.mk("train_step", i*sec, (i+1)*sec))
	}
	f.send(trainer("r", 0), f.mk("train_step", 9*sec, 7209*sec, truncated()))
	m := open(t, f.Snapshot(), "")
	m.SetSize(160, 40)
	heading, row := line(t, text(m), "count"), line(t, text(m), "train_step")
	want := "> train_step step iteration 9 1.00s 1.00s* 1.00s* 1.00s 1.00s 1.00s 9.00s 100.0% 1 0 0"
	if heading != "span class phase count p50 p95 p99 max mean min total share trunc invalid errors" || row != want {
		t.Errorf("the screen says\n  %s\n  %s\nwant\n  %s", heading, row, want)
	}
	for _, width := range []int{80, 120} {
		m.SetSize(width, 22)
		if got := line(t, text(m), "> 9 spans"); !strings.HasPrefix(got, "> 9 spans 1 truncated, not counted 100.0% of step time p99 1.00s*") {
			t.Errorf("%d cells: the row in focus says %q", width, got)
		}
	}
	uitest.Press(m, "enter")
	if got := line(t, text(m), "truncated"); !strings.Contains(got, "(2h00m)") && !strings.Contains(text(m), "(2h00m)") {
		t.Errorf("the truncated span itself is not shown with its mark:\n%s", text(m))
	}
	if got := column2(m, "duration"); len(got) != 10 || got[8] != "1.00s" || got[9] != "(2h00m)" {
		t.Errorf("durations %q, want the truncated one last and in brackets", got)
	}
}

// column2 is what a column of the list of the slowest shows.
func column2(m *Model, id string) []string {
	var out []string
	for i := range m.slow.rows.Len() {
		out = append(out, strings.TrimSpace(m.slow.rows.Cell(i, id).Text))
	}
	return out
}

// two is two runs of two ranks, the second ten times as slow.
func two(f *feed) {
	for k, id := range []string{"alpha", "beta"} {
		for rank := range 2 {
			long := uint64(rank+1) * ms
			if k == 1 {
				long *= 10
			}
			for i := range uint64(5) {
				f.send(trainer(id, rank), f.mk("op", i*sec, i*sec+long))
			}
		}
	}
}

func TestGroupingByRunShowsEveryRun(t *testing.T) {
	f := newFeed(t)
	two(f)
	m := open(t, f.Snapshot(), "")
	if got := column(m, "n"); !slices.Equal(got, []string{"10"}) {
		t.Errorf("names of the run in focus: counts %q", got)
	}
	group(m, "run rank")
	want := []string{"- run alpha", "- rank 0", "op", "- rank 1", "op", "- run beta", "- rank 0", "op", "- rank 1", "op"}
	if diff := cmp.Diff(want, column(m, "name")); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"2.00ms", "1.00ms", "1.00ms", "2.00ms", "2.00ms", "20.0ms", "10.0ms", "10.0ms", "20.0ms", "20.0ms"}, column(m, "max")); diff != "" {
		t.Errorf("each group has a maximum of its own (-want +got):\n%s", diff)
	}
	uitest.Press(m, "B")
	if got := column(m, "name"); !slices.Equal(got, []string{"op"}) {
		t.Errorf("B leaves %q", got)
	}
}

func TestGroupsAreLive(t *testing.T) {
	f := newFeed(t)
	two(f)
	m := open(t, f.Snapshot(), "")
	group(m, "run rank")
	uitest.Press(m, "j", "h") // rank 0 of alpha, folded
	key := m.table.Key()
	for i := range uint64(3) {
		f.send(trainer("alpha", 0), f.mk("op", 0, (100+i)*ms))
		f.send(trainer("aaa-new", 7), f.mk("other", 0, sec))
		uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
		if m.table.Key() != key {
			t.Fatalf("the cursor is on %q, was on %q", m.table.Key(), key)
		}
		at, _ := m.focus()
		if got := []string{strings.TrimSpace(m.shown.Cell(at, "name").Text), m.shown.Cell(at, "n").Text, m.shown.Cell(at, "max").Text}; got[0] != "+ rank 0" ||
			got[1] != fmt.Sprint(6+i) || got[2] != fmt.Sprintf("%dms", 100+i) {
			t.Errorf("after %d more spans the group says %q", i+1, got)
		}
	}
	if got := column(m, "name"); got[0] != "- run aaa-new" {
		t.Errorf("a run that came later is no group of its own: %q", got)
	}
}

func TestStaleAnswersAreDropped(t *testing.T) {
	f := newFeed(t)
	two(f)
	m := open(t, f.Snapshot(), "")
	old := m.groupBy([]string{"rank"})
	next := m.groupBy([]string{"host"})
	if next != nil {
		t.Error("two computations run beside each other")
	}
	cmds := m.Update(old())
	if strings.Contains(strings.Join(column(m, "name"), " "), "rank") {
		t.Error("the answer to what is not asked any more is shown")
	}
	if !strings.Contains(text(m), "adding up") {
		t.Errorf("it does not say that it is at work:\n%s", text(m))
	}
	uitest.Settle(m, cmds)
	if got := column(m, "name"); got[0] != "- host node-0" {
		t.Errorf("rows %q, want those by host", got)
	}
}

func TestFolding(t *testing.T) {
	f := newFeed(t)
	two(f)
	m := open(t, f.Snapshot(), "")
	group(m, "run rank")
	for _, step := range []struct {
		key   string
		rows  int
		focus string
	}{
		{"h", 6, "+ run alpha"}, {"h", 6, "+ run alpha"}, {"l", 10, "- run alpha"}, {"j", 10, "- rank 0"}, {"j", 10, "op"},
		{"h", 10, "- rank 0"}, {"o", 9, "+ rank 0"}, {"h", 9, "- run alpha"}, {"tab", 2, "+ run alpha"}, {"tab", 10, "- run alpha"},
		{"G", 10, "op"}, {"l", 10, "op"}, {"tab", 2, "+ run beta"}, {"right", 4, "- run beta"}, {"left", 2, "+ run beta"},
	} {
		uitest.Press(m, step.key)
		at, _ := m.focus()
		if got := strings.TrimSpace(m.shown.Cell(at, "name").Text); m.shown.Len() != step.rows || got != step.focus {
			t.Fatalf("after %s: %d rows, on %q; want %d and %q", step.key, m.shown.Len(), got, step.rows, step.focus)
		}
	}
}

func TestManyGroupsAreFoldedAtFirst(t *testing.T) {
	m := open(t, ofRanks(t, 1024), "")
	group(m, "run pp rank")
	if n := m.shown.Len(); n != 9 {
		t.Errorf("%d rows, want the run and its 8 stages", n)
	}
	group(m, "rank")
	if n := m.shown.Len(); n != 1024 {
		t.Errorf("%d rows, want the ranks", n)
	}
	uitest.Press(m, "j", "l")
	if at, _ := m.focus(); m.shown.list[at].shut || m.shown.Len() != 1024+len(m.shown.list[at].group.Groups) {
		t.Errorf("%d rows after one rank was unfolded", m.shown.Len())
	}
}

func TestSorts(t *testing.T) {
	f := newFeed(t)
	f.send(trainer("r", 0), f.mk("b", 0, 5*ms), f.mk("b", 0, 5*ms), f.mk("b", 0, 5*ms), f.mk("a", 0, 9*ms), f.mk("c", 0, ms), f.mk("d", 0, ms, truncated()))
	m := open(t, f.Snapshot(), "")
	for _, c := range []struct {
		column string
		want   string
	}{{"", "b a c d"}, {"max", "a b c d"}, {"n", "b a c d"}, {"truncated", "d b a c"}, {"name", "a b c d"}, {"total", "b a c d"},
		{"class", "b a c d"}, {"nothing", "b a c d"}} {
		if c.column != "" {
			m.table.SortBy(c.column)
			m.arrange()
		}
		if got := strings.Join(column(m, "name"), " "); got != c.want {
			t.Errorf("by %q: %s, want %s", c.column, got, c.want)
		}
	}
	uitest.Press(m, "S") // the other way
	if got := strings.Join(column(m, "name"), " "); m.table.Sort().Column != "class" || got != "b a c d" {
		t.Errorf("turned: %s by %s", got, m.table.Sort().Column)
	}
	for i := range 2 * len(columns(0)) {
		uitest.Press(m, []string{">", "<", ">"}[i%3])
		if got := column(m, "name"); len(got) != 4 {
			t.Errorf("by %+v rows are lost: %q", m.table.Sort(), got)
		}
	}
	m = open(t, f.Snapshot(), "")
	if uitest.Press(m, "S"); m.table.Sort().Column != "name" {
		t.Errorf("the first S sorts by %q", m.table.Sort().Column)
	}
}

func TestValuesSortAsNumbers(t *testing.T) {
	f := newFeed(t)
	for _, rank := range []int{10, 2, 1} {
		f.send(trainer("r", rank), f.mk("op", 0, uint64(rank)*ms, uitest.Text("k", fmt.Sprintf("v%d", rank))))
	}
	f.send([]run.Attr{uitest.Text("nemo.run.id", "r")}, f.mk("op", 0, ms))
	m := open(t, f.Snapshot(), "")
	group(m, "rank")
	uitest.Press(m, "tab")
	if got := strings.Join(column(m, "name"), " "); got != "+ rank 1 + rank 2 + rank 10 + rank –" {
		t.Errorf("at first: %s", got)
	}
	m.table.SortBy("name")
	uitest.Press(m, "S")
	if got := strings.Join(column(m, "name"), " "); got != "+ rank 10 + rank 2 + rank 1 + rank –" {
		t.Errorf("turned: %s", got)
	}
	group(m, "k")
	uitest.Press(m, "tab", "S")
	if got := strings.Join(column(m, "name"), " "); got != "+ k v1 + k v10 + k v2 + k –" {
		t.Errorf("an attribute: %s", got)
	}
}

func TestFilterNarrows(t *testing.T) {
	f := newFeed(t)
	two(f)
	s := f.Snapshot()
	m := open(t, s, "rank=1")
	if got := column(m, "n"); !slices.Equal(got, []string{"5"}) {
		t.Errorf("rank=1 counts %q", got)
	}
	uitest.Give(t, m, uitest.Data(t, s, "dur>1.5ms"))
	if got := column(m, "n"); !slices.Equal(got, []string{"5"}) || !strings.Contains(text(m), "over 20 retained of 20 spans") && !strings.Contains(text(m), "whole run") {
		t.Errorf("dur>1.5ms counts %q:\n%s", got, text(m))
	}
	uitest.Give(t, m, uitest.Data(t, s, "rank=99"))
	if view := text(m); !strings.Contains(view, "No span matches the filter") || !strings.Contains(view, "rank=99") {
		t.Errorf("a filter that nothing matches says:\n%s", view)
	}
}

func TestUnchangedDataCostNothing(t *testing.T) {
	f := newFeed(t)
	two(f)
	d := uitest.Data(t, f.Snapshot(), "")
	m := open(t, d.Snapshot, "")
	uitest.Give(t, m, d)
	if cmd := m.SetData(d); cmd != nil {
		t.Error("the same snapshot, run and filter started work")
	}
	if uitest.Press(m, "j"); m.Update(uitest.Key("k")) != nil {
		t.Error("a key on the same row started work")
	}
}

func TestEmptyStates(t *testing.T) {
	f := newFeed(t)
	m := New(plain())
	m.SetSize(80, 20)
	if got := text(m); !strings.Contains(got, "Nothing was found in these files") {
		t.Errorf("without anything:\n%s", got)
	}
	f.send(trainer("r", 0))
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if got := text(m); !strings.Contains(got, "No spans have arrived") && !strings.Contains(got, "has sent no spans yet") && !strings.Contains(got, "Nothing was found") {
		t.Errorf("a run without spans:\n%s", got)
	}
	m = open(t, ofRanks(t, 0), "")
	if got := m.CopyText(); got != `eval "$(lensview env)"`+"\n" {
		t.Errorf("without rows copied %q, want the lines for a job script", got)
	}
}

func TestCopies(t *testing.T) {
	f := newFeed(t)
	two(f)
	m := open(t, f.Snapshot(), "")
	group(m, "rank")
	uitest.Press(m, "l", "j")
	whole := func() string {
		for _, msg := range uitest.Press(m, "Y") {
			if c, ok := msg.(screen.CopyMsg); ok {
				return c.Text
			}
		}
		return ""
	}
	if got, all := m.CopyText(), whole(); got != "op" || !strings.HasPrefix(all, "rank 0, op  class other  count 5  p50 1.00ms  p95 1.00ms*") {
		t.Errorf("y copies %q, Y %q", got, all)
	}
	uitest.Press(m, "h")
	if got := m.CopyText(); got != "rank 0" {
		t.Errorf("of a rank y copies %q", got)
	}
	uitest.Press(m, "j", "enter")
	p, _ := m.slow.focus()
	if got, all := m.CopyText(), whole(); got != p.ID.String() || !strings.HasPrefix(all, "op  rank 0  1.00ms  trace 01") || !strings.HasSuffix(all, "  span "+got) {
		t.Errorf("of a span y copies %q, Y %q", got, all)
	}
	if m = open(t, ofRanks(t, 0), ""); whole() != "" {
		t.Error("Y copies nothing where nothing is")
	}
}

func TestMouse(t *testing.T) {
	f := newFeed(t)
	two(f)
	m := open(t, f.Snapshot(), "")
	group(m, "run rank")
	uitest.Press(m, "g")
	click := func(x, y int) []tea.Msg { return uitest.Settle(m, m.Update(uitest.Click(x, y))) }
	if click(2, 2); m.shown.Len() != 6 {
		t.Errorf("%d rows after a click on a folding mark, want 6", m.shown.Len())
	}
	click(2, 2)
	if click(40, 1); m.table.Sort().Column == "" {
		t.Error("a click on a heading does not sort")
	}
	if click(8, 4); m.slow != nil {
		t.Error("a first click on another row opens it")
	}
	if click(8, 4); m.slow == nil {
		t.Fatal("a second click on the row does not open it")
	}
	if got := click(8, 2); len(got) != 1 {
		t.Errorf("a click on the span in focus opens %v", got)
	}
	wheel := tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown}
	m.Update(wheel)
	uitest.Press(m, "esc", "b")
	if m.Update(wheel); m.prompt == nil {
		t.Error("the mouse closed the prompt")
	}
}

func TestWhatIsListed(t *testing.T) {
	f := newFeed(t)
	two(f)
	f.send(trainer("alpha", 0), f.mk("other", 0, ms))
	m := open(t, f.Snapshot(), "")
	for levels, want := range map[string]string{
		"name rank": "2 span names", "run": "2 runs", "rank": "2 ranks", "host": "1 host", "class": "1 group", "pp": "1 group", "host.name": "1 group", "phase": "1 phase",
	} {
		group(m, levels)
		if got := line(t, text(m), want); !strings.HasPrefix(got, want) {
			t.Errorf("by %s: %q", levels, got)
		}
	}
	for _, c := range []struct {
		by, value string
		known     bool
		want      string
	}{{"name", "op", true, "op"}, {"name", "", false, "(no name)"}, {"rank", "3", true, "rank 3"}, {"rank", "", false, "rank –"}} {
		if got := branchText(c.by, c.value, c.known); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

func TestWhyNothingIsListed(t *testing.T) {
	f := newFeed(t)
	f.send(trainer("r", 0), f.mk("op", 0, ms))
	d := uitest.Data(t, f.Snapshot(), "")
	m := New(plain())
	m.SetSize(80, 20)
	first := m.SetData(d)
	if got := text(m); !strings.HasPrefix(got, "Adding up the spans of this run.") {
		t.Errorf("while it adds up:\n%s", got)
	}
	uitest.Settle(m, first)
	b := otlp.NewBuilder(run.Logs)
	b.Resource(trainer("logs", 1), 0, "")
	b.Scope(run.Scope{})
	b.Log(&run.Log{Time: uitest.Start, Body: run.StringValue("hello")})
	var batch otlp.Batch
	if err := batch.Decode(run.Logs, b.Bytes()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Put(t.Context(), &batch, run.Receipt{At: f.now}); err != nil {
		t.Fatal(err)
	}
	d = uitest.Data(t, f.Snapshot(), "")
	d.Run = "logs"
	uitest.Give(t, m, d)
	if got := text(m); !strings.Contains(got, "This run has sent no spans yet.") || !strings.Contains(got, "NEMO_LENS_SPAN_GROUPS") {
		t.Errorf("a run that sends logs only:\n%s", got)
	}
	d.Run = "nobody"
	uitest.Give(t, m, d)
	if got := text(m); !strings.HasPrefix(got, "No spans have arrived yet.") {
		t.Errorf("no run in focus:\n%s", got)
	}
}

// The run in focus changes what is asked for, unless every run is shown.
func TestAnotherRunInFocus(t *testing.T) {
	f := newFeed(t)
	two(f)
	d := uitest.Data(t, f.Snapshot(), "")
	m := open(t, d.Snapshot, "")
	if got := column(m, "max"); !slices.Equal(got, []string{"2.00ms"}) {
		t.Errorf("of alpha: %q", got)
	}
	d.Run = "beta"
	uitest.Give(t, m, d)
	if got := column(m, "max"); !slices.Equal(got, []string{"20.0ms"}) {
		t.Errorf("of beta: %q", got)
	}
	group(m, "run")
	folded := m.question()
	d.Run = "alpha"
	uitest.Give(t, m, d)
	if m.question() != folded || m.shown.Len() != 4 {
		t.Errorf("of every run: %d rows, asked for %+v", m.shown.Len(), m.question())
	}
}

// A share stands only where spans of one name are together.
func TestSharesOfNamesOnly(t *testing.T) {
	f := newFeed(t)
	stepped(f)
	m := open(t, f.Snapshot(), "")
	for levels, want := range map[string][]string{
		"name":      {"100.0%", "59.7%"},
		"rank":      {"", "100.0%", "55.6%", "", "100.0%", "63.9%"},
		"name rank": {"100.0%", "100.0%", "100.0%", "59.7%", "55.6%", "63.9%"},
	} {
		group(m, levels)
		everything(m)
		if diff := cmp.Diff(want, column(m, "share")); diff != "" {
			t.Errorf("by %s (-want +got):\n%s", levels, diff)
		}
	}
}

func TestSummaryKeepsTheCoverage(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	group(m, "run pp rank")
	for width, want := range map[int]string{120: "by run, pp, rank  whole run, 816 spans", 80: "by run, pp, rank  whole run, 816 spans", 40: "by run, pp, rank  whole run", 30: "1 run  whole run"} {
		m.SetSize(width, 20)
		if got := strings.SplitN(text(m), "\n", 2)[0]; !strings.Contains(got, want) {
			t.Errorf("%d cells: %q, want %q in it", width, got, want)
		}
	}
}

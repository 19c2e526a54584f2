package spansscreen

import (
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// stepped is two ranks with four steps each; rank 1 takes longest in step 3.
func stepped(f *feed) {
	for rank := range 2 {
		for i := range uint64(4) {
			long := 500 * ms
			if rank == 1 && i == 2 {
				long = 800 * ms
			}
			step := f.mk("megatron.train_step", i*sec, i*sec+900*ms, uitest.Int("megatron.iteration", int(i)))
			fb := f.mk("megatron.forward_backward", i*sec, i*sec+long)
			fb.Parent = step.ID
			f.send(trainer("r", rank), fb, step)
		}
	}
}

func TestEnterListsTheSlowestAndOpensTheTrace(t *testing.T) {
	f := newFeed(t)
	stepped(f)
	m := open(t, f.Snapshot(), "")
	m.table.Select(keyOf("", m.seen.table.Groups[1]))
	uitest.Press(m, "enter")
	if !strings.Contains(text(m), "slowest of megatron.forward_backward  8 retained spans") {
		t.Fatalf("Enter shows:\n%s", text(m))
	}
	for id, want := range map[string]string{"duration": "800ms", "rank": "1", "iteration": "2", "start": "10-09 08:53:22.000", "host": "node-0",
		"marks": "", "name": "megatron.forward_backward", "run": "r"} {
		if got := column2(m, id)[0]; got != want {
			t.Errorf("the slowest's %s is %q, want %q", id, got, want)
		}
	}
	p := m.slow.rows.list[0]
	want := []tea.Msg{screen.OpenMsg{Screen: screen.Trace, Target: screen.Target{Run: "r", Process: 1, HasProcess: true,
		Iteration: 2, HasIteration: true, TraceID: uitest.TraceID(1), SpanID: p.ID}}}
	if diff := cmp.Diff(want, uitest.Press(m, "enter")); diff != "" {
		t.Errorf("Enter on the slowest (-want +got):\n%s", diff)
	}
	if !m.Back() || m.slow != nil || m.Back() {
		t.Error("Esc closes the list once")
	}
	if at, _ := m.focus(); m.shown.list[at].group.Value != "megatron.forward_backward" {
		t.Error("back in the table the cursor is on another row")
	}
}

func TestTheSlowestAreLive(t *testing.T) {
	f := newFeed(t)
	stepped(f)
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "j", "enter", "j", "j")
	key := m.slow.table.Key()
	f.send(trainer("r", 0), f.mk("megatron.forward_backward", 9*sec, 19*sec))
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if got := column2(m, "duration"); got[0] != "10.0s" || m.slow.table.Key() != key {
		t.Errorf("durations %q; the cursor moved: %v", got, m.slow.table.Key() != key)
	}
	if got := column2(m, "iteration"); got[0] != "–" {
		t.Errorf("a span outside of every step lies in iteration %q", got[0])
	}
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), "rank=9"))
	if len(column2(m, "duration")) != 0 || !strings.Contains(text(m), "none of these spans is retained") {
		t.Errorf("with a filter that nothing matches:\n%s", text(m))
	}
	if got := uitest.Press(m, "enter"); len(got) != 0 {
		t.Errorf("Enter on nothing opens %v", got)
	}
}

func TestTheSlowestOfAGroup(t *testing.T) {
	f := newFeed(t)
	two(f)
	f.send(trainer("beta", 1), f.mk("job", 0, 9*sec))
	m := open(t, f.Snapshot(), "")
	group(m, "run rank")
	uitest.Press(m, "G", "h", "enter")
	if !strings.Contains(text(m), "slowest of run beta, rank 1  6 retained spans") {
		t.Errorf("Enter on a group shows:\n%s", text(m))
	}
	if got := column2(m, "name"); !slices.Equal(got, []string{"job", "op", "op", "op", "op", "op"}) {
		t.Errorf("names %q", got)
	}
	if ids := m.slow.table.Columns(); slices.Contains(ids, "run") || slices.Contains(ids, "rank") || !slices.Contains(ids, "name") {
		t.Errorf("columns %q repeat what the group says, or leave out the name", ids)
	}
}

func TestMarksText(t *testing.T) {
	for mark, want := range map[run.Mark]string{
		0: "", run.Failed: "error", run.Truncated | run.Failed: "error, truncated", run.EndsBefore: "ends before it starts",
		run.ZeroStart | run.Open: "open, no start", run.Versions: "2 versions", run.OddTruncate: "odd hint of truncation", run.BadTime: "impossible time",
	} {
		if got := marksText(mark); got != want {
			t.Errorf("%b: %q, want %q", mark, got, want)
		}
	}
}

func TestImpossibleTimesHaveNoStart(t *testing.T) {
	f := newFeed(t)
	odd := f.mk("op", 0, sec)
	odd.Start = 0
	late := f.mk("op", 5*sec, 5*sec)
	late.End--
	f.send(nil, odd, late)
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "enter")
	if got := column2(m, "start"); !slices.Equal(got, []string{"10-09 08:53:25.000", "–"}) {
		t.Errorf("starts %q", got)
	}
	if got := column2(m, "rank"); got[0] != "–" {
		t.Errorf("a process without a rank has rank %q", got[0])
	}
	if got := column2(m, "duration"); got[0] != "(–)" {
		t.Errorf("a span without a duration has %q", got[0])
	}
}

package tracescreen

import (
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// TestTitlesSayWhatIsShown: rank, place, length, spans and coverage.
func TestTitlesSayWhatIsShown(t *testing.T) {
	s := simulated(t, small(), 12*time.Second)
	for name, test := range map[string]struct {
		m    *Model
		want []string
	}{
		"step":     {open(t, s, ""), []string{"rank 0  iteration 6  1.01s  tp0 pp0 dp0 gpu-0000  25 spans", "all received spans retained"}},
		"newer":    {pressed(open(t, s, ""), "{"), []string{"rank 0  iteration 1  ", "5 newer: }"}},
		"lanes":    {pressed(open(t, s, ""), "v"), []string{"2 ranks  iteration 6  50 spans", "dp peers of rank 0, by rank", "by clock, starts "}},
		"stages":   {pressed(open(t, s, ""), "v", "v"), []string{"pp stages of rank 0, by rank"}},
		"alike":    {pressed(open(t, s, ""), "v", "v", "v"), []string{"tp peers of rank 0, by rank"}},
		"filtered": {open(t, s, "microbatch"), []string{"10 of 25 spans", "15 hidden by the filter"}},
		"zoomed":   {pressed(open(t, s, ""), "+"), []string{"zoom +253ms … +758ms of 1.01s"}},
		"trace":    {openTrace(t, odd(t), uitest.TraceID(1)), []string{"trace 01000000  train_step  7 spans, 2 processes"}},
		"head":     {pressed(open(t, s, ""), "{", "["), []string{"rank 0  before the first step  "}},
		"service":  {open(t, deeplessService(t), ""), []string{"chat-7  no step finished  1.00s  1 span"}},
	} {
		got := test.m.View()
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is missing in\n%s", name, want, strings.Join(strings.Split(got, "\n")[:2], "\n"))
			}
		}
	}
}

// deeplessService is one span of a service without a rank.
func deeplessService(t testing.TB) *store.Store {
	f := newFeed(t)
	f.send([]run.Attr{uitest.Text("service.name", "chat"), uitest.Text("service.instance.id", "chat-7")}, f.mk("ask", 0, sec))
	return f.Store
}

// TestUnfinishedIsAnnounced where spans came after the newest step.
func TestUnfinishedIsAnnounced(t *testing.T) {
	m := open(t, simulated(t, hung(), 12*time.Second), "rank=4")
	if got := text(m); !strings.Contains(got, "unfinished spans: ]") {
		t.Errorf("nothing says that more came:\n%s", got)
	}
	uitest.Press(m, "]")
	if got := text(m); !strings.Contains(got, "rank 4  unfinished, after iteration 5") || !strings.Contains(got, "spans after the last step end") {
		t.Errorf("the unfinished step:\n%s", got)
	}
}

// TestSilenceIsTold: how long ago the rank sent its last span.
func TestSilenceIsTold(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), f.mk("train_step", 0, sec, uitest.Int("megatron.iteration", 1)), f.mk("data.next", sec, 2*sec))
	f.now += int64(95 * sec)
	m := open(t, f.Store, "")
	uitest.Press(m, "]")
	if got := text(m); !strings.Contains(got, "the newest came 95s ago") {
		t.Errorf("silence:\n%s", got)
	}
}

// TestNothingYet: the tail of a live run before anything has come.
func TestNothingYet(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), f.mk("train_step", 0, sec, uitest.Int("megatron.iteration", 1)))
	m := open(t, f.Store, "")
	uitest.Press(m, "]")
	if got := text(m); !strings.Contains(got, "Nothing has arrived since iteration 1 ended: a span arrives only when it ends.") {
		t.Errorf("an empty tail:\n%s", got)
	}
	f.send(trainer(0), f.mk("data.next", sec+100*ms, sec+200*ms))
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if got := names(m); got != "data.next\n" {
		t.Errorf("then:\n%s", got)
	}
}

// TestLegendNamesWhatOccurs, and only that.
func TestLegendNamesWhatOccurs(t *testing.T) {
	m := openTrace(t, odd(t), uitest.TraceID(1))
	m.SetSize(160, 45)
	got := m.legend()
	for _, want := range []string{"x 1 error ", "% 1 truncated", "o 1 open", "? 1 orphan ", "< 1 before its parent", "@ 1 other host", "! 1 no sane time",
		"# compute", ". wait", "+ io", "= other", "- around others"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	m = openTrace(t, deepless(t), uitest.TraceID(1))
	for k := range markCount {
		if strings.Contains(m.legend(), k.word()) {
			t.Errorf("%q does not occur: %q", k.word(), m.legend())
		}
	}
}

func TestMarksAreCounted(t *testing.T) {
	for want, got := range map[string]string{
		"1 error": failedMark.counted(1), "2 errors": failedMark.counted(2), "3 orphans": orphanMark.counted(3),
		"2 truncated": truncatedMark.counted(2), "1 before its parent": earlyMark.counted(1),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestNotesGoWithTheNextKey and do not stay on other data.
func TestNotesGoWithTheNextKey(t *testing.T) {
	s := simulated(t, small(), 12*time.Second)
	m := open(t, s, "")
	if uitest.Press(m, "x"); !strings.Contains(text(m), "no span here has an error") {
		t.Errorf("no note:\n%s", text(m))
	}
	if uitest.Press(m, "j"); m.note != "" {
		t.Errorf("note %q", m.note)
	}
	uitest.Press(m, "x")
	uitest.Give(t, m, uitest.Data(t, s.Snapshot(), "p2p"))
	if m.note != "" {
		t.Errorf("with another filter: %q", m.note)
	}
}

// TestEvictedPartSaysSo: a trace of which the first chunk is next to evicted ones.
func TestEvictedPartSaysSo(t *testing.T) {
	f := tight(t)
	job := f.mk("job", 0, 0)
	job.End = 0
	for n := range uint64(300) {
		var batch []run.Span
		for k := range uint64(500) {
			batch = append(batch, under(job, f.mk("op", n*sec+k, n*sec+k+ms, uitest.Text("pad", strings.Repeat("x", int(100+k%7))))))
		}
		f.send(trainer(0), batch...)
	}
	m := openTrace(t, f.Store, job.TraceID)
	if f.Snapshot().Runs[0].Accounts[run.Traces].Evicted == 0 {
		t.Fatal("nothing was evicted")
	}
	if got := text(m); !m.content.lost() || !strings.Contains(got, "part of it may be evicted") {
		t.Errorf("a trace with evicted spans:\n%s", strings.Join(strings.Split(got, "\n")[:3], "\n"))
	}
	m.SetSize(80, 12)
	if got := text(m); !strings.Contains(got, "partly evicted") {
		t.Errorf("on one line:\n%s", strings.Join(strings.Split(got, "\n")[:2], "\n"))
	}
}

// TestTruncatedJobDoesNotStretchTheStep: it is cut at the edge of the step's time.
// Its end says nothing against the iteration: only its details name it.
func TestTruncatedJobDoesNotStretchTheStep(t *testing.T) {
	c := small()
	c.OneTrace, c.Iterations = true, 8
	m := open(t, simulated(t, c, time.Hour), "")
	if long := m.extent().long(); long > 2e9 {
		t.Errorf("the step is %v ns long", long)
	}
	row, ok := m.rows.row(0, 0)
	cell := m.rows.Cell(row, "bar").Text
	if !ok || m.content.node(0, 0).Name() != "nv.dl.job" || !strings.HasPrefix(cell, "<-") {
		t.Errorf("the job is %q: %q", m.content.node(0, 0).Name(), cell)
	}
	if strings.Contains(text(m), "truncated") {
		t.Errorf("the iteration is marked:\n%s", text(m))
	}
	m.table.MoveTo(row)
	if uitest.Press(m, "enter"); !strings.Contains(text(m), "truncated: its end is the shutdown") {
		t.Errorf("the details do not say it:\n%s", text(m))
	}
}

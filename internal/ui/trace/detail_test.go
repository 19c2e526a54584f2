package tracescreen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// rich is a span with something in every field.
func rich(f *feed) run.Span {
	s := f.mk("rich.span", sec, 3*sec, uitest.Text("model", "gpt"), uitest.Int("tokens", 4096), uitest.Text("empty", ""),
		run.Attr{Key: "shape", Value: run.ArrayValue([]run.Value{run.IntValue(2), run.StringValue("x")})},
		run.Attr{Key: "ratio", Value: run.DoubleValue(0.5)}, run.Attr{Key: "on", Value: run.BoolValue(true)},
		run.Attr{Key: "raw", Value: run.BytesValue([]byte{1, 255})})
	s.Kind, s.Status, s.StatusMessage, s.TraceState, s.Flags = 3, run.StatusError, "it broke", "v=1", 0x101
	s.Events = []run.Event{{Time: s.Start + 500*ms, Name: "exception", Dropped: 2,
		Attrs: []run.Attr{uitest.Text("exception.stacktrace", "first line\nsecond line")}}}
	s.Links = []run.Link{{TraceID: uitest.TraceID(77), ID: uitest.SpanID(78), TraceState: "w=2", Attrs: []run.Attr{uitest.Text("why", "batch")}}}
	s.DroppedAttrs, s.DroppedEvents, s.DroppedLinks = 3, 4, 5
	return s
}

func richModel(t testing.TB) *Model {
	f := newFeed(t)
	root := f.mk("root", 0, 4*sec)
	f.send(trainer(0), root, under(root, rich(f)))
	m := openTrace(t, f.Store, root.TraceID)
	uitest.Press(m, "j", "enter")
	return m
}

// copied is what Y copies.
func copied(m *Model) string {
	for _, msg := range uitest.Press(m, "Y") {
		if c, ok := msg.(screen.CopyMsg); ok {
			return c.Text
		}
	}
	return ""
}

// lines is all lines of the details, as far as one scrolls.
func lines(m *Model) string {
	m.detail.pane.SetSize(m.detail.width, m.detail.pane.Len())
	return strings.Join(m.detail.pane.Visible(), "")
}

// TestDetailsTellEverything: attributes, events, links, resource, raw numbers.
func TestDetailsTellEverything(t *testing.T) {
	m := richModel(t)
	got := draw.ASCII(copied(m))
	for _, want := range []string{
		"rich.span\n", "x status error: it broke", "duration  2.00s   2,000,000,000 ns", "of parent  50.0%",
		"start  +1.00s   2025-10-09T08:53:21.000000000Z", "end  +3.00s   2025-10-09T08:53:23.000000000Z",
		"attributes 7, 3 dropped by the sender", "model  gpt", "tokens  4096", "empty  (empty string)", `shape  [2,"x"]`,
		"ratio  0.5", "on  true", "raw  0x01ff",
		"events 1, 4 dropped by the sender", "+500ms  exception", "exception.stacktrace  first line\nsecond line", "dropped  2 attributes",
		"links 1, 5 dropped by the sender", "trace  " + uitest.TraceID(77).String() + " span " + uitest.SpanID(78).String(), "trace state  w=2", "why  batch",
		"kind  client", "trace  " + uitest.TraceID(1).String(), "trace state  v=1", "flags  0x101",
		"as sent  start 1760000001000000000, end 1760000003000000000 ns",
		"scope\n", "test  1.0", "sent by rank 0", "resource 5", "service.name  megatron-lm",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// TestImpossibleTimesAreShownRaw is CASES 10: no date is made up, the numbers are
// there as they were sent.
func TestImpossibleTimesAreShownRaw(t *testing.T) {
	f := newFeed(t)
	root := f.mk("root", 0, 10*sec)
	bad := func(name string, start, end uint64) run.Span {
		s := under(root, f.mk(name, 0, 0))
		s.Start, s.End = start, end
		return s
	}
	f.send(trainer(0), root, bad("backwards", uitest.Start+sec, uitest.Start+sec-1), bad("zero start", 0, uitest.Start),
		bad("all ones", 1<<64-1, 1<<64-1), bad("milliseconds", 1760000000000, 1760000001000), bad("zero end", uitest.Start+sec, 0))
	m := openTrace(t, f.Store, root.TraceID)
	if m.extent().long() != float64(10*sec) {
		t.Errorf("the time shown is %v long", m.extent())
	}
	for range 6 {
		got := copied(m)
		for _, never := range []string{"1754", "1969", "1970-", "2554", "213503", "584", "106751d"} {
			if strings.Contains(got, never) {
				t.Errorf("%q in the details:\n%s", never, got)
			}
		}
		_, i, _ := m.focus()
		n := m.content.node(0, i)
		if raw := fmt.Sprintf("start %d, end %d ns", n.Start, n.End); !strings.Contains(got, raw) {
			t.Errorf("%q is missing:\n%s", raw, got)
		}
		uitest.Press(m, "j")
	}
	for i := range m.rows.Len() {
		if cell := m.rows.Cell(i, "time").Text; strings.ContainsAny(cell, "dy") {
			t.Errorf("row %d took %s", i, cell)
		}
	}
}

// TestRemarks are what the analysis says of a span: cases 20, 25, 26 and 28.
func TestRemarks(t *testing.T) {
	f := newFeed(t)
	job := f.mk("job", 0, 0)
	job.End = 0
	var all []run.Span
	for i := range uint64(50) {
		all = append(all, under(job, f.mk("step", i*sec, i*sec+sec)))
	}
	f.send(trainer(0), append(all, job)...)
	twice := under(job, f.mk("twice", 0, sec))
	f.send(trainer(0), twice)
	twice.Status = run.StatusError
	f.send(trainer(0), twice)
	cut := under(job, f.mk("cut", 0, 20*sec, run.Attr{Key: "nemo.span.truncated", Value: run.BoolValue(true)}))
	early := under(job, f.mk("early", 0, sec))
	early.Start -= 2 * sec
	f.send(trainer(0), cut)
	f.send(trainer(0, uitest.Text("host.name", "node2")), early)
	m := openTrace(t, f.Store, job.TraceID)
	for name, want := range map[string]string{
		"job":   "open since 08:53:20, >= 50 s",
		"twice": "2 versions of it were received, this is the last",
		"cut":   "truncated: its end is the shutdown, it is in no statistic",
		"early": "starts 2 s before its parent (other host: clock skew?)",
	} {
		uitest.Press(m, "f", "ctrl+u", name, "enter")
		if got := strings.ReplaceAll(copied(m), "≥", ">="); !strings.Contains(got, want) {
			t.Errorf("%s: %q is missing in\n%s", name, want, got)
		}
	}
	row, _ := m.rows.row(0, 0)
	if cell := m.rows.Cell(row, "time").Text; cell != "≥50.0s" {
		t.Errorf("the open job took %s", cell)
	}
}

func TestDetailsScroll(t *testing.T) {
	m := richModel(t)
	m.SetSize(80, 22)
	m.View()
	row, _ := m.table.Cursor()
	uitest.Press(m, "tab", "j", "j", "pgdown")
	at, _ := m.table.Cursor()
	if m.detail.pane.Offset() == 0 || at != row {
		t.Errorf("offset %d, the cursor moved from %d to %d", m.detail.pane.Offset(), row, at)
	}
	uitest.Press(m, "G")
	if !strings.Contains(text(m), fmt.Sprintf("of %d", m.detail.pane.Len())) || !strings.Contains(text(m), fmt.Sprintf("-%d of", m.detail.pane.Len())) {
		t.Errorf("at the end: offset %d of %d", m.detail.pane.Offset(), m.detail.pane.Len())
	}
	if uitest.Press(m, "g"); m.detail.pane.Offset() != 0 {
		t.Errorf("at the beginning: offset %d", m.detail.pane.Offset())
	}
	if uitest.Press(m, "tab", "k"); m.detail.focus || m.focusName() != "root" {
		t.Errorf("focus %v, on %q", m.detail.focus, m.focusName())
	}
	if !m.Back() || m.detail.open || m.Back() {
		t.Error("Esc closes the details, once")
	}
}

// TestDetailsFollowTheCursor and stay where they are while nothing moves.
func TestDetailsFollowTheCursor(t *testing.T) {
	m := richModel(t)
	uitest.Press(m, "tab", "j", "j", "tab")
	m.View()
	offset := m.detail.pane.Offset()
	uitest.Give(t, m, uitest.Data(t, m.data.Snapshot, ""))
	if m.View(); m.detail.pane.Offset() != offset {
		t.Errorf("the details jumped from %d to %d", offset, m.detail.pane.Offset())
	}
	uitest.Press(m, "k")
	if m.View(); m.detail.pane.Offset() != 0 || !strings.Contains(text(m), "root") {
		t.Errorf("offset %d:\n%s", m.detail.pane.Offset(), text(m))
	}
}

// TestLongValuesAreCut on screen, and whole in the copy.
func TestLongValuesAreCut(t *testing.T) {
	f := newFeed(t)
	long := strings.Repeat("0123456789", 2_000)
	s := f.mk("long", 0, sec, uitest.Text("prompt", long))
	for range maxEvents + 7 {
		s.Events = append(s.Events, run.Event{Time: s.Start, Name: "tick"})
	}
	f.send(trainer(0), s)
	m := openTrace(t, f.Store, s.TraceID)
	uitest.Press(m, "enter")
	m.View()
	if n := m.detail.pane.Len(); n > maxEvents+200 {
		t.Errorf("%d lines", n)
	}
	all := lines(m)
	if !strings.Contains(all, "(16,000 bytes more)") || !strings.Contains(all, "7 more; Y copies all") {
		t.Error("the details do not say what they left out")
	}
	if got := copied(m); !strings.Contains(got, long) || strings.Count(got, "tick") != maxEvents+7 {
		t.Error("the copy is not whole")
	}
}

func TestCopy(t *testing.T) {
	m := richModel(t)
	id := m.content.node(0, 1).ID().String()
	for _, keys := range [][]string{nil, {"tab"}, {"tab"}, {"esc"}} { // with details, in them, and without
		uitest.Press(m, keys...)
		if diff := cmp.Diff(id, m.CopyText()); diff != "" {
			t.Errorf("after %q y copies (-want +got):\n%s", keys, diff)
		}
	}
	m = open(t, uitest.Store(t, uitest.Training{Run: "r", Ranks: 4, Steps: 3, Slow: -1}), "")
	if got := m.CopyText(); got != m.content.node(0, 0).ID().String() {
		t.Errorf("a span of an iteration: %q", got)
	}
	uitest.Press(m, "v")
	if got := m.CopyText(); got != "rank 0 tp0 pp0 dp0 node-0000  iteration 3" {
		t.Errorf("a lane: %q", got)
	}
	nothing := open(t, newFeed(t).Store, "")
	if got := nothing.CopyText(); got != "" {
		t.Errorf("nothing: %q", got)
	}
	if got := copied(nothing); got != "" {
		t.Errorf("all of nothing: %q", got)
	}
}

// TestDetailsOfALane are those of its process.
func TestDetailsOfALane(t *testing.T) {
	m := open(t, uitest.Store(t, uitest.Training{Run: "r", Ranks: 4, Steps: 3, Slow: -1}), "")
	uitest.Press(m, "v", "tab")
	if got := copied(m); !strings.Contains(got, "spans here  3") || !strings.Contains(got, "service.instance.id  r-0") {
		t.Errorf("details of rank 0:\n%s", got)
	}
}

package logsscreen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestRecordsInOrderOfArrival(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(1), record(9, "second in time", 2), record(17, "third", 3))
	f.send(trainer(0), record(0, "first in time", 1))
	m := open(t, f.Snapshot(), "")
	for id, want := range map[string][]string{
		"said":  {"second in time", "third", "first in time"},
		"rank":  {"1", "1", "0"},
		"level": {"info", "x error", "· –"},
		"time":  {"08:53:22.000", "08:53:23.000", "08:53:21.000"},
		"host":  {"node-0", "node-0", "node-0"},
	} {
		if d := cmp.Diff(want, column(m, id)); d != "" {
			t.Errorf("%s (-want +got)\n%s", id, d)
		}
	}
}

func TestLevels(t *testing.T) {
	for _, test := range []struct {
		number uint8
		text   string
		want   level
	}{
		{0, "", unset}, {1, "", traceLevel}, {4, "", traceLevel}, {5, "", debugLevel}, {9, "", infoLevel}, {12, "", infoLevel},
		{13, "", warnLevel}, {17, "", errorLevel}, {20, "", errorLevel}, {21, "", fatalLevel}, {24, "", fatalLevel},
		{25, "ERROR", errorLevel}, {0, "WARNING", warnLevel}, {0, "Critical", fatalLevel}, {0, "err", errorLevel}, {0, "loud", unset},
		{9, "ERROR", infoLevel},
	} {
		rec := run.Log{Severity: test.number, SeverityText: test.text}
		if got := levelOf(&rec); got != test.want {
			t.Errorf("%d %q: %v, want %v", test.number, test.text, got, test.want)
		}
	}
}

func TestLeastSeverity(t *testing.T) {
	f := newFeed(t)
	f.some(0, 20)
	m := open(t, f.Snapshot(), "")
	if len(m.seen.shown) != 20 || m.seen.counts[errorLevel] != 2 || m.seen.counts[warnLevel] != 2 {
		t.Fatalf("%d records, counts %v", len(m.seen.shown), m.seen.counts)
	}
	for _, want := range []int{20, 4, 2, 20} { // info, warn, error, all
		uitest.Press(m, "s")
		if len(m.seen.shown) != want {
			t.Errorf("%v and worse: %d records, want %d", m.least, len(m.seen.shown), want)
		}
	}
	uitest.Press(m, "S")
	if d := cmp.Diff([]string{"record 9", "record 19"}, column(m, "said")); d != "" {
		t.Errorf("S goes back to errors (-want +got)\n%s", d)
	}
	if got := text(m); !strings.Contains(got, "2 records  error and worse  following") || !strings.Contains(got, "whole run  20 records, all held  x 2 error  ! 2 warn") {
		t.Errorf("summary:\n%s", text(m))
	}
}

func TestNothingIsThatSevere(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), record(9, "well", 1))
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "s", "s")
	if !strings.Contains(text(m), "No record is that severe") {
		t.Errorf("\n%s", text(m))
	}
	uitest.Press(m, "S", "S")
	if here(t, m) != "well" {
		t.Errorf("\n%s", text(m))
	}
}

func TestTheCursorStaysNearWhenSeverityHidesIt(t *testing.T) {
	f := newFeed(t)
	f.some(0, 30)
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "k", "k", "k", "k", "k", "k", "k", "k", "k", "k", "k", "k", "k") // record 16
	uitest.Press(m, "S")
	if got := here(t, m); got != "record 19" {
		t.Errorf("%q, want the next error", got)
	}
}

func TestFollow(t *testing.T) {
	f := newFeed(t)
	f.some(0, 20)
	m := open(t, f.Snapshot(), "")
	if here(t, m) != "record 19" {
		t.Fatalf("opens on %q", here(t, m))
	}
	f.some(20, 3)
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if here(t, m) != "record 22" {
		t.Errorf("following: %q", here(t, m))
	}
	uitest.Press(m, "k", "k")
	f.some(23, 5)
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if here(t, m) != "record 20" || m.news() != 5 || !strings.Contains(text(m), "5 new (F)") {
		t.Errorf("stopped: on %q, %d new\n%s", here(t, m), m.news(), text(m))
	}
	uitest.Press(m, "G")
	f.some(28, 1)
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if here(t, m) != "record 28" {
		t.Errorf("G follows again: %q", here(t, m))
	}
	uitest.Press(m, "F")
	f.some(29, 1)
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if here(t, m) != "record 28" || m.news() != 1 {
		t.Errorf("F stops: %q, %d new", here(t, m), m.news())
	}
	uitest.Press(m, "F")
	if here(t, m) != "record 29" || m.news() != len(m.seen.shown) && m.follow.on == false {
		t.Errorf("F follows: %q", here(t, m))
	}
}

func TestEvictionMovesNothing(t *testing.T) {
	f := newFeed(t, 4<<20)
	long := strings.Repeat("x", 400)
	i := 0
	more := func(n int) {
		for range n {
			f.send(trainer(0), record(9, fmt.Sprintf("%d %s", i, long), uint64(i)))
			i++
		}
	}
	more(600)
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "k", "k")
	was := here(t, m)
	more(200)
	s := f.Snapshot()
	if s.Runs[0].Accounts[run.Logs].Evicted == 0 {
		t.Fatal("nothing was evicted: the test is of no use")
	}
	uitest.Give(t, m, uitest.Data(t, s, ""))
	if here(t, m) != was {
		t.Errorf("on %.20q, was on %.20q", here(t, m), was)
	}
	recs := recordsOf(s.Runs[0])
	if got := recs.end - recs.first; got != s.Runs[0].Accounts[run.Logs].Kept || len(m.seen.shown) != int(got) {
		t.Errorf("%d numbers, %d shown of %d kept", got, len(m.seen.shown), s.Runs[0].Accounts[run.Logs].Kept)
	}
	if rec := recs.at(recs.first); rec == nil || !strings.HasPrefix(said(rec), fmt.Sprint(recs.first, " ")) {
		t.Error("a record's number is not its place in the order of arrival")
	}
	if want := fmt.Sprintf("whole run  800 records, %d still held  800 info", s.Runs[0].Accounts[run.Logs].Kept); !strings.Contains(text(m), want) {
		t.Errorf("%q is missing:\n%s", want, text(m))
	}
	m.SetSize(80, 12)
	if !strings.Contains(text(m), " older evicted") || strings.Contains(text(m), "whole run") {
		t.Errorf("eviction is not said where there is little room:\n%s", text(m))
	}
	more(2000)
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if at, _ := m.table.Cursor(); at != 0 || here(t, m) == "" {
		t.Errorf("evicted in focus: at row %d", at)
	}
}

// TestScanningAddsUp compares many small looks with one at everything.
func TestScanningAddsUp(t *testing.T) {
	f := newFeed(t, 4<<20)
	m := open(t, f.Snapshot(), "record")
	for i := range 40 {
		f.some(100*i, 97)
		uitest.Give(t, m, uitest.Data(t, f.Snapshot(), "not rank=2 and record"))
	}
	once := open(t, f.Snapshot(), "not rank=2 and record")
	if d := cmp.Diff(once.seen.shown, m.seen.shown); d != "" || len(m.seen.shown) == 0 {
		t.Errorf("(-at once +bit by bit)\n%s", d)
	}
}

func TestFilter(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), record(9, "forward is slow", 1, uitest.Text("where", "stage 1")), record(9, "all is well", 2))
	f.send(trainer(1), record(17, "collective timed out", 3, uitest.Int("dl.iteration", 7)))
	for filter, want := range map[string][]string{
		"":                    {"forward is slow", "all is well", "collective timed out"},
		"rank=1":              {"collective timed out"},
		"FORWARD":             {"forward is slow"},
		`where="stage 1"`:     {"forward is slow"},
		"iter=7 and rank=1":   {"collective timed out"},
		"rank=0 and not well": {"forward is slow"},
		"host=node-1":         nil,
	} {
		m := open(t, f.Snapshot(), filter)
		if d := cmp.Diff(want, column(m, "said")); d != "" {
			t.Errorf("%s (-want +got)\n%s", filter, d)
		}
		if want == nil && !strings.Contains(text(m), "No log record matches the filter") {
			t.Errorf("%s:\n%s", filter, text(m))
		}
	}
}

func TestAnotherRunStartsAnew(t *testing.T) {
	f := newFeed(t)
	f.some(0, 5)
	f.send(append(trainer(0), uitest.Text("nemo.run.id", "other")), record(9, "of another", 1))
	s := f.Snapshot()
	m := open(t, s, "")
	uitest.Press(m, "g")
	d := uitest.Data(t, s, "")
	d.Run = s.Runs[1].ID
	uitest.Give(t, m, d)
	if got := column(m, "said"); len(got) != 1 || got[0] != "of another" || !m.follow.on {
		t.Errorf("%v, following %v", got, m.follow.on)
	}
}

func TestReleaseKeepsTheCursorAndNoRecords(t *testing.T) {
	f := newFeed(t)
	f.some(0, 20)
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "g", "j", "j")
	was := here(t, m)
	m.Release()
	if m.records.chunks != nil || m.data.Snapshot.Runs[0].Logs != nil {
		t.Error("records are kept while the screen is not shown")
	}
	m.View()
	f.some(20, 5)
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if here(t, m) != was || m.news() != 5 {
		t.Errorf("on %q, was on %q; %d new", here(t, m), was, m.news())
	}
}

func TestJumpToTheTraceAndBack(t *testing.T) {
	f := newFeed(t)
	trace := uitest.TraceID(7)
	step := run.Span{TraceID: trace, ID: uitest.SpanID(1), Name: "megatron.train.iteration", Kind: 1, Start: uitest.Start, End: uitest.Start + sec,
		Attrs: []run.Attr{uitest.Int("megatron.iteration", 12)}}
	inner := run.Span{TraceID: trace, ID: uitest.SpanID(2), Parent: uitest.SpanID(1), Name: "forward", Kind: 1, Start: uitest.Start + 10, End: uitest.Start + sec/2}
	f.spans(trainer(3), step, inner)
	linked := record(17, "linked", 1)
	linked.TraceID, linked.SpanID = trace, uitest.SpanID(2)
	loose := record(9, "of a span that was not exported", 2)
	loose.TraceID, loose.SpanID = trace, uitest.SpanID(99)
	gone := record(9, "of a trace that was not exported", 3)
	gone.TraceID = uitest.TraceID(8)
	f.send(trainer(3), linked, loose, gone, record(9, "of no trace", 4))
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "g")
	process := 0
	want := screen.Target{Run: "r", Process: process, HasProcess: true, TraceID: trace, SpanID: uitest.SpanID(2), Iteration: 12, HasIteration: true}
	check := func(want screen.Target) {
		t.Helper()
		msgs := uitest.Press(m, "t")
		if len(msgs) != 1 {
			t.Fatalf("%q: messages %v", here(t, m), msgs)
		}
		if d := cmp.Diff(screen.OpenMsg{Screen: screen.Trace, Target: want}, msgs[0]); d != "" {
			t.Errorf("%q (-want +got)\n%s", here(t, m), d)
		}
	}
	check(want)
	uitest.Press(m, "j")
	check(screen.Target{Run: "r", Process: process, HasProcess: true, TraceID: trace, SpanID: uitest.SpanID(99)})
	uitest.Press(m, "j")
	if msgs := uitest.Press(m, "t"); len(msgs) != 0 || !strings.Contains(text(m), "is retained, or none was exported") {
		t.Errorf("%v\n%s", msgs, text(m))
	}
	uitest.Press(m, "G")
	if msgs := uitest.Press(m, "t"); len(msgs) != 0 || !strings.Contains(text(m), "belongs to no trace") {
		t.Errorf("%v\n%s", msgs, text(m))
	}
	uitest.Press(m, "g")
	uitest.Press(m, "t")
	m.Release()
	f.some(0, 50)
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if here(t, m) != "linked" {
		t.Errorf("back on %q", here(t, m))
	}
}

func TestJumpFollowsNoMore(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0), run.Span{TraceID: uitest.TraceID(7), ID: uitest.SpanID(1), Name: "s", Kind: 1, Start: uitest.Start, End: uitest.Start + sec})
	rec := record(9, "the newest", 1)
	rec.TraceID = uitest.TraceID(7)
	f.send(trainer(0), rec)
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "t")
	f.some(0, 3)
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if here(t, m) != "the newest" {
		t.Errorf("back on %q", here(t, m))
	}
}

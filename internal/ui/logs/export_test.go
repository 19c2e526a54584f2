package logsscreen

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestExport(t *testing.T) {
	f := newFeed(t)
	rec := record(17, "\x1b[31mtwo\nlines", 1, uitest.Int("count", 3))
	rec.TraceID, rec.SpanID, rec.SeverityText = uitest.TraceID(5), uitest.SpanID(6), "ERROR"
	f.send(trainer(3), rec, record(9, "well", 2))
	f.send([]run.Attr{uitest.Text("service.name", "gateway"), uitest.Text("nemo.run.id", "r")}, record(17, "no rank", 3))
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "S") // errors
	e := m.Export()
	lines := strings.Split(strings.TrimSuffix(e.Text, "\n"), "\n")
	if e.Ext != "jsonl" || len(lines) != 2 {
		t.Fatalf("%+v", e)
	}
	var got line
	if err := json.Unmarshal([]byte(lines[0]), &got); err != nil {
		t.Fatal(err)
	}
	if got.Body != "\x1b[31mtwo\nlines" || got.Time != rec.Time || got.Rank == nil || *got.Rank != 3 || got.Attrs["count"] != "3" ||
		got.Trace != uitest.TraceID(5).String() || got.Span != uitest.SpanID(6).String() || got.Severity != 17 || got.Host != "node-0" {
		t.Errorf("%+v: what was sent must be what is exported", got)
	}
	if strings.Contains(lines[1], `"rank"`) || !strings.Contains(lines[1], `"service":"gateway"`) {
		t.Errorf("a record without a rank: %s", lines[1])
	}
	if got := open(t, ofRanks(t, 0), "").Export(); got.Text != "" {
		t.Errorf("nothing to export: %+v", got)
	}
}

func TestSeverityByWord(t *testing.T) {
	f := newFeed(t)
	for i, n := range []uint8{1, 5, 9, 13, 17, 21} {
		f.send(trainer(0), record(n, "x", uint64(i)))
	}
	m := open(t, f.Snapshot(), "")
	c := m.Commands()[0]
	for word, want := range map[string]int{"all": 6, "trace": 6, "debug": 5, "info": 4, "warn": 3, "error": 2, "fatal": 1} {
		uitest.Settle(m, c.Do(word))
		if len(m.seen.shown) != want {
			t.Errorf("%s: %d records, want %d", word, len(m.seen.shown), want)
		}
	}
	if msgs := uitest.Settle(m, c.Do("loud")); len(msgs) != 1 || !strings.Contains(msgs[0].(screen.NoticeMsg).Text, "severities are all, trace") {
		t.Errorf("%v", msgs)
	}
	if got := c.Values(); len(got) != 4 || got[0] != "all" {
		t.Errorf("offers %v", got)
	}
	uitest.Settle(m, c.Do("fatal")) // between two of those that s goes through
	uitest.Press(m, "s")
	if m.least != unset {
		t.Errorf("after fatal comes %s", m.least)
	}
}

package main

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// clocks are those of a system, set by a test.
type clocks struct {
	wall  time.Time
	since time.Duration
}

func (c *clocks) read() (time.Time, time.Duration) { return c.wall, c.since }

func (c *clocks) pass(d time.Duration) { c.wall, c.since = c.wall.Add(d), c.since+d }

func TestSteady(t *testing.T) {
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	sys := &clocks{wall: noon}
	c := &steady{read: sys.read}
	for _, step := range []struct {
		what   string
		change func()
		want   time.Time
		behind time.Duration
	}{
		{"the start", func() {}, noon, 0},
		{"a second", func() { sys.pass(time.Second) }, noon.Add(time.Second), 0},
		{"a day back", func() { sys.wall = sys.wall.Add(-24 * time.Hour) }, noon.Add(time.Second), 24 * time.Hour},
		{"a minute there", func() { sys.pass(time.Minute) }, noon.Add(61 * time.Second), 24 * time.Hour},
		{"set right", func() { sys.wall = sys.wall.Add(24 * time.Hour) }, noon.Add(61 * time.Second), 0},
		{"a little back", func() { sys.wall = sys.wall.Add(-time.Second) }, noon.Add(61 * time.Second), 0},
		{"an hour forward", func() { sys.wall = sys.wall.Add(time.Hour) }, noon.Add(time.Hour + 60*time.Second), 0},
	} {
		step.change()
		if got := c.Now(); !got.Equal(step.want) || c.behind != step.behind {
			t.Errorf("%s: %v and %v behind, want %v and %v", step.what, got, c.behind, step.want, step.behind)
		}
	}
	if c.Version() != 2 {
		t.Errorf("%d changes, want 2", c.Version())
	}
	if c := newSteady(); time.Until(c.Now()).Abs() > time.Minute {
		t.Error("the real one tells another time")
	}
}

func oneSpan(i int) string {
	return fmt.Sprintf(`{"resourceSpans":[{"resource":{"attributes":[{"key":"nemo.run.id","value":{"stringValue":"r"}},{"key":"nv.dl.rank","value":{"intValue":"0"}}]},
"scopeSpans":[{"spans":[{"traceId":"000000000000000000000000000000%02x","spanId":"0000000000000001","name":"step","startTimeUnixNano":"1767355200000000000","endTimeUnixNano":"1767355200000000001"}]}]}]}`, i+1)
}

// A rank that sends once a second is never silent, whatever is done to the clock of
// the receiver's host, and the screens say what was done.
func TestClockPutBackIsNoSilence(t *testing.T) {
	sys := &clocks{wall: time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)}
	c := &steady{read: sys.read}
	n := newNoted(store.Config{Clock: c.unix, Receiver: func() run.Receiver { return run.Receiver{} }})
	n.also = append(n.also, c)
	for i := range 60 {
		sys.pass(time.Second)
		switch i {
		case 20:
			sys.wall = sys.wall.Add(-24 * time.Hour)
		case 40:
			sys.wall = sys.wall.Add(48 * time.Hour)
		}
		now := c.unix()
		var b otlp.Batch
		if err := b.DecodeJSON(run.Traces, []byte(oneSpan(i)), otlp.JSONOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := n.Put(context.Background(), &b, run.Receipt{At: now, Sender: "a"}); err != nil {
			t.Fatal(err)
		}
		n.Tick(c.unix())
		s := n.Snapshot()
		if silent := s.Now - s.Runs[0].Processes[0].Last; !s.Live || silent != 0 {
			t.Errorf("second %d: live %v, silent for %v", i, s.Live, time.Duration(silent))
		}
		told := len(s.Notices) > 0 && strings.Contains(s.Notices[0].Text, "put back: receive times go on from before and are 24h0m0s ahead")
		if want := i >= 20 && i < 40; told != want {
			t.Errorf("second %d: told %v, want %v: %+v", i, told, want, s.Notices)
		}
	}
}

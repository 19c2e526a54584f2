package store

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// put adds a bare row.
func (c *chunkWriter) testRow(n uint64, marks run.Mark) {
	c.add(&row{start: t0 + n, end: t0 + n + 1, id: spanID(n), trace: c.trace(traceID(n / 4)), marks: marks, attrAt: uint32(len(c.cols.attrs))})
}

func TestColumnsGrowInSteps(t *testing.T) {
	c := newChunkWriter(1, newDict(nil), firstRows, 0)
	var room []int
	for n := range uint64(chunkRows) {
		c.testRow(n, 0)
		if k := cap(c.cols.start); len(room) == 0 || room[len(room)-1] != k {
			room = append(room, k)
		}
	}
	if want := []int{64, 256, 1024, 4096}; !slices.Equal(room, want) {
		t.Errorf("room = %v, want %v", room, want)
	}
	if !c.isFull() || c.Len() != chunkRows {
		t.Errorf("full %v at %d rows", c.isFull(), c.Len())
	}
	for n := range uint64(chunkRows) {
		if c.ID(int(n)) != spanID(n) || c.TraceID(int(n)) != traceID(n/4) {
			t.Fatalf("row %d is %s of %s", n, c.ID(int(n)), c.TraceID(int(n)))
		}
	}
}

func TestClosingGivesRoomBack(t *testing.T) {
	c := newChunkWriter(1, newDict(nil), chunkRows, 1<<20)
	for n := range uint64(100) {
		c.testRow(n, 0)
	}
	before := c.size()
	c.close([]Name{{Text: "x"}})
	if after := c.size(); after > before/20 {
		t.Errorf("size %d, was %d", after, before)
	}
	if c.Len() != 100 || c.ID(99) != spanID(99) || !c.MayHaveTrace(traceID(24)) || c.bloom == nil {
		t.Error("rows were lost")
	}
	if c.Name(0) != "x" {
		t.Errorf("name = %q", c.Name(0))
	}
}

func TestPop(t *testing.T) {
	c := newChunkWriter(1, newDict(nil), firstRows, 0)
	c.testRow(1, 0)
	c.addExtra([]byte("own"), []byte("fields"))
	c.testRow(2, 0)
	c.pop()
	c.cols.attrs = append(c.cols.attrs, 1, 2, 3)
	c.addExtra(nil, []byte("x"))
	c.testRow(3, 0)
	if c.Len() != 2 || c.ID(1) != spanID(3) {
		t.Errorf("%d rows, the last is %s", c.Len(), c.ID(1))
	}
	if name, fields := c.extra(1); name != "" || string(fields) != "x" {
		t.Errorf("extra = %q, %q", name, fields)
	}
	if name, fields := c.extra(0); name != "" || fields != nil {
		t.Errorf("extra of a row without: %q, %q", name, fields)
	}
}

func TestSendersOfRows(t *testing.T) {
	a, b := &sender{name: "a"}, &sender{name: "b"}
	c := newChunkWriter(1, newDict(nil), firstRows, 0)
	for i, s := range []*sender{a, a, b, b, b, a} {
		c.sentBy(s)
		c.testRow(uint64(i), 0)
	}
	c.kill(3)
	var who string
	for i := range c.Len() {
		who += c.senderOf(i).name
	}
	if who != "aabbba" {
		t.Errorf("senders = %s", who)
	}
	var got []string
	c.eachSender(func(s *sender, live int) { got = append(got, fmt.Sprint(s.name, live)) })
	if want := []string{"a2", "b2", "a1"}; !slices.Equal(got, want) {
		t.Errorf("live rows = %v, want %v", got, want)
	}
}

func TestKillingCopiesWhatAViewHolds(t *testing.T) {
	c := newChunkWriter(1, newDict(nil), firstRows, 0)
	for n := range uint64(3) {
		c.testRow(n, 0)
	}
	c.kill(0)
	old := c.look(nil)
	if c.look(nil) != old {
		t.Error("a view of an unchanged chunk was made anew")
	}
	c.kill(2)
	now := c.look(nil)
	got := []any{old.Dead(0), old.Dead(2), old.Live(), now.Dead(0), now.Dead(2), now.Live()}
	if d := cmp.Diff([]any{true, false, 2, true, true, 1}, got); d != "" {
		t.Errorf("differs (-want +got):\n%s", d)
	}
}

func TestTimeRangeLeavesBadTimesOut(t *testing.T) {
	c := newChunkWriter(1, newDict(nil), firstRows, 0)
	if _, _, ok := c.TimeRange(); ok {
		t.Error("an empty chunk has a time range")
	}
	c.testRow(1<<62, run.BadTime)
	if _, _, ok := c.TimeRange(); ok {
		t.Error("a bad time is a time range")
	}
	c.testRow(5, 0)
	c.testRow(9, run.Truncated)
	if from, to, ok := c.TimeRange(); !ok || from != t0+5 || to != t0+10 {
		t.Errorf("range = %d … %d", from-t0, to-t0)
	}
}

func TestProcessesOfAChunk(t *testing.T) {
	c := newChunkWriter(1, newDict(nil), firstRows, 0)
	places := []uint16{c.process(3), c.process(16000), c.process(64)}
	if d := cmp.Diff([]uint16{0, 1, 2}, places); d != "" {
		t.Errorf("places differ:\n%s", d)
	}
	v := c.look(nil)
	c.process(5) // after the view was made
	for p, want := range map[int]int{3: 0, 16000: 1, 64: 2, 5: -1, 0: -1, 99999: -1} {
		if got := v.localProcess(p); got != want {
			t.Errorf("process %d is at %d, want %d", p, got, want)
		}
	}
}

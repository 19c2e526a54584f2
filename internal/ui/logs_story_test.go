package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// say puts log records into a store, of rank 2 of the fixture's run: n of them,
// record i within the step i of that rank.
func say(t *testing.T, s *store.Store, from, n int) {
	t.Helper()
	b := otlp.NewBuilder(run.Logs)
	b.Resource([]run.Attr{uitest.Text("service.name", "megatron-lm"), uitest.Text("nemo.run.id", "first"), uitest.Text("nemo.user.id", "ada"),
		uitest.Text("host.name", "node-0000"), uitest.Text("service.instance.id", "first-2"), uitest.Int("process.pid", 1002),
		uitest.Int("dl.rank", 2), uitest.Int("dl.world_size", 4)}, 0, "")
	for i := from; i < from+n; i++ {
		b.Log(&run.Log{Time: uitest.Start + uint64(i)*1e9, Severity: 17, Body: run.StringValue(fmt.Sprintf("trouble in step %d", i)),
			TraceID: uitest.TraceID(2<<32 | uint64(i)), SpanID: uitest.SpanID(2<<40 | uint64(i)<<8 | 2)})
	}
	var batch otlp.Batch
	if err := batch.Decode(run.Logs, b.Bytes()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(t.Context(), &batch, run.Receipt{At: int64(uitest.Start) + 20e9, Sender: "10.0.0.1"}); err != nil {
		t.Fatal(err)
	}
}

// A person reads a record, goes to its trace, and comes back to it, though more
// records came meanwhile.
func TestFromARecordToItsTraceAndBack(t *testing.T) {
	s := uitest.Store(t, uitest.Training{Run: "first", Ranks: 4, Steps: 9, Slow: 2})
	say(t, s, 1, 6)
	p := start(t, s.Snapshot(), func(o *Options) { o.Screens = Screens(o.Theme) })
	p.press("0", "k", "k")
	at := p.cursorLine()
	p.press("t")
	p.wants(p.header(), "7 Trace")
	p.wants(p.view(), "rank 2  iteration 4")
	p.wants(p.cursorLine(), "forward_backward")
	say(t, s, 7, 2)
	p.source.snap = s.Snapshot()
	p.tick()
	p.press("esc")
	p.wants(p.header(), "0 Logs")
	p.wants(p.view(), "2 new (F)")
	if got := p.cursorLine(); got != at || !strings.Contains(at, "trouble in step 4") {
		t.Errorf("back on %q, left %q", got, at)
	}
}

// cursorLine is the first line that bears the cursor.
func (p *program) cursorLine() string {
	for _, line := range strings.Split(p.view(), "\n") {
		if strings.HasPrefix(line, ">") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

package logsscreen

import (
	"context"
	"fmt"
	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var _ = uitest.Flag()

const sec = uint64(1e9)

// feed is a store that a test fills.
type feed struct {
	testing.TB
	*store.Store
	now int64
}

func newFeed(t testing.TB, budget ...uint64) *feed {
	f := &feed{TB: t, now: int64(uitest.Start)}
	c := store.Config{Clock: func() int64 { return f.now }}
	if len(budget) > 0 {
		c.Budget = budget[0]
	}
	f.Store = store.New(c)
	return f
}

// trainer is the resource of a rank of run r.
func trainer(rank int, more ...run.Attr) []run.Attr {
	return append([]run.Attr{
		uitest.Text("service.name", "megatron-lm"), uitest.Text("nemo.run.id", "r"), uitest.Text("host.name", "node-0"),
		uitest.Int("dl.rank", rank), uitest.Int("dl.world_size", 4),
	}, more...)
}

// record is one of a severity, made so many seconds after the start.
func record(severity uint8, body string, at uint64, attrs ...run.Attr) run.Log {
	return run.Log{Time: uitest.Start + at*sec, Severity: severity, Body: run.StringValue(body), Attrs: attrs}
}

func (f *feed) send(resource []run.Attr, logs ...run.Log) {
	f.Helper()
	b := otlp.NewBuilder(run.Logs)
	b.Resource(resource, 0, "")
	b.Scope(run.Scope{Name: "test"})
	for i := range logs {
		b.Log(&logs[i])
	}
	f.put(run.Logs, b)
}

func (f *feed) spans(resource []run.Attr, spans ...run.Span) {
	f.Helper()
	b := otlp.NewBuilder(run.Traces)
	b.Resource(resource, 0, "")
	b.Scope(run.Scope{Name: "test"})
	for i := range spans {
		b.Span(&spans[i])
	}
	f.put(run.Traces, b)
}

func (f *feed) put(signal run.Signal, b *otlp.Builder) {
	f.Helper()
	var batch otlp.Batch
	if err := batch.Decode(signal, b.Bytes()); err != nil {
		f.Fatal(err)
	}
	if _, err := f.Put(context.Background(), &batch, run.Receipt{At: f.now, Sender: "test"}); err != nil {
		f.Fatal(err)
	}
}

// some is n records, every fifth a warning and every tenth an error.
func (f *feed) some(from, n int) {
	for i := from; i < from+n; i++ {
		severity := uint8(9)
		switch {
		case i%10 == 9:
			severity = 17
		case i%5 == 4:
			severity = 13
		}
		f.send(trainer(i%4), record(severity, fmt.Sprintf("record %d", i), uint64(i)))
	}
}

func simulated(t testing.TB, c simulate.Config, until time.Duration) *store.Snapshot {
	t.Helper()
	f := simtest.New(t, c, store.Config{})
	f.Keep = simtest.Only(run.Traces, run.Logs)
	return f.Until(until)
}

// ofRanks is a simulated run of 1, 8 or 1,024 ranks; of none an empty store.
func ofRanks(t testing.TB, ranks int) *store.Snapshot {
	t.Helper()
	c := simulate.Config{Seed: 11, RunID: "llama-70b", Iterations: 8, Microbatches: 4, LogEvery: 2, ExportEvery: time.Second, Detail: simulate.StepOnly, CheckpointEvery: 3, NaNEvery: 4, Faults: []simulate.Fault{simulate.Hang{Rank: 0, Iteration: 6}}}
	switch ranks {
	case 0:
		return uitest.Snapshot(t)
	case 8:
		c.TP, c.PP, c.DP = 2, 2, 2
	case 1024:
		c.TP, c.PP, c.DP, c.Iterations, c.Faults = 8, 8, 16, 2, nil
		thousand.once.Do(func() { thousand.snapshot = simulated(t, c, time.Minute) })
		return thousand.snapshot
	}
	return simulated(t, c, 2*time.Minute)
}

// thousand is made once: a snapshot never changes.
var thousand struct {
	once     sync.Once
	snapshot *store.Snapshot
}

func plain() theme.Theme { return theme.New(theme.Options{ASCII: true}) }

func open(t testing.TB, s *store.Snapshot, filter string) *Model {
	t.Helper()
	m := New(plain())
	m.SetSize(120, 40)
	uitest.Give(t, m, uitest.Data(t, s, filter))
	return m
}

// text is the view in ASCII without blanks at the ends.
func text(m *Model) string {
	lines := strings.Split(draw.ASCII(m.View()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// column is what a column shows, row by row.
func column(m *Model, id string) []string {
	r := rows{theme: m.theme, records: &m.records, list: m.seen.shown, dates: clockMillis}
	var out []string
	for i := range r.Len() {
		out = append(out, strings.TrimSpace(r.Cell(i, id).Text))
	}
	return out
}

// here is what the record in focus says.
func here(t testing.TB, m *Model) string {
	t.Helper()
	rec, ok := m.focus()
	if !ok {
		return ""
	}
	return said(rec)
}

package query

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

const (
	t0  = uint64(1_760_000_000_000_000_000) // 2025-10-09T08:53:20Z
	ms  = uint64(1_000_000)
	sec = 1000 * ms
)

func str(k, v string) run.Attr         { return run.Attr{Key: k, Value: run.StringValue(v)} }
func num(k string, v int64) run.Attr   { return run.Attr{Key: k, Value: run.IntValue(v)} }
func dbl(k string, v float64) run.Attr { return run.Attr{Key: k, Value: run.DoubleValue(v)} }
func yesNo(k string, v bool) run.Attr  { return run.Attr{Key: k, Value: run.BoolValue(v)} }

// feed is a store that tests fill through its front door.
type feed struct {
	testing.TB
	*store.Store
	ids uint64
}

func newFeed(t testing.TB) *feed {
	return &feed{TB: t, Store: store.New(store.Config{Clock: func() int64 { return int64(t0) }})}
}

// mk is a finished span with an id of its own; times are ns after t0.
func (f *feed) mk(name string, from, to uint64, attrs ...run.Attr) run.Span {
	f.ids++
	s := run.Span{Name: name, Kind: 1, Start: t0 + from, End: t0 + to, Attrs: attrs}
	s.TraceID[0] = 0x5b
	binary.BigEndian.PutUint64(s.TraceID[8:], f.ids)
	binary.BigEndian.PutUint64(s.ID[:], f.ids)
	return s
}

func (f *feed) spans(resource []run.Attr, spans ...run.Span) {
	f.Helper()
	b := otlp.NewBuilder(run.Traces)
	b.Resource(resource, 0, "")
	for i := range spans {
		b.Span(&spans[i])
	}
	var batch otlp.Batch
	if err := batch.Decode(run.Traces, b.Bytes()); err != nil {
		f.Fatal(err)
	}
	if _, err := f.Put(context.Background(), &batch, run.Receipt{At: int64(t0), Sender: "test"}); err != nil {
		f.Fatal(err)
	}
}

func (f *feed) run() *store.Run {
	f.Helper()
	s := f.Snapshot()
	if len(s.Runs) == 0 {
		f.Fatal("the snapshot has no run")
	}
	return s.Runs[0]
}

func bind(t testing.TB, r *store.Run, text string) *Matcher {
	t.Helper()
	f, err := Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return f.Bind(r)
}

// hits is the tags (attribute "tag") of the spans that match.
func hits(t testing.TB, r *store.Run, text string) string {
	t.Helper()
	m := bind(t, r, text)
	out := ""
	r.EachSpan(func(c *store.Chunk, i int) bool {
		v, _ := c.Attr(i, "tag")
		match := m.Span(c, i)
		p, name := c.Process(i), c.NameID(i)
		if pair, sure := m.Pair(p, name); sure && pair != match || !sure && !pair {
			t.Errorf("%q: span %s is %v, its pair says %v", text, v, match, pair)
		}
		if match && !m.Spans(p) {
			t.Errorf("%q: span %s matches and its process may not", text, v)
		}
		if match {
			out += v.String()
		}
		return true
	})
	return out
}

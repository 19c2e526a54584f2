package store

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// t0 is 2025-10-09T08:53:20Z, the T0 of CASES.md.
const t0 = uint64(1760000000000000000)

const (
	ms     = uint64(1e6)
	second = uint64(1e9)
)

func traceID(n uint64) (t run.TraceID) {
	binary.BigEndian.PutUint64(t[:8], 0x5b8efff798038103)
	binary.BigEndian.PutUint64(t[8:], n)
	return t
}

func spanID(n uint64) (s run.SpanID) {
	binary.BigEndian.PutUint64(s[:], n)
	return s
}

// sp is a span of trace 1; from and to are ns after t0.
func sp(id, parent uint64, name string, from, to uint64, attrs ...run.Attr) run.Span {
	return run.Span{
		TraceID: traceID(1), ID: spanID(id), Parent: spanID(parent), Name: name, Kind: 1,
		Start: t0 + from, End: t0 + to, Attrs: attrs,
	}
}

func str(k, v string) run.Attr            { return run.Attr{Key: k, Value: run.StringValue(v)} }
func num(k string, n int64) run.Attr      { return run.Attr{Key: k, Value: run.IntValue(n)} }
func truth(k string, b bool) run.Attr     { return run.Attr{Key: k, Value: run.BoolValue(b)} }
func real64(k string, f float64) run.Attr { return run.Attr{Key: k, Value: run.DoubleValue(f)} }

// rank is the resource of a rank of run "r", with whatever else is given.
func rank(n int, more ...run.Attr) []run.Attr {
	return append([]run.Attr{str("service.name", "megatron-lm"), str("nemo.run.id", "r"), num("dl.rank", int64(n))}, more...)
}

// request is a traces request of one resource.
func request(res []run.Attr, spans ...run.Span) []byte {
	b := otlp.NewBuilder(run.Traces)
	b.Resource(res, 0, "")
	b.Scope(run.Scope{Name: "t"})
	for i := range spans {
		b.Span(&spans[i])
	}
	return append([]byte(nil), b.Bytes()...)
}

func decode(t testing.TB, sig run.Signal, body []byte) *otlp.Batch {
	t.Helper()
	b := new(otlp.Batch)
	if err := b.Decode(sig, body); err != nil {
		t.Fatal(err)
	}
	return b
}

// fixture is a store with a clock of its own.
type fixture struct {
	*Store
	t   testing.TB
	now int64
}

func newFixture(t testing.TB, change ...func(*Config)) *fixture {
	f := &fixture{t: t, now: int64(t0)}
	c := Config{Budget: 64 << 20, Clock: func() int64 { return f.now }}
	for _, ch := range change {
		ch(&c)
	}
	f.Store = New(c)
	return f
}

// send puts spans of one resource a second after the last ones.
func (f *fixture) send(res []run.Attr, spans ...run.Span) run.Outcome {
	f.t.Helper()
	return f.sendFrom("host", res, spans...)
}

func (f *fixture) sendFrom(sender string, res []run.Attr, spans ...run.Span) run.Outcome {
	f.t.Helper()
	f.now += int64(second)
	return f.put(run.Traces, sender, request(res, spans...))
}

func (f *fixture) put(sig run.Signal, sender string, body []byte) run.Outcome {
	f.t.Helper()
	out, err := f.Put(context.Background(), decode(f.t, sig, body), run.Receipt{Sender: sender, Raw: body})
	if err != nil {
		f.t.Fatal(err)
	}
	return out
}

// only is the one run there is.
func (f *fixture) only() *Run {
	f.t.Helper()
	s := f.Snapshot()
	if len(s.Runs) != 1 {
		f.t.Fatalf("runs = %d, want 1", len(s.Runs))
	}
	return s.Runs[0]
}

// live is all retained spans that are not superseded.
func live(r *Run) (out []run.Span) {
	r.EachSpan(func(c *Chunk, i int) bool {
		out = append(out, c.Span(i))
		return true
	})
	return out
}

// total is the statistics of a name over the processes of a run.
func total(r *Run, name string) (n NameStat) {
	id, ok := r.NameID(name)
	if !ok {
		return n
	}
	for _, p := range r.Processes {
		if st, ok := p.Stat(id); ok {
			n.merge(&st)
		}
	}
	return n
}

// stageOf is the statistics of a name over the stages of a run.
func stageOf(t testing.TB, r *Run, name string) StageStat {
	t.Helper()
	id, ok := r.NameID(name)
	if !ok {
		t.Fatalf("no span name %q", name)
	}
	var of []*StageStat
	for _, s := range r.Stages {
		if s.Name == id {
			of = append(of, s)
		}
	}
	return MergeStages(of...)
}

// checkBalanced holds every account of a snapshot against the identity.
func checkBalanced(t testing.TB, s *Snapshot) {
	t.Helper()
	check := func(who string, as [run.SignalCount]run.Account) {
		for sig, a := range as {
			if !a.Balanced() {
				t.Errorf("%s, %s: %+v does not balance", who, run.Signal(sig), a)
			}
		}
	}
	check("store", s.Accounts)
	var sum [run.SignalCount]run.Account
	for _, snd := range s.Senders {
		check("sender "+snd.Name, snd.Accounts)
		for sig := range sum {
			sum[sig] = plus(sum[sig], snd.Accounts[sig])
		}
	}
	if sum != s.Accounts {
		t.Errorf("senders sum to %+v, the store says %+v", sum, s.Accounts)
	}
	for _, r := range s.Runs {
		check(fmt.Sprintf("run %s", r.ID), r.Accounts)
	}
}

func plus(a, b run.Account) run.Account {
	return run.Account{
		Received: a.Received + b.Received, Kept: a.Kept + b.Kept, Evicted: a.Evicted + b.Evicted,
		Rejected: a.Rejected + b.Rejected, Duplicates: a.Duplicates + b.Duplicates,
		Replaced: a.Replaced + b.Replaced, InFlight: a.InFlight + b.InFlight,
	}
}

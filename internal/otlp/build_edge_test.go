package otlp

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestBuilderLengths writes spans whose lengths, and those of the messages
// around them, are on both sides of each border of a varint.
func TestBuilderLengths(t *testing.T) {
	for _, n := range []int{0, 1, 60, 61, 62, 90, 97, 98, 99, 100, 101, 120, 127, 128, 129, 16_300, 16_340, 16_350, 16_384, 16_400, 2_097_100, 2_097_152} {
		s := run.Span{TraceID: idA, ID: id1, Name: strings.Repeat("x", n)}
		s.Events = []run.Event{{Name: s.Name, Attrs: []run.Attr{str(s.Name, s.Name)}}}
		w := NewBuilder(run.Traces)
		w.Resource([]run.Attr{str("k", s.Name)}, 0, s.Name)
		w.Scope(run.Scope{Name: s.Name})
		w.Span(&s)
		w.Span(&s)
		body := w.Bytes()
		if !bytes.Equal(body, reencoded(t, newRequest(run.Traces), body)) {
			t.Errorf("%d: not the canonical encoding", n)
		}
	}
}

// TestBuilderNesting opens and closes levels in all ways.
func TestBuilderNesting(t *testing.T) {
	span := run.Span{TraceID: idA, ID: id1, Start: 1, End: 2}
	logged := run.Log{Time: 1}
	point := DataPoint{Value: run.IntValue(1)}
	scope := func(w *Builder, name string) { w.Scope(run.Scope{Name: name, Schema: "schema of " + name}) }
	for _, c := range []struct {
		name   string
		signal run.Signal
		write  func(*Builder)
		want   []string // items by resource and scope, as placesOf writes them
	}{
		{"nothing", run.Traces, func(*Builder) {}, nil},
		{"resource alone", run.Traces, func(w *Builder) { w.Resource([]run.Attr{str("r", "1")}, 0, "") }, []string{"r=1"}},
		{"scope alone", run.Traces, func(w *Builder) { scope(w, "s") }, []string{"r=", "s 0"}},
		{"span alone", run.Traces, func(w *Builder) { w.Span(&span) }, []string{"r=", " 1"}},
		{"log without scope", run.Logs, func(w *Builder) { w.Resource([]run.Attr{str("r", "1")}, 0, ""); w.Log(&logged); w.Log(&logged) }, []string{"r=1", " 2"}},
		{"point without metric", run.Metrics, func(w *Builder) { scope(w, "s"); w.Point(&point) }, []string{"r=", "s 0"}},
		{"point of no kind", run.Metrics, func(w *Builder) { w.Metric(MetricInfo{Name: "m"}); w.Point(&point) }, []string{"r=", " 1"}},
		{"two of each", run.Metrics, func(w *Builder) {
			for _, r := range []string{"1", "2"} {
				w.Resource([]run.Attr{str("r", r)}, 0, "")
				for _, s := range []string{"a", "b"} {
					scope(w, s+r)
					w.Metric(MetricInfo{Kind: Sum, Temporality: Delta, Monotonic: true})
					w.Point(&point)
					w.Metric(MetricInfo{Kind: Gauge})
					w.Point(&point)
					w.Point(&point)
				}
			}
		}, []string{"r=1", "a1 2", "b1 2", "r=2", "a2 2", "b2 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := NewBuilder((c.signal + 1) % run.SignalCount)
			w.Resource(richAttrs(), 3, "left from before")
			w.Scope(run.Scope{Schema: "left from before"})
			w.Reset(c.signal)
			c.write(w)
			body := w.Bytes()
			if !bytes.Equal(body, reencoded(t, newRequest(c.signal), body)) {
				t.Errorf("not the canonical encoding")
			}
			if d := cmp.Diff(c.want, placesOf(t, mustDecode(t, c.signal, body))); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// placesOf lists resources by their attribute and scopes by name and number of
// items, in order.
func placesOf(t *testing.T, b *Batch) []string {
	t.Helper()
	var list []string
	s := 0
	for r, res := range b.Resources {
		line := "r="
		for _, a := range b.AttrList(res.Attrs) {
			line += a.Value.Str()
		}
		list = append(list, line)
		for ; s < len(b.Scopes) && int(b.Scopes[s].Resource) == r; s++ {
			scope := b.FullScope(&b.Scopes[s])
			if scope.Name != "" && scope.Schema != "schema of "+scope.Name {
				t.Errorf("scope %q has schema %q", scope.Name, scope.Schema)
			}
			list = append(list, scope.Name+" "+string(rune('0'+itemsIn(b, uint32(s)))))
		}
	}
	return list
}

func itemsIn(b *Batch, scope uint32) int {
	n := 0
	for _, s := range b.Spans {
		if s.Scope == scope {
			n++
		}
	}
	for _, m := range b.Metrics {
		if m.Scope == scope {
			n++
		}
	}
	for _, l := range b.Logs {
		if l.Scope == scope {
			n++
		}
	}
	return n
}

// TestBuilderKinds gives a point with everything to a metric of each kind:
// only what the kind has is written.
func TestBuilderKinds(t *testing.T) {
	full := DataPoint{
		Start: 1, Time: 2, Flags: 1, Attrs: richAttrs(), Value: run.DoubleValue(0), Count: 6, Sum: 0, Min: -1, Max: 0,
		HasSum: true, HasMin: true, HasMax: true, Exemplars: richExemplars(),
		Buckets: Buckets{
			Bounds: []float64{1}, Counts: []uint64{2, 4}, Scale: -20, ZeroCount: 2, ZeroThreshold: 0.5,
			Positive: BucketSpan{-2147483648, []uint64{1, 0}}, Negative: BucketSpan{2147483600, []uint64{3}}, Quantiles: []Quantile{{0.5, 0}, {0, 0}},
		},
	}
	d, bk := full, full.Buckets
	number := DataPoint{Start: d.Start, Time: d.Time, Flags: d.Flags, Attrs: d.Attrs, Value: d.Value, Exemplars: d.Exemplars}
	histogram := full
	histogram.Value, histogram.Buckets = run.Value{}, Buckets{Bounds: bk.Bounds, Counts: bk.Counts}
	exponential := histogram
	exponential.Buckets = Buckets{Scale: bk.Scale, ZeroCount: 2, ZeroThreshold: 0.5, Positive: bk.Positive, Negative: bk.Negative}
	summary := DataPoint{Start: 1, Time: 2, Flags: 1, Attrs: d.Attrs, Count: 6, HasSum: true, Buckets: Buckets{Quantiles: bk.Quantiles}}
	info := MetricInfo{Name: "m", Temporality: Cumulative, Monotonic: true, Metadata: richAttrs()}
	for kind, want := range map[MetricKind]DataPoint{
		Gauge: number, Sum: number, Histogram: histogram, ExpHistogram: exponential, Summary: summary,
	} {
		t.Run(kind.String(), func(t *testing.T) {
			info := info
			info.Kind = kind
			w := NewBuilder(run.Metrics)
			w.Metric(info)
			w.Point(&full)
			body := w.Bytes()
			if !bytes.Equal(body, reencoded(t, newRequest(run.Metrics), body)) {
				t.Errorf("not the canonical encoding")
			}
			b := mustDecode(t, run.Metrics, body)
			got, err := b.FullPoint(&b.Points[0])
			if d := cmp.Diff(want, got, sameValues()); d != "" || err != nil {
				t.Errorf("%v (-want +got)\n%s", err, d)
			}
			if kind == Gauge || kind == Summary {
				info.Temporality = Unspecified
			}
			info.Monotonic = kind == Sum
			if d := cmp.Diff(info, b.FullMetric(&b.Metrics[0]), sameValues()); d != "" {
				t.Errorf("metric (-want +got)\n%s", d)
			}
		})
	}
}

// TestBuilderLen follows the size as items are added.
func TestBuilderLen(t *testing.T) {
	w := NewBuilder(run.Traces)
	last := w.Len()
	for i := range 100 {
		s := richSpan()
		w.Span(&s)
		if w.Len() <= last {
			t.Fatalf("span %d added nothing", i)
		}
		last = w.Len()
	}
	if w.Signal() != run.Traces || (&Builder{}).Signal() != run.Traces || NewBuilder(run.Logs).Signal() != run.Logs {
		t.Error("another signal than asked for")
	}
	if n := len(w.Bytes()); n < last-8 || n > last+8 {
		t.Errorf("%d bytes at the end, Len said %d", n, last)
	}
}

// randomValue is a value of any type, nested by chance.
func randomValue(r *rand.Rand, depth int) run.Value {
	switch n := r.IntN(9); {
	case n == 0:
		return run.Value{}
	case n == 1:
		return run.StringValue(strings.Repeat("é", r.IntN(100)))
	case n == 2:
		return run.BoolValue(r.IntN(2) == 0)
	case n == 3:
		return run.IntValue(int64(r.Uint64() >> r.IntN(64)))
	case n == 4:
		return run.Raw(run.Double, r.Uint64(), "")
	case n == 5:
		return run.BytesValue([]byte(strings.Repeat("\xff", r.IntN(200))))
	case depth > 6:
		return run.ArrayValue(nil)
	case n == 6:
		var kvs []run.Attr
		for range r.IntN(5) {
			kvs = append(kvs, run.Attr{Key: strings.Repeat("k", r.IntN(3)), Value: randomValue(r, depth+1)})
		}
		return run.KVListValue(kvs)
	}
	var vs []run.Value
	for range r.IntN(5) {
		vs = append(vs, randomValue(r, depth+1))
	}
	return run.ArrayValue(vs)
}

// TestRandomValues writes and reads values of all shapes; the announced sizes
// must hold.
func TestRandomValues(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 7))
		want := run.Log{Body: randomValue(r, 0), Attrs: []run.Attr{{Key: "k", Value: randomValue(r, 0)}}}
		if n := len(appendValue(nil, &want.Body)); n != sizeValue(&want.Body) {
			t.Fatalf("seed %d: %d bytes announced as %d", seed, n, sizeValue(&want.Body))
		}
		w := NewBuilder(run.Logs)
		w.Log(&want)
		body := w.Bytes()
		if !bytes.Equal(body, reencoded(t, newRequest(run.Logs), body)) {
			t.Fatalf("seed %d: not the canonical encoding", seed)
		}
		b := mustDecode(t, run.Logs, body)
		if d := cmp.Diff(want, b.FullLog(&b.Logs[0]), sameValues()); d != "" {
			t.Fatalf("seed %d (-want +got)\n%s", seed, d)
		}
	}
}

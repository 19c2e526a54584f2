package otlp

import (
	"math"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// dump is a batch as plain values, comparable with reflect.DeepEqual: doubles
// are bits, so that NaN equals itself and -0 differs from 0.
type dump struct {
	Resources []dumpResource
	Scopes    []dumpScope
	Spans     []dumpSpan
	Metrics   []dumpMetric
	Points    []dumpPoint
	Logs      []dumpLog
	Rejected  []Rejection
	Repaired  int
}

type dumpResource struct {
	Attrs   []run.Attr
	Schema  string
	Dropped uint32
}

type dumpScope struct {
	run.Scope
	Resource, Dropped uint32
}

type dumpSpan struct {
	run.Span
	Scope uint32
}

type dumpMetric struct {
	MetricInfo
	Scope  uint32
	Points int
}

type dumpPoint struct {
	DataPoint
	Metric        uint32
	Sum, Min, Max uint64
	Threshold     uint64
	Bounds        []uint64
	Quantiles     [][2]uint64
	Error         string
}

type dumpLog struct {
	run.Log
	Scope uint32
}

func dumpBatch(t testing.TB, b *Batch) dump {
	t.Helper()
	d := dump{Repaired: b.Repaired, Rejected: append([]Rejection(nil), b.Rejected...)}
	for _, r := range b.Resources {
		d.Resources = append(d.Resources, dumpResource{b.AttrList(r.Attrs), string(b.Bytes(r.Schema)), r.Dropped})
	}
	for i := range b.Scopes {
		s := &b.Scopes[i]
		d.Scopes = append(d.Scopes, dumpScope{b.FullScope(s), s.Resource, s.Dropped})
	}
	for i := range b.Spans {
		s, err := b.FullSpan(&b.Spans[i])
		if err != nil {
			t.Fatalf("span %d: %v", i, err)
		}
		d.Spans = append(d.Spans, dumpSpan{s, b.Spans[i].Scope})
	}
	for i := range b.Metrics {
		m := &b.Metrics[i]
		d.Metrics = append(d.Metrics, dumpMetric{b.FullMetric(m), m.Scope, m.Points.Len()})
		for j := m.Points.From; j < m.Points.To; j++ {
			d.Points = append(d.Points, dumpPointOf(b, &b.Points[j]))
		}
	}
	for i := range b.Logs {
		d.Logs = append(d.Logs, dumpLog{b.FullLog(&b.Logs[i]), b.Logs[i].Scope})
	}
	return d
}

func dumpPointOf(b *Batch, p *Point) dumpPoint {
	full, err := b.FullPoint(p)
	d := dumpPoint{Metric: p.Metric}
	d.Sum, d.Min, d.Max = math.Float64bits(full.Sum), math.Float64bits(full.Min), math.Float64bits(full.Max)
	d.Threshold = math.Float64bits(full.Buckets.ZeroThreshold)
	for _, v := range full.Buckets.Bounds {
		d.Bounds = append(d.Bounds, math.Float64bits(v))
	}
	for _, q := range full.Buckets.Quantiles {
		d.Quantiles = append(d.Quantiles, [2]uint64{math.Float64bits(q.Q), math.Float64bits(q.Value)})
	}
	if err != nil {
		d.Error = err.Error()
	}
	full.Sum, full.Min, full.Max, full.Buckets.ZeroThreshold = 0, 0, 0, 0
	full.Buckets.Bounds, full.Buckets.Quantiles = nil, nil
	d.DataPoint = full
	return d
}

// sameDump fails with the difference. DeepEqual decides, since it is fast.
func sameDump(t testing.TB, what string, want, got dump) {
	t.Helper()
	if reflect.DeepEqual(want, got) {
		return
	}
	t.Errorf("%s:\n%s", what, cmp.Diff(want, got, cmp.AllowUnexported(run.Value{})))
}

// rebuild writes the rows of b back to the wire.
func rebuild(t testing.TB, b *Batch) []byte {
	t.Helper()
	w := NewBuilder(b.Signal)
	scope := 0
	for r := range b.Resources {
		res := &b.Resources[r]
		w.Resource(b.AttrList(res.Attrs), res.Dropped, string(b.Bytes(res.Schema)))
		for ; scope < len(b.Scopes) && int(b.Scopes[scope].Resource) == r; scope++ {
			w.Scope(b.FullScope(&b.Scopes[scope]))
			rebuildItems(t, b, w, uint32(scope))
		}
	}
	return append([]byte(nil), w.Bytes()...)
}

func rebuildItems(t testing.TB, b *Batch, w *Builder, scope uint32) {
	t.Helper()
	for i := range b.Spans {
		if b.Spans[i].Scope == scope {
			s, err := b.FullSpan(&b.Spans[i])
			if err != nil {
				t.Fatal(err)
			}
			w.Span(&s)
		}
	}
	for i := range b.Logs {
		if b.Logs[i].Scope == scope {
			l := b.FullLog(&b.Logs[i])
			w.Log(&l)
		}
	}
	for i := range b.Metrics {
		if b.Metrics[i].Scope != scope {
			continue
		}
		w.Metric(b.FullMetric(&b.Metrics[i]))
		for j := b.Metrics[i].Points.From; j < b.Metrics[i].Points.To; j++ {
			p, _ := b.FullPoint(&b.Points[j])
			w.Point(&p)
		}
	}
}

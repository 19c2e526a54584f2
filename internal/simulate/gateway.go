package simulate

import (
	"bytes"
	"fmt"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// The metrics of the service beside the trainers.
const (
	sessionMetric = "gateway.session.requests"
	sessionKey    = "user.session.id"
	modelMetric   = "gateway.model.requests"
)

// maxPoints is the most points of one request of the service.
const maxPoints = 2000

// gateWriter sends the metrics of the service beside the trainers: a counter by
// model, which has few values, and when it explodes one by session, which has a
// new value for each.
type gateWriter struct {
	m     *model
	res   *resources
	build builder
	attrs attrs
	point otlp.DataPoint
	count int
	emit  func(body []byte, items int)
}

func newGateWriter(m *model, res *resources, emit func([]byte, int)) *gateWriter {
	return &gateWriter{m: m, res: res, build: otlp.NewBuilder(run.Metrics), emit: emit}
}

// write sends what the service counted in the last stretch of time before at.
func (w *gateWriter) write(at, stretch int64) {
	w.open(at)
	from := max(at-stretch, 0)
	w.models(from, at)
	w.sessions(from, at)
	w.flush()
}

func (w *gateWriter) open(at int64) {
	w.count = 0
	w.build.Reset(run.Metrics)
	w.build.Resource(w.res.beside(), 0, "")
	w.build.Scope(run.Scope{Name: "nemo.gateway"})
	start := w.m.Start.UnixNano() + w.m.clock(0)
	w.point = otlp.DataPoint{Start: uint64(start), Time: uint64(start + at)}
}

func (w *gateWriter) flush() {
	if w.count > 0 {
		w.emit(bytes.Clone(w.build.Bytes()), w.count)
	}
}

// models is a delta counter with five series: a process exports all its counters in
// one way.
func (w *gateWriter) models(from, to int64) {
	w.build.Metric(otlp.MetricInfo{Name: modelMetric, Unit: "{request}", Kind: otlp.Sum, Temporality: otlp.Delta, Monotonic: true})
	w.point.Start = uint64(w.m.Start.UnixNano() + w.m.clock(0) + from)
	for i, name := range []string{"llama-3-8b", "llama-3-70b", "nemotron-4-340b", "mixtral-8x7b", "qwen-3-32b"} {
		w.attrs = w.attrs[:0].str(semconv.GenAIRequestModel, name).str(semconv.GenAIOperationName, "chat")
		w.add((to/1e9 - from/1e9) * int64(10-i))
	}
}

// sessions is a delta counter whose series are all new.
func (w *gateWriter) sessions(from, to int64) {
	first, last := w.session(from), w.session(to)
	if first == last {
		return
	}
	explosive := otlp.MetricInfo{Name: sessionMetric, Unit: "{request}", Kind: otlp.Sum, Temporality: otlp.Delta, Monotonic: true}
	w.build.Metric(explosive)
	for n := first; n < last; n++ {
		if w.count == maxPoints {
			w.flush()
			w.open(to)
			w.build.Metric(explosive)
		}
		w.point.Start = uint64(w.m.Start.UnixNano() + w.m.clock(0) + from)
		w.attrs = w.attrs[:0].str(sessionKey, w.sessionID(n))
		w.add(1 + int64(n%3))
	}
}

func (w *gateWriter) add(v int64) {
	w.point.Attrs, w.point.Value = w.attrs, run.IntValue(v)
	w.build.Point(&w.point)
	w.count++
}

// session is how many sessions there were by a moment.
func (w *gateWriter) session(at int64) uint64 {
	return uint64(float64(at) / 1e9 * w.m.effects.sessions)
}

// sessionID never repeats: mix is a bijection.
func (w *gateWriter) sessionID(n uint64) string {
	a := mix(w.m.Seed<<8 ^ roomSession ^ n<<20)
	return fmt.Sprintf("s-%016x", a)
}

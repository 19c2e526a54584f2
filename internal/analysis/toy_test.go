package analysis

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// toy is a run made for one test. Times are milliseconds. Every step has its
// compute and then one wait up to the step's end.
type toy struct {
	tp, pp, dp int  // sizes, default 1
	unsized    bool // the sizes are not sent
	world      int  // default tp·pp·dp
	steps      int
	length     float64                      // of a step, default 1000
	compute    func(rank, step int) float64 // default 600
	wait       func(rank, step int) float64 // default what is left of the step
	micro      int                          // microbatches; 0 is forward_backward, −1 no compute spans
	dark       bool                         // no wait spans
	skew       func(rank int) float64       // of the rank's clock
	skip       func(rank, step int) bool    // not sent
	extra      func(rank, step int) []toySpan
	more       func(rank int) []run.Attr // of the resource
	offset     int                       // number of the first iteration
	file       bool                      // without receive times
}

// toySpan is one more span of a step, times from the step's start.
type toySpan struct {
	name     string
	from, to float64
}

func (c *toy) defaults() {
	for _, n := range []*int{&c.tp, &c.pp, &c.dp} {
		*n = max(*n, 1)
	}
	if c.world == 0 {
		c.world = c.tp * c.pp * c.dp
	}
	if c.length == 0 {
		c.length = 1000
	}
	if c.compute == nil {
		c.compute = func(int, int) float64 { return 600 }
	}
	if c.wait == nil {
		c.wait = func(rank, step int) float64 { return c.length - c.compute(rank, step) }
	}
}

// send sends the steps, one request for each rank and step, received as they end.
func (c toy) send(f *feed) {
	f.Helper()
	c.defaults()
	for step := range c.steps {
		for rank := range c.world {
			if c.skip == nil || !c.skip(rank, step) {
				c.sendStep(f, rank, step)
			}
		}
	}
}

func (c *toy) sendStep(f *feed, rank, step int) {
	f.Helper()
	at := float64(step) * c.length
	if c.skew != nil {
		at += c.skew(rank) + 1e7
	}
	ns := func(x float64) uint64 { return uint64((at + x) * float64(ms)) }
	root := f.mk("megatron.train_step", ns(0), ns(c.length), num("megatron.iteration", int64(step+c.offset)))
	root.TraceID = traceID(f.ids)
	spans := []run.Span{}
	for _, s := range c.inner(rank, step) {
		spans = append(spans, under(root, f.mk(s.name, ns(s.from), ns(s.to))))
	}
	if f.now = max(f.now, int64(t0+uint64(float64(step+1)*c.length)*ms)); c.file {
		f.now = 0
	}
	f.spans(c.resource(rank), append(spans, root)...)
}

func (c *toy) inner(rank, step int) (out []toySpan) {
	busy := c.compute(rank, step)
	switch {
	case c.micro > 0:
		each := busy / float64(2*c.micro)
		for i := range c.micro {
			at := float64(2*i) * each
			out = append(out, toySpan{"megatron.microbatch.forward", at, at + each}, toySpan{"megatron.microbatch.backward", at + each, at + 2*each})
		}
	case c.micro == 0:
		out = append(out, toySpan{"megatron.forward_backward", 0, busy})
	}
	if !c.dark {
		out = append(out, toySpan{"megatron.grad_sync.finish", c.length - c.wait(rank, step), c.length})
	}
	if c.extra != nil {
		out = append(out, c.extra(rank, step)...)
	}
	return out
}

func (c *toy) resource(rank int) []run.Attr {
	var more []run.Attr
	if !c.unsized {
		more = sizes(int64(c.tp), int64(c.pp), int64(c.dp))
	}
	if c.more != nil {
		more = append(more, c.more(rank)...)
	}
	return trainer(rank, c.world, more...)
}

// diagnose sends the toy and diagnoses it.
func (c toy) diagnose(t testing.TB, opt DiagnoseOptions) Diagnosis {
	t.Helper()
	f := newFeed(t)
	c.send(f)
	s, r := f.look()
	return Diagnose(s, r, opt)
}

// one makes one rank, or a set of them, compute for another time.
func one(slow float64, ranks ...int) func(rank, step int) float64 {
	return func(rank, _ int) float64 {
		for _, r := range ranks {
			if r == rank {
				return slow
			}
		}
		return 600
	}
}

// gauge sends one point of a metric.
func (f *feed) gauge(resource []run.Attr, name string, value float64) {
	f.Helper()
	b := otlp.NewBuilder(run.Metrics)
	b.Resource(resource, 0, "")
	b.Metric(otlp.MetricInfo{Name: name, Kind: otlp.Gauge})
	b.Point(&otlp.DataPoint{Time: uint64(f.now), Value: run.DoubleValue(value)})
	f.put(run.Metrics, b.Bytes())
}

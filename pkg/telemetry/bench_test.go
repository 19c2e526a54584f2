package telemetry_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// discard is an exporter that costs nothing.
type discard struct{}

func (discard) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { return nil }
func (discard) Shutdown(context.Context) error                             { return nil }

// benchHandle is a set-up whose spans go nowhere; groups are those that are on.
func benchHandle(tb testing.TB, groups string) *telemetry.Handle {
	tb.Helper()
	cfg := telemetry.DefaultConfig()
	cfg.Enabled, cfg.MetricsEnabled, cfg.SpanGroups, cfg.RunID = true, false, groups, "bench"
	h, err := telemetry.New(context.Background(), cfg, telemetry.WithSpanExporter(discard{}), telemetry.WithEnv(noEnv))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = h.Shutdown(context.Background()) })
	return h
}

func noEnv(name string) (string, bool) {
	if name == "CUDA_VISIBLE_DEVICES" {
		return "-1", true // do not look for nvidia-smi
	}
	return "", false
}

//go:noinline
func gatedOn(h *telemetry.Handle, ctx context.Context, i int) {
	if h.On(telemetry.Step) {
		chain(h, ctx, i)
	}
}

//go:noinline
func chain(h *telemetry.Handle, ctx context.Context, i int) {
	_, s := h.Start(ctx, telemetry.Step, "forward.layer")
	s.Int("nemo.step", i).Int("nemo.microbatch", i&15).Str("nemo.phase", "fwd").Str("nemo.comm.group", "tp").
		Int("nemo.bytes", i*977).Int("nemo.layer", i%80).Float("nemo.gpu.util", 93.5).Bool("nemo.is_warmup", false)
	s.End()
}

//go:noinline
func spanned(h *telemetry.Handle, ctx context.Context, i int) {
	_, s := h.Start(ctx, telemetry.Step, "forward.layer")
	s.End()
}

var sum int

//go:noinline
func wrapped(h *telemetry.Handle, ctx context.Context, i int) {
	_ = h.Do(ctx, telemetry.Step, "forward.layer", func(context.Context) error {
		sum += i
		return nil
	})
}

//go:noinline
func empty(_ *telemetry.Handle, _ context.Context, i int) { sum += i }

// TestOffAllocatesNothing: a call whose group is off allocates nothing in any of
// its shapes.
func TestOffAllocatesNothing(t *testing.T) {
	h, ctx := benchHandle(t, "job"), t.Context()
	for name, f := range map[string]func(*telemetry.Handle, context.Context, int){"on": gatedOn, "start": spanned, "chain": chain, "do": wrapped} {
		for what, h := range map[string]*telemetry.Handle{"off": h, "nil": nil} {
			if n := testing.AllocsPerRun(100, func() { f(h, ctx, 7) }); n != 0 {
				t.Errorf("%s, %s: %v allocations", name, what, n)
			}
		}
	}
}

// enough is how many rounds make a median that can be held to a bound.
const enough = 100

// BenchmarkOff measures calls whose group is off, in turns with an empty call, so
// that all have the same machine. The metric is the ratio of medians: that of a call
// in each of the three shapes must not be above 3. A chain is one with eight
// attributes, so ten calls.
func BenchmarkOff(b *testing.B) {
	h, ctx := benchHandle(b, "job"), context.Background()
	const burst = 10000
	measure := func(f func(*telemetry.Handle, context.Context, int)) float64 {
		start := time.Now()
		for i := range burst {
			f(h, ctx, i)
		}
		return float64(time.Since(start).Nanoseconds()) / burst
	}
	shapes := map[string]func(*telemetry.Handle, context.Context, int){"empty": empty, "on": gatedOn, "start": spanned, "chain": chain, "do": wrapped}
	took := map[string][]float64{}
	for range b.N {
		for name, f := range shapes {
			took[name] = append(took[name], measure(f))
		}
	}
	slices.Sort(took["empty"])
	for name := range shapes {
		slices.Sort(took[name])
		b.ReportMetric(took[name][len(took[name])/2], name+"-ns")
		ratio := took[name][len(took[name])/2] / took["empty"][len(took["empty"])/2]
		b.ReportMetric(ratio, name+"-ratio")
		if b.N >= enough && name != "chain" && ratio > 3 {
			b.Errorf("%s costs %.1f times an empty call", name, ratio)
		}
	}
}

//go:noinline
func bare(tr trace.Tracer, ctx context.Context, i int) {
	_, s := tr.Start(ctx, "forward.layer")
	s.SetAttributes(attribute.Int("nemo.step", i), attribute.Int("nemo.microbatch", i&15), attribute.String("nemo.phase", "fwd"), attribute.String("nemo.comm.group", "tp"),
		attribute.Int("nemo.bytes", i*977), attribute.Int("nemo.layer", i%80), attribute.Float64("nemo.gpu.util", 93.5), attribute.Bool("nemo.is_warmup", false))
	s.End()
}

// BenchmarkOn compares a span of eight attributes with the bare SDK and its batch
// processor, in turns, so that both have the same machine. The metric is the ratio
// of the medians: it must not be above 1.1.
func BenchmarkOn(b *testing.B) {
	h, ctx := benchHandle(b, "all"), context.Background()
	tp := sdktrace.NewTracerProvider(sdktrace.WithResource(resource.NewSchemaless(attribute.String("service.name", "bench"))),
		sdktrace.WithBatcher(discard{}))
	defer func() { _ = tp.Shutdown(ctx) }()
	tr := tp.Tracer("bench")
	const burst = 512
	measure := func(f func(int), flush func()) float64 {
		start := time.Now()
		for i := range burst {
			f(i)
		}
		took := time.Since(start)
		flush()
		return float64(took.Nanoseconds()) / burst
	}
	var ours, theirs []float64
	one := func() {
		ours = append(ours, measure(func(i int) { chain(h, ctx, i) }, func() { _ = h.ForceFlush(ctx) }))
	}
	other := func() {
		theirs = append(theirs, measure(func(i int) { bare(tr, ctx, i) }, func() { _ = tp.ForceFlush(ctx) }))
	}
	for i := range b.N { // neither always goes first
		if i%2 == 0 {
			one, other = other, one
		}
		one()
		other()
	}
	slices.Sort(ours)
	slices.Sort(theirs)
	o, t := ours[len(ours)/2], theirs[len(theirs)/2]
	b.ReportMetric(o, "ns/span")
	b.ReportMetric(t, "bare-ns/span")
	b.ReportMetric(o/t, "ratio")
	if b.N >= enough && o/t > 1.1 {
		b.Errorf("a span costs %.2f times that of the bare SDK", o/t)
	}
}

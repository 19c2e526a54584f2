package telemetry_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.uber.org/goleak"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// deadEnds is collectors that take nothing, by name: address and protocol.
func deadEnds(t *testing.T) map[string][2]string {
	t.Helper()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	deaf, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = deaf.Close() })
	full := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	t.Cleanup(full.Close)
	return map[string][2]string{
		"closed port, gRPC": {"http://" + closed.Addr().String(), "grpc"},
		"closed port, HTTP": {"http://" + closed.Addr().String(), "http/protobuf"},
		"no answer, gRPC":   {"http://" + deaf.Addr().String(), "grpc"},
		"no answer, HTTP":   {"http://" + deaf.Addr().String(), "http/protobuf"},
		"black hole, gRPC":  {"http://192.0.2.1:4317", "grpc"},
		"black hole, HTTP":  {"http://192.0.2.1:4318", "http/json"},
		"503 for a minute":  {full.URL, "http/protobuf"},
	}
}

// TestShutdownWithoutACollector: whatever the other side does, Shutdown is back half a
// second after its deadline at most, says what is lost, and leaves no goroutine.
func TestShutdownWithoutACollector(t *testing.T) {
	for name, to := range deadEnds(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := enabled()
			cfg.LogsEnabled, cfg.SpanGroups = true, "all"
			h, err := telemetry.New(t.Context(), cfg, telemetry.WithEndpoint(to[0]), telemetry.WithProtocol(to[1]),
				telemetry.WithEnv(env("OTEL_BSP_MAX_QUEUE_SIZE=4096")), telemetry.WithWarnings(func(telemetry.Warning) {}))
			if err != nil {
				t.Fatal(err)
			}
			for range 3000 {
				_, s := h.Start(t.Context(), telemetry.Step, "step")
				s.End()
			}
			counter, _ := h.Meter().Int64Counter("n")
			counter.Add(t.Context(), 1)
			h.Logger().Info("hello")
			checkLost(t, h)
		})
	}
}

func checkLost(t *testing.T, h *telemetry.Handle) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	start := time.Now()
	err := h.Shutdown(ctx)
	if took := time.Since(start); took > 3500*time.Millisecond {
		t.Errorf("took %v", took)
	}
	var lost *telemetry.LostError
	if !errors.As(err, &lost) || lost.Spans != 3000 || lost.Points < 1 || lost.Logs != 1 {
		t.Fatalf("error %v", err)
	}
	for _, part := range []string{"3000 spans", "1 log record", "metric point"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v does not say %s", err, part)
		}
	}
	if lost.Unwrap() == nil {
		t.Error("it does not say why")
	}
	start = time.Now()
	if err := h.Shutdown(context.Background()); err != nil || time.Since(start) > time.Second {
		t.Errorf("again: %v after %v", err, time.Since(start))
	}
}

// blocked is an exporter that waits for its context, or for ever.
type blocked struct {
	entered chan struct{}
	once    sync.Once
	deaf    chan struct{}
}

func (b *blocked) ExportSpans(ctx context.Context, _ []sdktrace.ReadOnlySpan) error {
	b.once.Do(func() { close(b.entered) })
	if b.deaf != nil {
		<-b.deaf
		return nil
	}
	<-ctx.Done()
	return ctx.Err()
}

func (*blocked) Shutdown(context.Context) error { return nil }

// TestFullQueue is the case of CASES: 10,000 spans end while the exporter hangs. The
// queue holds 2,048, so 7,952 are dropped; it is told once, with the number.
func TestFullQueue(t *testing.T) {
	var w told
	cfg := enabled()
	cfg.MetricsEnabled, cfg.SpanGroups = false, "all"
	e := &blocked{entered: make(chan struct{})}
	h, err := telemetry.New(t.Context(), cfg, telemetry.WithSpanExporter(e), telemetry.WithEnv(env()), w.option())
	if err != nil {
		t.Fatal(err)
	}
	slow := 0
	for i := range 10000 {
		_, s := h.Start(t.Context(), telemetry.Step, "step")
		start := time.Now()
		s.End()
		if time.Since(start) > time.Millisecond {
			slow++
		}
		if i == 511 {
			<-e.entered
		}
	}
	if slow > 1000 { // the machine takes time slices away now and then
		t.Errorf("%d ends took more than a millisecond", slow)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err = h.Shutdown(ctx)
	var lost *telemetry.LostError
	if !errors.As(err, &lost) || lost.Spans != 10000 {
		t.Errorf("error %v", err)
	}
	if w.with("7952 spans dropped: queue full") != 1 || len(w.texts()) != 1 {
		t.Errorf("warnings %v", w.texts())
	}
	if s := h.Stats().Spans; s != (telemetry.SignalStats{Recorded: 10000, Dropped: 7952, Failed: 2048}) {
		t.Errorf("%+v", s)
	}
}

// TestDeafExporter: one of the program's own that heeds no context cannot hold
// Shutdown.
func TestDeafExporter(t *testing.T) {
	e := &blocked{entered: make(chan struct{}), deaf: make(chan struct{})}
	cfg := enabled()
	cfg.MetricsEnabled = false
	h, err := telemetry.New(t.Context(), cfg, telemetry.WithSpanExporter(e), telemetry.WithEnv(env()))
	if err != nil {
		t.Fatal(err)
	}
	_, s := h.Start(t.Context(), telemetry.Job, "job")
	s.End()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	start := time.Now()
	if err := h.Shutdown(ctx); err == nil || time.Since(start) > 20*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
	close(e.deaf)
}

// TestOneWarningPerOutage: a collector that is away is told once, not with every
// batch.
func TestOneWarningPerOutage(t *testing.T) {
	var w told
	cfg := enabled()
	cfg.MetricsEnabled = false
	fails := &failing{}
	h, err := telemetry.New(t.Context(), cfg, telemetry.WithSpanExporter(fails), telemetry.WithEnv(env()), w.option())
	if err != nil {
		t.Fatal(err)
	}
	for i, err := range []error{errors.New("away 1"), errors.New("away 2"), nil, errors.New("away 3"), nil} {
		fails.err = err
		_, s := h.Start(t.Context(), telemetry.Job, "job")
		s.End()
		if got := h.ForceFlush(t.Context()); !errors.Is(got, err) {
			t.Errorf("flush %d: %v", i, got)
		}
	}
	if w.with("away 1") != 1 || w.with("away 3") != 1 || len(w.texts()) != 2 {
		t.Errorf("warnings %v", w.texts())
	}
	var lost *telemetry.LostError
	if err := h.Shutdown(t.Context()); !errors.As(err, &lost) || lost.Spans != 3 || lost.Err != nil {
		t.Errorf("the end: %v", err)
	}
}

type failing struct{ err error }

func (f *failing) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { return f.err }
func (*failing) Shutdown(context.Context) error                               { return nil }

// TestConcurrentShutdown: the second waits for the first, since the program may end
// after it.
func TestConcurrentShutdown(t *testing.T) {
	b := newBackend(t)
	h := newHandle(t, b, enabled())
	_, s := h.Start(t.Context(), telemetry.Job, "job")
	s.End()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if err := h.Shutdown(context.Background()); err != nil {
				t.Error(err)
			}
			if n := len(b.names()); n != 1 {
				t.Errorf("returned with %d spans delivered", n)
			}
		})
	}
	wg.Wait()
}

// TestNoGoroutine: nothing is left of a set-up that has been used.
func TestNoGoroutine(t *testing.T) {
	b := newBackend(t)
	before := goleak.IgnoreCurrent()
	for _, protocol := range []string{"grpc", "http/protobuf"} {
		cfg := enabled()
		cfg.LogsEnabled = true
		server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		to := server.URL
		if protocol == "grpc" {
			to = b.endpoint
		}
		h, err := telemetry.New(t.Context(), cfg, telemetry.WithEnv(env()), telemetry.WithEndpoint(to), telemetry.WithProtocol(protocol))
		if err != nil {
			t.Fatal(err)
		}
		_, s := h.Start(t.Context(), telemetry.Job, "job")
		s.End()
		h.Logger().Info("x")
		end(t, h)
		server.Close()
	}
	goleak.VerifyNone(t, before)
}

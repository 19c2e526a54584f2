package telemetry

import (
	"context"
	"errors"
	"sync"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/batch"
)

// exportMetrics sends what was collected, and says how many points were refused.
type exportMetrics func(context.Context, *metricdata.ResourceMetrics) (refused int64, err error)

// collector collects the metrics at intervals and exports them, from one goroutine.
// OpenTelemetry's periodic reader does the same, but writes its errors to the
// standard logger and counts nothing.
type collector struct {
	reader   *sdkmetric.ManualReader
	export   exportMetrics
	failed   func(error)
	interval time.Duration
	timeout  time.Duration
	look     func(*metricdata.ResourceMetrics) // at all that is collected
	dates    *redater                          // nil for the time of day

	mu     sync.Mutex
	counts batch.Counts // of points
	under  int64        // points of the export that is under way

	flushes chan chan error
	stop    chan struct{}
	done    chan struct{}
	life    context.Context
	end     context.CancelCauseFunc
	once    sync.Once
}

func (c *collector) start() {
	c.flushes, c.stop, c.done = make(chan chan error), make(chan struct{}), make(chan struct{})
	c.life, c.end = context.WithCancelCause(context.Background())
	go c.run()
}

func (c *collector) run() {
	defer close(c.done)
	defer c.end(nil)
	ticker := time.NewTicker(c.interval)
	defer ticker.Stop()
	for {
		select {
		case <-c.stop:
			_ = c.collect()
			return
		case f := <-c.flushes:
			f <- c.collect()
		case <-ticker.C:
			_ = c.collect()
		}
	}
}

func (c *collector) collect() error {
	ctx, cancel := context.WithTimeout(c.life, c.timeout)
	defer cancel()
	var rm metricdata.ResourceMetrics
	collected := c.reader.Collect(ctx, &rm) // what it could is in rm, whatever the error
	if c.look != nil {
		c.look(&rm)
	}
	if c.dates != nil {
		c.dates.redate(&rm)
	}
	if len(rm.ScopeMetrics) == 0 {
		return collected
	}
	c.begin(int64(allPoints(&rm)))
	var refused int64
	err := context.Cause(c.life)
	if err == nil {
		refused, err = c.export(ctx, &rm)
	}
	c.settle(refused, err)
	if err = errors.Join(collected, err); err != nil {
		c.failed(err)
	}
	return err
}

func (c *collector) begin(points int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.under = points
	c.counts.Added += points
}

func (c *collector) settle(refused int64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		refused = c.under
	}
	refused = min(max(refused, 0), c.under)
	c.counts.Failed += refused
	c.counts.Delivered += c.under - refused
	c.under = 0
}

// flushable is the reader as OpenTelemetry's provider knows it: its ForceFlush
// exports.
type flushable struct {
	*sdkmetric.ManualReader
	c *collector
}

// ForceFlush is what the provider looks for in a reader.
func (f flushable) ForceFlush(ctx context.Context) error { return f.c.Flush(ctx) }

// Flush collects and exports now.
func (c *collector) Flush(ctx context.Context) error {
	f := make(chan error, 1)
	select {
	case c.flushes <- f:
	case <-c.done:
		return batch.ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-f:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close collects and exports a last time until the context ends.
func (c *collector) Close(ctx context.Context) {
	if ctx.Err() != nil {
		c.end(batch.ErrDeadline) // before the last export could begin
	}
	c.once.Do(func() { close(c.stop) })
	defer context.AfterFunc(ctx, func() { c.end(batch.ErrDeadline) })()
	select {
	case <-c.done:
		return
	case <-ctx.Done():
	}
	late := time.NewTimer(closeGrace)
	defer late.Stop()
	select {
	case <-c.done:
	case <-late.C:
		c.settle(0, batch.ErrDeadline) // an exporter that does not come back has taken them with it
	}
}

// closeGrace is how long an exporter may take to notice the end of its context.
const closeGrace = 200 * time.Millisecond

// Counts returns what became of the points so far.
func (c *collector) Counts() batch.Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts
}

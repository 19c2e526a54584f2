package telemetry

import (
	"context"
	"strconv"
	"strings"
	"time"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// measurements plans the pipeline of metrics.
func (h *Handle) measurements(o *options) error {
	r := h.running
	guard := newSeriesGuard(h.warner, o.seriesMax)
	readers := o.readers
	if len(readers) == 0 {
		c, err := h.collector(o)
		if err != nil || c == nil {
			return err
		}
		c.look = guard.look
		readers = []sdkmetric.Reader{flushable{c.reader, c}}
		r.starts = append(r.starts, func() {
			r.metrics = c
			if h.clock != nil {
				c.dates = newRedater(h.clock)
			}
			c.start()
		})
	}
	r.starts = append(r.starts, func() { h.measureWith(readers, guard, o) })
	return nil
}

// measureWith makes the provider of metrics.
func (h *Handle) measureWith(readers []sdkmetric.Reader, guard *seriesGuard, o *options) {
	opts := []sdkmetric.Option{
		sdkmetric.WithResource(h.resource), sdkmetric.WithCardinalityLimit(o.seriesMax),
		sdkmetric.WithView(guard.views(o.views)...),
	}
	for _, r := range readers {
		opts = append(opts, sdkmetric.WithReader(r))
	}
	h.running.meter = sdkmetric.NewMeterProvider(opts...)
	h.meters = h.running.meter
}

// collector makes the one that exports, nil when nothing does.
func (h *Handle) collector(o *options) (*collector, error) {
	c := &collector{
		interval: time.Duration(positive(o.lookup, h.warner, "OTEL_METRIC_EXPORT_INTERVAL", 10000)) * time.Millisecond,
		timeout:  time.Duration(positive(o.lookup, h.warner, "OTEL_METRIC_EXPORT_TIMEOUT", 30000)) * time.Millisecond,
	}
	r := h.running
	if e := o.metrics; e != nil {
		r.outages[target.Metrics] = &outage{signal: target.Metrics, warner: h.warner}
		r.closers = append(r.closers, e.Shutdown)
		c.reader = sdkmetric.NewManualReader(sdkmetric.WithTemporalitySelector(e.Temporality), sdkmetric.WithAggregationSelector(e.Aggregation))
		c.export = func(ctx context.Context, rm *metricdata.ResourceMetrics) (int64, error) {
			return 0, r.outages[target.Metrics].seen(e.Export(ctx, rm))
		}
	} else {
		to, err := h.sender(o, target.Metrics)
		if err != nil || to == nil {
			return nil, err
		}
		c.reader = sdkmetric.NewManualReader(
			sdkmetric.WithTemporalitySelector(temporality(o.lookup, h.warner)), sdkmetric.WithAggregationSelector(aggregation(o.lookup, h.warner)))
		c.export = func(ctx context.Context, rm *metricdata.ResourceMetrics) (int64, error) {
			refused, err := to.Send(ctx, r.encoder.Metrics(rm))
			return refused, r.outages[target.Metrics].seen(err)
		}
	}
	c.failed = r.outages[target.Metrics].failed
	return c, nil
}

// temporality reads the standard preference.
func temporality(lookup Lookup, w *warner) sdkmetric.TemporalitySelector {
	const name = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"
	text, _ := lookup(name)
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "cumulative":
	case "delta":
		return sdkmetric.DeltaTemporalitySelector
	case "lowmemory":
		return sdkmetric.LowMemoryTemporalitySelector
	default:
		w.warn(name, name+": "+strconv.Quote(text)+" is none of cumulative, delta and lowmemory: cumulative is used")
	}
	return sdkmetric.CumulativeTemporalitySelector
}

// aggregation reads the standard choice of histograms.
func aggregation(lookup Lookup, w *warner) sdkmetric.AggregationSelector {
	const name = "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION"
	text, _ := lookup(name)
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "", "explicit_bucket_histogram":
	case "base2_exponential_bucket_histogram":
		return func(kind sdkmetric.InstrumentKind) sdkmetric.Aggregation {
			if kind == sdkmetric.InstrumentKindHistogram {
				return sdkmetric.AggregationBase2ExponentialHistogram{MaxSize: 160, MaxScale: 20}
			}
			return sdkmetric.DefaultAggregationSelector(kind)
		}
	default:
		w.warn(name, name+": "+strconv.Quote(text)+" is neither explicit_bucket_histogram nor base2_exponential_bucket_histogram: the first is used")
	}
	return sdkmetric.DefaultAggregationSelector
}

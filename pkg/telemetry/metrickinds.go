package telemetry

import (
	"context"
	"fmt"

	"go.opentelemetry.io/otel/metric"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

type recordFunc = func(context.Context, float64, metric.MeasurementOption)

// float makes an instrument of floats.
func (m Metric) float(meter metric.Meter) (recordFunc, error) {
	unit, doc := metric.WithUnit(m.Unit), metric.WithDescription(m.Doc)
	switch m.Kind {
	case Gauge:
		i, err := meter.Float64Gauge(m.Name, unit, doc)
		return func(ctx context.Context, v float64, o metric.MeasurementOption) { i.Record(ctx, v, o) }, err
	case Counter:
		i, err := meter.Float64Counter(m.Name, unit, doc)
		return func(ctx context.Context, v float64, o metric.MeasurementOption) { i.Add(ctx, v, o) }, err
	case UpDownCounter:
		i, err := meter.Float64UpDownCounter(m.Name, unit, doc)
		return func(ctx context.Context, v float64, o metric.MeasurementOption) { i.Add(ctx, v, o) }, err
	case Histogram:
		opts := []metric.Float64HistogramOption{unit, doc}
		if m.Buckets != nil {
			opts = append(opts, metric.WithExplicitBucketBoundaries(m.Buckets...))
		}
		i, err := meter.Float64Histogram(m.Name, opts...)
		return func(ctx context.Context, v float64, o metric.MeasurementOption) { i.Record(ctx, v, o) }, err
	}
	return nil, m.noKind()
}

// whole makes an instrument of whole numbers.
func (m Metric) whole(meter metric.Meter) (recordFunc, error) {
	unit, doc := metric.WithUnit(m.Unit), metric.WithDescription(m.Doc)
	switch m.Kind {
	case Gauge:
		i, err := meter.Int64Gauge(m.Name, unit, doc)
		return func(ctx context.Context, v float64, o metric.MeasurementOption) { i.Record(ctx, int64(v), o) }, err
	case Counter:
		i, err := meter.Int64Counter(m.Name, unit, doc)
		return func(ctx context.Context, v float64, o metric.MeasurementOption) { i.Add(ctx, int64(v), o) }, err
	case UpDownCounter:
		i, err := meter.Int64UpDownCounter(m.Name, unit, doc)
		return func(ctx context.Context, v float64, o metric.MeasurementOption) { i.Add(ctx, int64(v), o) }, err
	case Histogram:
		opts := []metric.Int64HistogramOption{unit, doc}
		if m.Buckets != nil {
			opts = append(opts, metric.WithExplicitBucketBoundaries(m.Buckets...))
		}
		i, err := meter.Int64Histogram(m.Name, opts...)
		return func(ctx context.Context, v float64, o metric.MeasurementOption) { i.Record(ctx, int64(v), o) }, err
	}
	return nil, m.noKind()
}

func (m Metric) noKind() error {
	return fmt.Errorf("metric %s has no kind: give Gauge, Counter, UpDownCounter or Histogram", m.Name)
}

// TrainingMetrics declares the series that training frameworks share (dl.*), with
// the keys loss, grad_norm, learning_rate, throughput_tflops and
// throughput_tokens_per_sec:
//
//	training, err := handle.MetricGroup("training", telemetry.TrainingMetrics()...)
//	training.Record(ctx, map[string]float64{"loss": loss, "learning_rate": lr})
//
// One process of a rank owns them: an RL worker beside a trainer declares series of
// its own.
func TrainingMetrics() []Metric {
	return []Metric{
		{Key: "loss", Name: semconv.DLLoss, Unit: "1", Doc: "Training loss."},
		{Key: "grad_norm", Name: semconv.DLGradNorm, Unit: "1", Doc: "Norm of the gradients."},
		{Key: "learning_rate", Name: semconv.DLLearningRate, Unit: "1", Doc: "Learning rate."},
		{Key: "throughput_tflops", Name: semconv.DLThroughputTFLOPS, Unit: "TFLOP/s", Doc: "Model throughput of one GPU."},
		{Key: "throughput_tokens_per_sec", Name: semconv.DLThroughputTokensPerSec, Unit: "{token}/s", Doc: "Tokens trained on in a second."},
	}
}

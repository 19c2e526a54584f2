package telemetry

import (
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

type instruments struct{}

type seriesGuard struct{}

func newSeriesGuard(*warner, int) *seriesGuard                 { return &seriesGuard{} }
func (*seriesGuard) views(v []sdkmetric.View) []sdkmetric.View { return v }
func (*seriesGuard) look(*metricdata.ResourceMetrics)          {}

package store

import (
	"testing"

	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
)

// A mean is no minimum of the values behind it: who sends no bounds has none.
func TestBoundsOfHistogramsAreThoseSent(t *testing.T) {
	sum, low, high := 10.0, 1.0, 4.0
	both := &metricspb.HistogramDataPoint{Count: 5, Sum: &sum, Min: &low, Max: &high}
	none := &metricspb.HistogramDataPoint{Count: 5, Sum: &sum}
	lowOnly := &metricspb.HistogramDataPoint{Count: 5, Sum: &sum, Min: &low}
	empty := &metricspb.HistogramDataPoint{}
	for name, tt := range map[string]struct {
		points             []*metricspb.HistogramDataPoint
		meansMin, meansMax bool
	}{
		"both":                     {[]*metricspb.HistogramDataPoint{both}, false, false},
		"none":                     {[]*metricspb.HistogramDataPoint{none}, true, true},
		"a minimum":                {[]*metricspb.HistogramDataPoint{lowOnly}, false, true},
		"one of two":               {[]*metricspb.HistogramDataPoint{both, none}, true, true},
		"both, and one of nothing": {[]*metricspb.HistogramDataPoint{both, empty}, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newMetricSet(defaultMetricLimits(1 << 20))
			feed(s, 1, 0, metricBatch(t, &metricspb.Metric{Name: "h", Data: &metricspb.Metric_Histogram{
				Histogram: &metricspb.Histogram{DataPoints: tt.points}}}))
			r := s.snapshot()[0].Roll
			if r.MeansMin != tt.meansMin || r.MeansMax != tt.meansMax {
				t.Errorf("roll-up %+v, want %v, %v", r, tt.meansMin, tt.meansMax)
			}
			if !r.MeansMin && r.Min != low || !r.MeansMax && r.Max != high {
				t.Errorf("min %g, max %g, want those sent", r.Min, r.Max)
			}
		})
	}
}

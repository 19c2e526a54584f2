package otlp

// String is the report's word for the kind; "" when the metric had no data.
func (k MetricKind) String() string {
	switch k {
	case Gauge:
		return "gauge"
	case Sum:
		return "sum"
	case Histogram:
		return "histogram"
	case ExpHistogram:
		return "exponential_histogram"
	case Summary:
		return "summary"
	}
	return ""
}

package otlp

// metricTail is what follows the points of a metric on the wire.
type metricTail struct{}

func (t *metricTail) write(b *Builder, level int) {}

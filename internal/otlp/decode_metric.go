package otlp

// metric reads a Metric into a new row. Its points come last, wherever they
// stand on the wire, so that its metadata is one range of attributes.
func (b *Batch) metric(p []byte, i int, scope uint32) error {
	if err := b.room(); err != nil {
		return err
	}
	n := len(b.Metrics)
	b.Metrics = append(b.Metrics, Metric{Scope: scope})
	m := &b.Metrics[n]
	m.Metadata.From = uint32(len(b.Attrs))
	var f, data field
	for ; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		if kind := dataKind(&f); kind != NoData {
			if data.num == 0 {
				data = f
			}
		} else if err := b.metricField(p, &f, m); err != nil {
			return err
		}
	}
	m.Metadata.To = uint32(len(b.Attrs))
	m.Points = Range{uint32(len(b.Points)), uint32(len(b.Points))}
	if data.num == 0 {
		return nil
	}
	return b.metricData(p, data, uint32(n))
}

// dataKind is the kind of metric whose data the field holds.
func dataKind(f *field) MetricKind {
	if f.wire == bytesType {
		switch kind := MetricKind(f.num); kind {
		case Gauge, Sum, Histogram, ExpHistogram, Summary:
			if f.num == uint32(kind) {
				return kind
			}
		}
	}
	return NoData
}

func (b *Batch) metricField(p []byte, f *field, m *Metric) error {
	switch f.key() {
	case 1<<3 | bytesType:
		m.Name = b.str(f.ref())
	case 2<<3 | bytesType:
		m.Description = b.str(f.ref())
	case 3<<3 | bytesType:
		m.Unit = b.str(f.ref())
	case 12<<3 | bytesType:
		if err := b.attr(p[:f.end], f.at); err != nil {
			return at(err, "metadata", len(b.Attrs)-1-int(m.Metadata.From))
		}
	}
	return nil
}

// metricData reads the data fields from the first one on. One is the rule; of
// several the last counts, joined to those of the same kind right before it.
func (b *Batch) metricData(p []byte, f field, n uint32) error {
	for {
		if kind := dataKind(&f); kind != NoData {
			b.startData(&b.Metrics[n], kind)
			if err := b.points(p[:f.end], f.at, n); err != nil {
				return within(err, kind.String())
			}
		}
		if f.end == len(p) {
			return nil
		}
		if err := f.read(p, f.end); err != nil {
			return err
		}
	}
}

// startData makes kind the metric's kind and drops data of another kind.
func (b *Batch) startData(m *Metric, kind MetricKind) {
	if m.Kind == kind {
		return
	}
	b.Points = b.Points[:m.Points.From]
	b.Attrs = b.Attrs[:m.Metadata.To]
	m.Points.To = m.Points.From
	m.Kind, m.Temporality, m.Monotonic = kind, Unspecified, false
}

// points reads a Gauge, Sum, Histogram, ExponentialHistogram or Summary.
func (b *Batch) points(p []byte, i int, n uint32) error {
	m := &b.Metrics[n]
	var f field
	for ; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		switch f.key() {
		case 1<<3 | bytesType:
			if err := b.point(p[:f.end], f.at, n); err != nil {
				return at(err, "data_points", len(b.Points)-1-int(m.Points.From))
			}
			m.Points.To = uint32(len(b.Points))
		case 2<<3 | varintType:
			if m.Kind != Gauge && m.Kind != Summary {
				m.Temporality = Temporality(enum8(f.v))
			}
		case 3<<3 | varintType:
			if m.Kind == Sum {
				m.Monotonic = f.v != 0
			}
		}
	}
	return nil
}

// String is the field's name in OTLP.
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
	return "no data"
}

// String is the word for the temporality.
func (t Temporality) String() string {
	switch t {
	case Delta:
		return "delta"
	case Cumulative:
		return "cumulative"
	}
	return "unspecified"
}

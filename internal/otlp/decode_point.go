package otlp

import "math"

// point reads a data point of metric n into a new row.
func (b *Batch) point(p []byte, i int, n uint32) error {
	b.Points = append(b.Points, Point{Metric: n, Raw: Ref{uint32(i), uint32(len(p) - i)}})
	pt := &b.Points[len(b.Points)-1]
	pt.Attrs.From = uint32(len(b.Attrs))
	if err := b.room(); err != nil {
		return err
	}
	kind := b.Metrics[n].Kind
	lay := layoutOf(kind)
	pt.HasSum = kind == Summary
	var f field
	for ; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		var err error
		switch f.wire {
		case bytesType:
			err = b.pointList(p, &f, pt, kind, lay)
		case fixed64Type:
			pt.number(&f, lay)
		case varintType:
			if f.num == lay.flags {
				pt.Flags = uint32(f.v)
			}
		}
		if err != nil {
			return err
		}
	}
	pt.Attrs.To = uint32(len(b.Attrs))
	return nil
}

// pointLayout is the field numbers in which the messages of data points differ.
// 0 is a field that the kind does not have.
type pointLayout struct {
	attrs, exemplars, flags uint32
	double, integer         uint32
	count, sum, min, max    uint32
}

func layoutOf(k MetricKind) pointLayout {
	switch k {
	case Histogram:
		return pointLayout{attrs: 9, exemplars: 8, flags: 10, count: 4, sum: 5, min: 11, max: 12}
	case ExpHistogram:
		return pointLayout{attrs: 1, exemplars: 11, flags: 10, count: 4, sum: 5, min: 12, max: 13}
	case Summary:
		return pointLayout{attrs: 7, flags: 8, count: 4, sum: 5}
	}
	return pointLayout{attrs: 7, exemplars: 5, flags: 8, double: 4, integer: 6}
}

// number takes a fixed64 field.
func (pt *Point) number(f *field, lay pointLayout) {
	switch f.num {
	case 2:
		pt.Start = f.v
	case 3:
		pt.Time = f.v
	case lay.double, lay.integer:
		pt.Num, pt.HasValue, pt.IsDouble = f.v, true, f.num == lay.double
	case lay.count:
		pt.Count = f.v
	case lay.sum:
		pt.Sum, pt.HasSum = math.Float64frombits(f.v), true
	case lay.min:
		pt.Min, pt.HasMin = math.Float64frombits(f.v), true
	case lay.max:
		pt.Max, pt.HasMax = math.Float64frombits(f.v), true
	}
}

// pointList reads an attribute and checks what stays in Raw.
func (b *Batch) pointList(p []byte, f *field, pt *Point, kind MetricKind, lay pointLayout) error {
	switch {
	case f.num == lay.attrs:
		if err := b.attr(p[:f.end], f.at); err != nil {
			return at(err, "attributes", len(b.Attrs)-1-int(pt.Attrs.From))
		}
	case f.num == lay.exemplars:
		if err := b.checkMessage(p[:f.end], f.at, 0, 7); err != nil {
			return within(err, "exemplars")
		}
	case kind == Histogram && (f.num == 6 || f.num == 7):
		if (f.end-f.at)%8 != 0 {
			return within(errPacked, listName(kind, f.num))
		}
	case kind == ExpHistogram && (f.num == 8 || f.num == 9):
		if err := checkBuckets(p[:f.end], f.at); err != nil {
			return within(err, listName(kind, f.num))
		}
	case kind == Summary && f.num == 6:
		if err := b.checkMessage(p[:f.end], f.at, 0, 0); err != nil {
			return within(err, "quantile_values")
		}
	}
	return nil
}

// listName is the name in OTLP of a list that stays in Raw.
func listName(kind MetricKind, num uint32) string {
	switch {
	case kind == Histogram && num == 6:
		return "bucket_counts"
	case kind == Histogram:
		return "explicit_bounds"
	case num == 8:
		return "positive"
	}
	return "negative"
}

// checkBuckets checks the Buckets message of an exponential histogram.
func checkBuckets(p []byte, i int) error {
	var f field
	for ; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		if f.key() != 2<<3|bytesType {
			continue
		}
		for j := f.at; j < f.end; {
			if _, j = varint(p[:f.end], j); j < 0 {
				return within(wireError(-j), "bucket_counts")
			}
		}
	}
	return nil
}

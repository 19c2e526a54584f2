package otlp

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Buckets is the distribution that a histogram, exponential histogram or
// summary point holds.
type Buckets struct {
	// Histogram: Counts[i] values lie in (Bounds[i-1], Bounds[i]], the first
	// and last bucket being open. Both are empty when only the count was sent,
	// and one count may stand without bounds.
	Bounds []float64
	Counts []uint64

	// Exponential histogram, with base = 2^(2^-Scale): Positive.Counts[i]
	// values lie in (base^(Offset+i), base^(Offset+i+1)], those of Negative in
	// the mirrored intervals, and ZeroCount within ±ZeroThreshold.
	Scale              int32
	ZeroCount          uint64
	ZeroThreshold      float64
	Positive, Negative BucketSpan

	// Summary.
	Quantiles []Quantile
}

// BucketSpan is a run of exponential buckets from index Offset on.
type BucketSpan struct {
	Offset int32
	Counts []uint64
}

// Quantile is one quantile (0 is the minimum, 1 the maximum) of a summary.
type Quantile struct{ Q, Value float64 }

// ReadBuckets reads the distribution from a point's wire message, Point.Raw. A
// distribution that contradicts itself (counts that do not fit the bounds or
// the total, bounds out of order) is returned with an error that says how: it
// may be listed, but nothing can be computed from it.
func ReadBuckets(kind MetricKind, raw []byte) (Buckets, error) {
	var d Buckets
	count := uint64(0)
	var f field
	for i := 0; i < len(raw); i = f.end {
		err := f.read(raw, i)
		if err == nil && f.key() == 4<<3|fixed64Type {
			count = f.v
		}
		if err == nil {
			err = d.field(kind, &f, raw)
		}
		if err != nil {
			return Buckets{}, fmt.Errorf("read the buckets of one %s point: %w", kind, err)
		}
	}
	if err := d.check(kind, count); err != nil {
		return d, fmt.Errorf("%s point: %w", kind, err)
	}
	return d, nil
}

func (d *Buckets) field(kind MetricKind, f *field, p []byte) error {
	switch kind {
	case Histogram:
		return d.explicit(f, p)
	case ExpHistogram:
		return d.exponential(f, p)
	case Summary:
		if f.key() == 6<<3|bytesType {
			return d.quantile(p[f.at:f.end])
		}
	}
	return nil
}

// explicit reads both forms of the two lists, packed and one by one.
func (d *Buckets) explicit(f *field, p []byte) error {
	switch f.key() {
	case 6<<3 | bytesType:
		return eachFixed64(p[f.at:f.end], func(v uint64) { d.Counts = append(d.Counts, v) })
	case 6<<3 | fixed64Type:
		d.Counts = append(d.Counts, f.v)
	case 7<<3 | bytesType:
		return eachFixed64(p[f.at:f.end], func(v uint64) { d.Bounds = append(d.Bounds, math.Float64frombits(v)) })
	case 7<<3 | fixed64Type:
		d.Bounds = append(d.Bounds, math.Float64frombits(f.v))
	}
	return nil
}

func eachFixed64(p []byte, take func(uint64)) error {
	for ; len(p) >= 8; p = p[8:] {
		take(binary.LittleEndian.Uint64(p))
	}
	if len(p) > 0 {
		return errPacked
	}
	return nil
}

func (d *Buckets) exponential(f *field, p []byte) error {
	switch f.key() {
	case 6<<3 | varintType:
		d.Scale = zigzag(f.v)
	case 7<<3 | fixed64Type:
		d.ZeroCount = f.v
	case 8<<3 | bytesType:
		return d.Positive.read(p[f.at:f.end])
	case 9<<3 | bytesType:
		return d.Negative.read(p[f.at:f.end])
	case 14<<3 | fixed64Type:
		d.ZeroThreshold = math.Float64frombits(f.v)
	}
	return nil
}

// zigzag is the sint32 sent as v.
func zigzag(v uint64) int32 { return int32(uint32(v)>>1) ^ -int32(v&1) }

func (s *BucketSpan) read(p []byte) error {
	var f field
	for i := 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		switch f.key() {
		case 1<<3 | varintType:
			s.Offset = zigzag(f.v)
		case 2<<3 | varintType:
			s.Counts = append(s.Counts, f.v)
		case 2<<3 | bytesType:
			for j := f.at; j < f.end; {
				var v uint64
				if v, j = varint(p[:f.end], j); j < 0 {
					return wireError(-j)
				}
				s.Counts = append(s.Counts, v)
			}
		}
	}
	return nil
}

func (d *Buckets) quantile(p []byte) error {
	var q Quantile
	var f field
	for i := 0; i < len(p); i = f.end {
		if err := f.read(p, i); err != nil {
			return err
		}
		switch f.key() {
		case 1<<3 | fixed64Type:
			q.Q = math.Float64frombits(f.v)
		case 2<<3 | fixed64Type:
			q.Value = math.Float64frombits(f.v)
		}
	}
	d.Quantiles = append(d.Quantiles, q)
	return nil
}

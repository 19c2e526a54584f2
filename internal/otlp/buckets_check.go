package otlp

import (
	"fmt"
	"math"
	"math/bits"
)

// check says how the distribution contradicts itself or the point's count.
func (d *Buckets) check(kind MetricKind, count uint64) error {
	switch kind {
	case Histogram:
		return d.checkExplicit(count)
	case ExpHistogram:
		return d.checkExponential(count)
	case Summary:
		for _, q := range d.Quantiles {
			if !(q.Q >= 0 && q.Q <= 1) {
				return fmt.Errorf("quantile %v is not between 0 and 1", q.Q)
			}
		}
	}
	return nil
}

func (d *Buckets) checkExplicit(count uint64) error {
	if len(d.Counts) == 0 && len(d.Bounds) == 0 {
		return nil
	}
	if len(d.Counts) != len(d.Bounds)+1 {
		return fmt.Errorf("%d bucket counts do not fit %d bounds", len(d.Counts), len(d.Bounds))
	}
	for i, v := range d.Bounds {
		if math.IsNaN(v) || i > 0 && v <= d.Bounds[i-1] {
			return fmt.Errorf("bound %d (%v) is not above the one before it", i, v)
		}
	}
	return checkTotal(count, d.Counts)
}

func (d *Buckets) checkExponential(count uint64) error {
	for _, s := range []*BucketSpan{&d.Positive, &d.Negative} {
		if int64(s.Offset)+int64(len(s.Counts)) > math.MaxInt32 {
			return fmt.Errorf("%d buckets from offset %d on pass the last index", len(s.Counts), s.Offset)
		}
	}
	return checkTotal(count, d.Positive.Counts, d.Negative.Counts, []uint64{d.ZeroCount})
}

// checkTotal reports counts that do not add up to total.
func checkTotal(total uint64, lists ...[]uint64) error {
	sum, over := uint64(0), uint64(0)
	for _, list := range lists {
		for _, n := range list {
			var carry uint64
			sum, carry = bits.Add64(sum, n, 0)
			over |= carry
		}
	}
	if over != 0 {
		return fmt.Errorf("bucket counts add up to more than 64 bits, the point's count is %d", total)
	}
	if sum != total {
		return fmt.Errorf("bucket counts add up to %d, the point's count is %d", sum, total)
	}
	return nil
}

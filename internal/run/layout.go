package run

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Layout places the ranks of a run along its parallel dimensions. Its zero value
// places none.
//
// With the default order rank = tp + TP·(cp + CP·(dp + DP·pp)); another order
// multiplies the sizes in its own sequence. Expert parallelism adds no ranks: it
// splits the ranks that share a tp and pp coordinate, counted along cp and dp in
// the order's sequence, into consecutive groups of EP.
type Layout struct {
	Sizes Sizes // all known; CP, DP inferred where they were not sent
	World int
	Order Order
	// Inferred says that CP was not sent but follows from the other sizes.
	Inferred bool
	stride   [DimCount]int // 0 for EP
}

// NewLayout works out a layout from what was sent, with Unknown for what was
// not. CP is inferred as world / (TP·PP·DP), DP as world / (TP·CP·PP) when CP is
// given; an unknown world size is the product of the sizes; an unknown EP is 1.
// The error is a sentence for the report's list of topology problems.
func NewLayout(sizes Sizes, world int, order Order) (Layout, error) {
	if err := checkSent(sizes, world); err != nil {
		return Layout{}, err
	}
	l := Layout{Sizes: sizes, World: world, Order: order, Inferred: sizes.CP < 1}
	l.infer()
	if err := l.check(sizes); err != nil {
		return Layout{}, err
	}
	l.setStrides()
	return l, nil
}

// checkSent refuses what leaves more than one answer.
func checkSent(s Sizes, world int) error {
	switch {
	case s.TP < 1 && s.PP < 1 && s.DP < 1:
		return errors.New("no parallel sizes were sent")
	case s.TP < 1:
		return errors.New("the tensor-parallel size was not sent")
	case s.PP < 1:
		return errors.New("the pipeline-parallel size was not sent")
	case s.DP < 1 && (s.CP < 1 || world < 1):
		return errors.New("the data-parallel size was not sent")
	}
	return nil
}

// infer fills in what follows from the rest. A quotient that is not whole is
// rounded down here and found by check.
func (l *Layout) infer() {
	s := &l.Sizes
	s.EP = max(s.EP, 1)
	if s.DP < 1 {
		s.DP = max(1, l.World/product(s.TP, s.CP, s.PP))
	}
	if s.CP < 1 {
		s.CP = max(1, l.World/product(s.TP, s.PP, s.DP))
	}
	if l.World < 1 {
		l.World = product(s.TP, s.CP, s.DP, s.PP)
	}
}

// check says what does not fit, in terms of what was sent.
func (l *Layout) check(sent Sizes) error {
	s := l.Sizes
	if n := product(s.TP, s.CP, s.DP, s.PP); n != l.World || n > maxRanks {
		return fmt.Errorf("sizes do not multiply to world size: %s, world size %d", sent.multiplied(), l.World)
	}
	if s.CP*s.DP%s.EP != 0 {
		return fmt.Errorf("ep %d does not divide cp %d × dp %d", s.EP, s.CP, s.DP)
	}
	for d := range DimCount {
		if d != DimEP && s.Of(d) > 1 && !l.orderHas(d) {
			return fmt.Errorf("rank order %s does not name %s, whose size is %d", l.Order, d, s.Of(d))
		}
	}
	return nil
}

// multiplied is the known sizes and their product, as "tp 2 × pp 4 = 8".
func (s Sizes) multiplied() string {
	var factors []string
	for _, d := range []Dim{DimTP, DimCP, DimDP, DimPP} {
		if s.Of(d) > 0 {
			factors = append(factors, fmt.Sprintf("%s %d", d, s.Of(d)))
		}
	}
	total := strconv.Itoa(product(s.TP, s.CP, s.DP, s.PP))
	if product(s.TP, s.CP, s.DP, s.PP) > maxRanks {
		total = "more than " + strconv.Itoa(maxRanks)
	}
	return strings.Join(factors, " × ") + " = " + total
}

func (l *Layout) orderHas(d Dim) bool {
	for _, o := range l.Order.Dims() {
		if o == d {
			return true
		}
	}
	return false
}

func (l *Layout) setStrides() {
	step := 1
	for _, d := range l.Order.Dims() {
		if d != DimEP {
			l.stride[d] = step
			step *= l.Sizes.Of(d)
		}
	}
}

// product multiplies sizes and stops at a number beyond any world size, so it
// cannot overflow.
func product(sizes ...int) int {
	n := 1
	for _, s := range sizes {
		if n *= min(max(s, 1), maxRanks+1); n > maxRanks {
			return maxRanks + 1
		}
	}
	return n
}

package run

import (
	"fmt"
	"strings"
)

// Dim is a parallel dimension.
type Dim uint8

// The parallel dimensions, in the default order of ranks.
const (
	DimTP Dim = iota
	DimCP
	DimEP
	DimDP
	DimPP
	DimCount
)

// String is the short key of the dimension's coordinate.
func (d Dim) String() string {
	if d < DimCount {
		return [...]string{"tp", "cp", "ep", "dp", "pp"}[d]
	}
	return "unknown"
}

// Of is the size of dimension d.
func (s Sizes) Of(d Dim) int {
	return [...]int{s.TP, s.CP, s.EP, s.DP, s.PP, Unknown}[min(d, DimCount)]
}

// Of is the coordinate along dimension d.
func (c Coord) Of(d Dim) int {
	return [...]int{c.TP, c.CP, c.EP, c.DP, c.PP, Unknown}[min(d, DimCount)]
}

// UnknownSizes is what a process says that sends no sizes.
func UnknownSizes() Sizes { return Sizes{Unknown, Unknown, Unknown, Unknown, Unknown} }

// UnknownCoord is the place of a rank that is not known.
func UnknownCoord() Coord {
	return Coord{TP: Unknown, CP: Unknown, EP: Unknown, DP: Unknown, PP: Unknown}
}

// DefaultRankOrder is the order of ranks unless another is given.
const DefaultRankOrder = "tp-cp-ep-dp-pp"

// Order says along which dimensions ranks are numbered, the fastest first. The
// zero Order is DefaultRankOrder.
type Order struct{ named string } // dimensions as digits, "" for the default

// ParseOrder reads an order as --rank-order takes it: tp-cp-ep-dp-pp, or any
// other order of some of these words. A dimension that is not named must turn
// out to have size 1. "" is the default order.
func ParseOrder(s string) (Order, error) {
	if s == "" {
		return Order{}, nil
	}
	var o Order
	for _, word := range strings.Split(strings.ToLower(s), "-") {
		d, ok := parseDim(word)
		if !ok {
			return Order{}, fmt.Errorf("rank order %q: %q is no dimension: use tp, cp, ep, dp, pp, as %q", s, word, DefaultRankOrder)
		}
		if o.names(d) {
			return Order{}, fmt.Errorf("rank order %q names %s twice", s, d)
		}
		o.named += string('0' + rune(d))
	}
	return o, nil
}

func parseDim(word string) (Dim, bool) {
	for d := range DimCount {
		if d.String() == word {
			return d, true
		}
	}
	return 0, false
}

// Dims is the dimensions that the order names, the fastest first.
func (o Order) Dims() []Dim {
	if o.named == "" {
		return []Dim{DimTP, DimCP, DimEP, DimDP, DimPP}
	}
	dims := make([]Dim, len(o.named))
	for i := range dims {
		dims[i] = Dim(o.named[i] - '0')
	}
	return dims
}

func (o Order) names(d Dim) bool {
	return strings.ContainsRune(o.named, '0'+rune(d))
}

// String is the order as ParseOrder reads it.
func (o Order) String() string {
	words := make([]string, 0, DimCount)
	for _, d := range o.Dims() {
		words = append(words, d.String())
	}
	return strings.Join(words, "-")
}

package draw

import (
	"math"
	"strconv"
	"strings"
)

// Number is a measured value in at most 9 cells, with four digits that count:
// 12,345, 3.142, 0.0312, 1.234e-5, 12.35M. What is not finite is said so: NaN,
// +Inf, -Inf.
func Number(v float64) string {
	size := math.Abs(v)
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return strconv.FormatFloat(v, 'g', -1, 64)
	case v == 0:
		return "0"
	case size < 1e6 && v == math.Trunc(v):
		return Count(int64(v))
	case size >= 1e15 || size < 1e-4:
		return exponent(v)
	case size >= 999_950:
		return shortened(v)
	}
	return fourDigits(v)
}

// NumberCells is the most cells that a Number takes.
const NumberCells = 9

func shortened(v float64) string {
	for _, u := range []struct {
		of   float64
		name string
	}{{1e12, "T"}, {1e9, "G"}} {
		if math.Abs(v) >= u.of*0.99995 {
			return fourDigits(v/u.of) + u.name
		}
	}
	return fourDigits(v/1e6) + "M"
}

// fourDigits is v with four digits that count, without zeros at its end.
func fourDigits(v float64) string {
	if math.Abs(v) >= 999.95 {
		return Count(int64(math.Round(v)))
	}
	decimals := max(0, 3-int(math.Floor(math.Log10(math.Abs(v)))))
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// exponent is 1.234e-5: without the zero that pads the exponent.
func exponent(v float64) string {
	digits, exp, _ := strings.Cut(strconv.FormatFloat(v, 'e', 3, 64), "e")
	if strings.Contains(digits, ".") {
		digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
	}
	if n, err := strconv.Atoi(exp); err == nil {
		exp = strconv.Itoa(n)
	}
	if len(digits)+len(exp)+1 > NumberCells {
		digits = digits[:NumberCells-len(exp)-1]
	}
	return digits + "e" + exp
}

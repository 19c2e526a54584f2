package draw

import (
	"math"
	"strconv"
)

// Name is what names an iteration, a
// rank or another thing by its number, as the filter takes it: 16384.
func Name[T ~int | ~int64 | ~uint64](n T) string { return strconv.FormatInt(int64(n), 10) }

// Count is how many, exactly, with separators: 1,024.
func Count[T ~int | ~int64 | ~uint64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	if uint64(n) > math.MaxInt64 && n > 0 {
		s = strconv.FormatUint(uint64(n), 10)
	}
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// Short is n in at most 5 cells: 9,999 as it is, then 10.0k, 123k, 1.23M.
func Short(n float64) string {
	switch {
	case math.IsNaN(n) || math.IsInf(n, 0):
		return Missing
	case n < 0:
		return "-" + Short(-n)
	case n < 9999.5:
		return strconv.FormatFloat(n, 'f', 0, 64)
	case n < 999.5e3:
		return digits(n/1e3) + "k"
	case n < 999.5e6:
		return digits(n/1e6) + "M"
	case n < 999.5e9:
		return digits(n/1e9) + "G"
	}
	return digits(n/1e12) + "T"
}

// Bytes is n in binary units, in at most 8 cells: 512 B, 1.23 MiB.
func Bytes(n uint64) string {
	if n < 1024 {
		return strconv.FormatUint(n, 10) + " B"
	}
	f := float64(n) / 1024
	for _, unit := range [...]string{" KiB", " MiB", " GiB", " TiB", " PiB"} {
		if f < 999.5 {
			return digits(f) + unit
		}
		f /= 1024
	}
	return digits(f) + " EiB"
}

// Rate is a number a second: 12.3k/s.
func Rate(perSecond float64) string {
	if math.IsNaN(perSecond) || math.IsInf(perSecond, 0) {
		return Missing
	}
	return Short(perSecond) + "/s"
}

// Percent is a share of 1 with one decimal: 12.3%.
func Percent(share float64) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return Missing
	}
	return strconv.FormatFloat(share*100, 'f', 1, 64) + "%"
}

// Plural is "1 rank", "2 ranks".
func Plural[T ~int | ~int64 | ~uint64](n T, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + one + "s"
}

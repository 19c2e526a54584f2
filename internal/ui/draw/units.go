package draw

import (
	"math"
	"strconv"
	"time"
)

// Unit is a unit of time with a fixed number of decimals, chosen once for a
// column, so that its numbers line up and do not change unit while they move.
type Unit struct {
	Name     string
	Ns       float64
	Decimals int
}

func timeUnits() [7]Unit {
	return [7]Unit{
		{"ns", 1, 0}, {"µs", 1e3, 1}, {"ms", 1e6, 2}, {"ms", 1e6, 1},
		{"s", 1e9, 3}, {"s", 1e9, 2}, {"s", 1e9, 1},
	}
}

// UnitFor is the unit in which ns, the largest of a column in nanoseconds, has
// three or four digits before and after the point together.
func UnitFor(ns float64) Unit {
	units := timeUnits()
	for i, limit := range [...]float64{1e3, 1e6, 1e8, 1e9, 1e10, 1e11} {
		if ns < limit {
			return units[i]
		}
	}
	return units[6]
}

// Format is ns in the unit, as 12.34ms; – when it is not a finite number.
func (u Unit) Format(ns float64) string {
	if math.IsNaN(ns) || math.IsInf(ns, 0) || u.Ns == 0 {
		return Missing
	}
	return strconv.FormatFloat(ns/u.Ns, 'f', u.Decimals, 64) + u.Name
}

// Missing stands for a value that is not there. It is never 0.
const Missing = "–"

// Duration is ns with a unit of its own, in at most 7 cells up to 99 days:
// 980ns, 12.3µs, 1.23ms, 12.3s, 2m03s, 3h04m, 5d06h.
func Duration(ns float64) string {
	if math.IsNaN(ns) || math.IsInf(ns, 0) {
		return Missing
	}
	if ns < 0 {
		return "-" + Duration(-ns)
	}
	switch {
	case ns < 999.5:
		return strconv.FormatFloat(ns, 'f', 0, 64) + "ns"
	case ns < 999.5e3:
		return digits(ns/1e3) + "µs"
	case ns < 999.5e6:
		return digits(ns/1e6) + "ms"
	case ns < 59.95e9:
		return digits(ns/1e9) + "s"
	}
	return longDuration(ns)
}

func longDuration(ns float64) string {
	s := int64(math.Min(math.Round(ns/1e9), 1e15))
	switch {
	case s < 3600:
		return pair(s/60, "m", s%60, "s")
	case s < 86400:
		return pair(s/3600, "h", s%3600/60, "m")
	}
	return pair(s/86400, "d", s%86400/3600, "h")
}

func pair(a int64, ua string, b int64, ub string) string {
	second := strconv.FormatInt(b, 10)
	if b < 10 {
		second = "0" + second
	}
	return strconv.FormatInt(a, 10) + ua + second + ub
}

// digits is f with three significant digits.
func digits(f float64) string {
	switch {
	case f < 9.995:
		return strconv.FormatFloat(f, 'f', 2, 64)
	case f < 99.95:
		return strconv.FormatFloat(f, 'f', 1, 64)
	}
	return strconv.FormatFloat(f, 'f', 0, 64)
}

// Seconds is Duration of seconds.
func Seconds(s float64) string { return Duration(s * 1e9) }

// Age is how long ago then was at now, both unix ns, in at most 4 cells: now,
// 5s, 99s, 2m, 3h, 4d. A then of 0 is never, shown as –.
func Age(now, then int64) string {
	if then == 0 {
		return Missing
	}
	d := time.Duration(now - then)
	switch {
	case d < time.Second:
		return "now"
	case d < 100*time.Second:
		return strconv.Itoa(int(d/time.Second)) + "s"
	case d < 100*time.Minute:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 100*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	}
	return strconv.Itoa(int(d/(24*time.Hour))) + "d"
}

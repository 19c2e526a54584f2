package resources

import (
	"math"
	"strconv"
	"strings"
)

// measure is the number of names in a list and a bound of their length together,
// both at most math.MaxInt64.
func measure(items []nodeItem) (count, bytes int64) {
	for _, item := range items {
		n, length := item.measure()
		count = add(count, n)
		bytes = add(bytes, times(n, length))
	}
	return count, bytes
}

// measure is the number of names and the length of the longest.
func (item nodeItem) measure() (count, length int64) {
	count = 1
	for _, part := range item {
		length += int64(len(part.text))
		if part.ranges == nil {
			continue
		}
		var n, longest int64
		for _, r := range part.ranges {
			n = add(n, r.high-r.low+1)
			longest = max(longest, int64(r.width), int64(len(strconv.FormatInt(r.high, 10))))
		}
		count, length = times(count, n), length+longest
	}
	return count, length
}

func add(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func times(a, b int64) int64 {
	if b != 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}

// expand is the names of one entry, the last bracket varying fastest.
func (item nodeItem) expand() []string {
	names := []string{""}
	for _, part := range item {
		endings := part.expand()
		next := make([]string, 0, len(names)*len(endings))
		for _, name := range names {
			for _, ending := range endings {
				next = append(next, name+ending)
			}
		}
		names = next
	}
	return names
}

func (part nodePart) expand() []string {
	if part.ranges == nil {
		return []string{part.text}
	}
	var all []string
	for _, r := range part.ranges {
		for n := r.low; n <= r.high; n++ {
			digits := strconv.FormatInt(n, 10)
			all = append(all, part.text+strings.Repeat("0", max(0, r.width-len(digits)))+digits)
		}
	}
	return all
}

// cut keeps an error short.
func cut(text string) string {
	const most = 40
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

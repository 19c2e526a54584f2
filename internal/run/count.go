package run

import "strconv"

// Count writes how many as 16,384, everywhere. What names something, such as a
// rank, an iteration or a process, is written plain, as the filter takes it: 16384.
func Count[T ~int | ~int64 | ~uint64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	if n > 0 && int64(n) < 0 {
		s = strconv.FormatUint(uint64(n), 10)
	}
	from := 0
	if s[0] == '-' {
		from = 1
	}
	for i := len(s) - 3; i > from; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

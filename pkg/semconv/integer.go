package semconv

import "strconv"

// ParseInt reads a complete signed base-10 ASCII integer within int64, blanks
// around it allowed: " +007 " is 7. "3.5", "1e3", "1_000", "0x10", "--1", "true"
// and "" are not integers.
func ParseInt(s string) (int64, bool) {
	s = trimBlanks(s)
	if !isInteger(s) {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil { // beyond int64
		return 0, false
	}
	return n, true
}

// isInteger reports whether s is digits with at most one sign before them.
// strconv alone is not asked, so that its ideas of a number cannot leak in.
func isInteger(s string) bool {
	if s != "" && (s[0] == '+' || s[0] == '-') {
		s = s[1:]
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

func trimBlanks(s string) string {
	for s != "" && isBlank(s[0]) {
		s = s[1:]
	}
	for s != "" && isBlank(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isBlank(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

package run

import "strings"

// Nearest is the known name that a key was probably meant to be, "" for none. A
// key whose last word is short is near to nothing in it: tp, pp and cp are three
// things. Of names that are equally near the first in names counts.
func Nearest(key string, names []string) string {
	best, least := "", 3
	for _, name := range names {
		if d := editDistance(key, name, least); d < least && d <= allowed(key, name) {
			best, least = name, d
		}
	}
	return best
}

// allowed is how many edits may lie between two names.
func allowed(key, name string) int {
	a, b := lastWord(key), lastWord(name)
	if a == b || dotted(key) == dotted(name) {
		return 2 // the slip is in the namespace, or in how words are put together
	}
	switch n := max(len(a), len(b)); {
	case n < 4:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

func dotted(key string) string { return strings.ReplaceAll(key, "_", ".") }

func lastWord(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// editDistance is the number of insertions, deletions, replacements and swaps of
// neighbours between two words (optimal string alignment), or limit when it is not
// below that.
func editDistance(a, b string, limit int) int {
	if abs(len(a)-len(b)) >= limit {
		return limit
	}
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit
		}
		before, prev, row = prev, row, before
	}
	return min(prev[len(b)], limit)
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

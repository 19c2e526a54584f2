package run

import "strings"

// last is the value of a key; of repeated keys the last counts.
func (r resource) last(key string) Value {
	for i := len(r) - 1; i >= 0; i-- {
		if r[i].Key == key {
			return r[i].Value
		}
	}
	return Value{}
}

// text is the first of keys that is not empty, as a string or an integer.
func (r resource) text(keys ...string) string {
	for _, k := range keys {
		v := r.last(k)
		if v.Type != String && v.Type != Int {
			continue
		}
		if s := v.String(); strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

// rank is the first of keys that is an integer from 0, else Unknown.
func (r resource) rank(keys ...string) int { return r.integer(0, maxRanks-1, keys) }

// size is the first of keys that is an integer from 1, else Unknown.
func (r resource) size(keys ...string) int { return r.integer(1, maxRanks, keys) }

// count is the first of keys that is an integer from 0, else Unknown.
func (r resource) count(keys ...string) int { return r.integer(0, 1<<31-1, keys) }

func (r resource) integer(low, high int64, keys []string) int {
	for _, k := range keys {
		if n, ok := r.last(k).IntLike(); ok && low <= n && n <= high {
			return int(n)
		}
	}
	return Unknown
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

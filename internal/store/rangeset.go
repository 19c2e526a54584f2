package store

import "slices"

// rangeSet is a set of integers as sorted ranges: the iterations of an attempt,
// which mostly follow each other. Beyond maxRanges the lowest are counted and
// forgotten, so that memory is bounded whatever numbers come.
type rangeSet struct {
	ranges []span64
	gone   int // numbers in ranges that were forgotten
	low    int64
	high   int64
	floor  int64 // everything below has been forgotten
}

type span64 struct{ from, to int64 }

const maxRanges = 1 << 14

// add takes n in and reports whether it is new.
func (s *rangeSet) add(n int64) bool {
	if s.len() > 0 && n < s.floor && s.gone > 0 {
		return false // cannot tell; it would rather have been seen
	}
	at := s.search(n)
	if at < len(s.ranges) && s.ranges[at].from <= n {
		return false
	}
	s.bound(n)
	left := at > 0 && s.ranges[at-1].to == n-1
	right := at < len(s.ranges) && s.ranges[at].from == n+1
	switch {
	case left && right:
		s.ranges[at-1].to = s.ranges[at].to
		s.ranges = slices.Delete(s.ranges, at, at+1)
	case left:
		s.ranges[at-1].to = n
	case right:
		s.ranges[at].from = n
	default:
		s.ranges = slices.Insert(s.ranges, at, span64{n, n})
	}
	s.trim()
	return true
}

// search is the first range that ends at or after n.
func (s *rangeSet) search(n int64) int {
	at, _ := slices.BinarySearchFunc(s.ranges, n, func(r span64, n int64) int {
		if r.to < n {
			return -1
		}
		return 1
	})
	return at
}

func (s *rangeSet) bound(n int64) {
	if s.len() == 0 {
		s.low, s.high = n, n
	}
	s.low, s.high = min(s.low, n), max(s.high, n)
}

func (s *rangeSet) trim() {
	if len(s.ranges) <= maxRanges {
		return
	}
	r := s.ranges[0]
	s.gone += int(r.to-r.from) + 1
	s.floor = r.to + 1
	s.ranges = slices.Delete(s.ranges, 0, 1)
}

// remove takes n out again.
func (s *rangeSet) remove(n int64) {
	at := s.search(n)
	if at == len(s.ranges) || s.ranges[at].from > n {
		return
	}
	r := s.ranges[at]
	s.ranges = slices.Delete(s.ranges, at, at+1)
	if n < r.to {
		s.ranges = slices.Insert(s.ranges, at, span64{n + 1, r.to})
	}
	if r.from < n {
		s.ranges = slices.Insert(s.ranges, at, span64{r.from, n - 1})
	}
	if len(s.ranges) > 0 {
		s.high = s.ranges[len(s.ranges)-1].to
		if s.gone == 0 {
			s.low = s.ranges[0].from
		}
	}
}

// len is how many numbers are in the set.
func (s *rangeSet) len() int {
	n := s.gone
	for _, r := range s.ranges {
		n += int(r.to-r.from) + 1
	}
	return n
}

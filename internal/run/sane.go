package run

// The times within which a time stamp can be that of a training run, in unix
// nanoseconds: 2000-01-01 and 2200-01-01 UTC. Time stamps in seconds,
// milliseconds or microseconds fall before, 2^64−1 and its like behind.
const (
	minTime = 946_684_800_000_000_000
	maxTime = 7_258_118_400_000_000_000
)

// Sane looks at a span's times, unix nanoseconds as sent, and returns what is
// wrong with them: Open, ZeroStart, BadTime, or EndsBefore, which is said only
// of two times that are possible each. Without a mark end − start is a duration
// that does not overflow.
func Sane(start, end uint64) Mark {
	m := saneStart(start) | saneEnd(end)
	if m == 0 && end < start {
		return EndsBefore
	}
	return m
}

func saneStart(t uint64) Mark {
	if t == 0 {
		return ZeroStart
	}
	return saneTime(t)
}

func saneEnd(t uint64) Mark {
	if t == 0 {
		return Open
	}
	return saneTime(t)
}

func saneTime(t uint64) Mark {
	if t < minTime || t > maxTime {
		return BadTime
	}
	return 0
}

// Beyond reports whether a time stamp lies behind all that can be true: taken for
// the newest of something, it would stay that for ever.
func Beyond(t uint64) bool { return t > maxTime }

package run

import "time"

// Recording is what a recording says of itself: where it goes, what is in it, and
// what is not.
type Recording struct {
	Dir      string // where the segments are
	Segment  string // the file being written, "" when none is open
	Since    int64  // start, unix ns of the receiver's clock
	Sync     bool   // requests are acknowledged when they are on the disk
	Requests uint64 // written since the start
	Items    [SignalCount]uint64
	Bytes    uint64 // written, compressed
	Failing  string // why nothing can be written now, "" when all is well
	Lost     Lost
	Older    Older
	Crowded  string // why its oldest files cannot be deleted, "" when all is well
	Deleted  uint32 // files that somebody deleted or cut while they were written: what is gone is in Lost
}

// Older counts what a recording held in its oldest files, which were deleted to
// keep to its size.
type Older struct {
	Files       uint32 // numbers 1 to Files
	Items       [SignalCount]uint64
	First, Last int64 // receive times, unix ns
}

// Total is the number of items.
func (o *Older) Total() (n uint64) {
	for _, k := range o.Items {
		n += k
	}
	return n
}

// Lost counts what was received and not recorded.
type Lost struct {
	Requests    uint64
	Items       [SignalCount]uint64
	First, Last int64 // receive times, unix ns
}

// Loading is how far the reading of files has come. Sizes are bytes as they are
// on the disk. It is taken as a whole: Elapsed belongs to Done and Items.
type Loading struct {
	Path        string // being read
	File, Files int    // number of the file being read, from 1, and how many there are
	Done, Total int64  // of all files; Total is 0 when it is not known
	Items       uint64 // spans, points and logs so far
	Elapsed     time.Duration
	Following   bool // all that is there is read; what is appended will be
	Finished    bool // nothing more will be read
	Canceled    bool // by the user: what was read so far stays
}

// Fraction is the share that was read, from 0 to 1; ok is false where the sizes
// are not known.
func (l *Loading) Fraction() (share float64, ok bool) {
	if l.Total <= 0 {
		return 0, false
	}
	return min(1, float64(l.Done)/float64(l.Total)), true
}

// Rate is items a second so far.
func (l *Loading) Rate() float64 {
	if l.Elapsed <= 0 {
		return 0
	}
	return float64(l.Items) / l.Elapsed.Seconds()
}

// Remaining is how long the rest takes at the rate so far; ok is false where
// that cannot be told.
func (l *Loading) Remaining() (left time.Duration, ok bool) {
	share, ok := l.Fraction()
	if !ok || share == 0 || l.Elapsed <= 0 {
		return 0, false
	}
	return time.Duration(float64(l.Elapsed) * (1 - share) / share), true
}

// Add counts requests that were received from first to last and not recorded.
func (l *Lost) Add(requests uint64, items [SignalCount]uint32, first, last int64) {
	l.Requests += requests
	for s, n := range items {
		l.Items[s] += uint64(n)
	}
	if l.First == 0 || first < l.First {
		l.First = first
	}
	l.Last = max(l.Last, last)
}

// Total is the number of items.
func (l *Lost) Total() (n uint64) {
	for _, k := range l.Items {
		n += k
	}
	return n
}

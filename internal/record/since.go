package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// ErrNoTimes says that a source does not say when what is in it came.
var ErrNoTimes = errors.New("it is no recording, and only recordings say when something came")

// Last narrows the sources of recordings to what came in the last d before the
// latest receive time in them, without reading what comes before: segments and
// groups that are older are passed over. A source that is something else is
// ErrNoTimes.
func Last(sources []Source, d time.Duration) ([]Source, error) {
	all := make([]extent, len(sources))
	latest := int64(0)
	for i, src := range sources {
		var err error
		if all[i], err = src.extent(); err != nil {
			return nil, fmt.Errorf("look for the end of %s: %w", src.Path, err)
		}
		for _, g := range all[i].groups {
			latest = max(latest, g.Last)
		}
	}
	if latest == 0 { // nothing has come yet: there is nothing to pass over
		return sources, nil
	}
	from := latest - int64(d)
	var out []Source
	for i, src := range sources {
		if src.later(all[i], from) || i == len(sources)-1 && len(out) == 0 {
			src.first = len(out) == 0
			out = append(out, src)
		}
	}
	return out, nil
}

// extent is where in a segment its groups are. Of one that is not finished more may
// stand behind end, 0 for a finished one.
type extent struct {
	groups []IndexGroup
	end    int64
}

// later sets the place in a source from which on requests came at `from` or later.
// It reports whether there may be one.
func (s *Source) later(e extent, from int64) bool {
	s.from = from
	for _, g := range e.groups {
		if s.skip = g.Offset; g.Last >= from {
			return true
		}
	}
	s.skip = e.end
	return e.end > 0
}

// extent is found in the index of a segment that is finished, else by going from one
// group's header to the next, and by reading all where something is damaged.
func (s *Source) extent() (e extent, err error) {
	if s.Input != nil {
		return e, ErrNoTimes
	}
	f, err := os.Open(s.Path)
	if err != nil {
		return e, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return e, err
	}
	head := make([]byte, headSize)
	n, err := f.ReadAt(head, 0)
	_, segment := segmentNumber(s.Path)
	switch {
	case err != nil && !atEnd(err):
		return e, err
	case !isHeader(head[:n]) && !(segment && n == 0):
		return e, ErrNoTimes
	}
	if x, ok, err := ReadIndex(f, info.Size()); ok && err == nil && x.fits(info.Size()) {
		return extent{groups: x.Groups}, nil
	}
	if e, ok := skim(f, info.Size()); ok {
		return e, nil
	}
	x, end, _, err := walk(f)
	return extent{x.Groups, end}, err
}

// fits reports whether an index can be that of a segment of a size.
func (x *Index) fits(size int64) bool {
	before := int64(0)
	for _, g := range x.Groups {
		if g.Offset <= before || g.Offset >= size {
			return false
		}
		before = g.Offset
	}
	return true
}

// skim reads the headers of the groups of a segment and passes over the rest; ok is
// false where it meets something else.
func skim(in io.ReaderAt, size int64) (e extent, ok bool) {
	b := make([]byte, groupSize)
	for at := int64(headerSize); at <= size; {
		e.end = at
		if n, _ := in.ReadAt(b, at); n < groupSize {
			return e, true
		}
		if isOlder(b) {
			at += int64(olderSize)
			continue
		}
		g, err := parseGroup(b)
		if err != nil || at+int64(groupSize)+int64(g.packed) > size {
			return e, err == nil
		}
		e.groups = append(e.groups, IndexGroup{at, g.last})
		at += int64(groupSize) + int64(g.packed)
	}
	return e, true
}

// passes tells, once for all sources, that not all is read.
func (im *importer) passes(src Source) {
	if im.from = src.from; src.first {
		im.told.add(fmt.Sprintf("%s: what came before %s is passed over", src.Path, clock(src.from)))
	}
}

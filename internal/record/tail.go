package record

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"time"
)

// tailSize is the buffer of a file that is followed: there may be many.
const tailSize = 16 << 10

// tail reads a file that grows. Where it ends it waits. It is opened anew at each
// look, because that is when a network file system asks its server. When another
// file has taken its place, or it was cut, it ends for good.
type tail struct {
	ctx      context.Context
	o        *FollowOptions
	path     string
	file     *os.File
	info     fs.FileInfo
	offset   int64
	from     int64         // offset at which it began
	wait     time.Duration // until the next look
	reached  bool          // the end was reached once
	caughtUp func()        // called when the end is reached for the first time
	replaced bool          // another file has its name
	again    bool          // the reader was told that it ended, and should begin again
}

// openTail opens a file to be followed.
func openTail(ctx context.Context, o *FollowOptions, path string, caughtUp func()) (*tail, error) {
	t := &tail{ctx: ctx, o: o, path: path, wait: o.Poll, caughtUp: caughtUp}
	var err error
	if t.file, err = os.Open(path); err != nil {
		return nil, err
	}
	t.info, err = t.file.Stat()
	if err != nil {
		t.file.Close()
	}
	return t, err
}

// Close closes the file.
func (t *tail) Close() error { return t.file.Close() }

// Read gives what is there, or waits for it.
func (t *tail) Read(p []byte) (int, error) {
	for {
		n, err := t.file.ReadAt(p, t.offset)
		if n > 0 {
			t.offset += int64(n)
			t.wait = t.o.Poll
			t.o.Meter.read(int64(n))
			return n, nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if t.replaced || t.again {
			t.again = true
			return 0, io.EOF
		}
		if err := t.look(); err != nil {
			return 0, err
		}
	}
}

// look waits a while and looks at the path again.
func (t *tail) look() error {
	if !t.reached {
		t.reached = true
		t.caughtUp()
	}
	timer := time.NewTimer(t.wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-t.ctx.Done():
		return t.ctx.Err()
	}
	t.wait = min(2*t.wait, maxWait(t.o.Poll))
	f, err := os.Open(t.path)
	if err != nil {
		return nil // removed, or between two names: what was opened may still grow
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		f.Close()
		return nil
	case !os.SameFile(info, t.info):
		f.Close()
		t.replaced = true
	case info.Size() < t.offset:
		f.Close()
		t.again = true
	default:
		t.file.Close()
		t.file = f
	}
	return nil
}

// maxWait is the longest time between two looks at a file that does not grow.
func maxWait(poll time.Duration) time.Duration { return 4 * poll }

// stamp is a receive time for what the file has none for: that of its last change
// for what was there before, the clock for what came after.
func (t *tail) stamp() int64 {
	if t.reached {
		return t.o.Now().UnixNano()
	}
	return t.info.ModTime().UnixNano()
}

// tell gives messages on at once: a file that is followed has no end at which they
// could be told.
func (t *tail) tell(bad bool) func(string) {
	return func(text string) {
		if t.o.Tell != nil {
			t.o.Tell(t.path, text, bad)
		}
	}
}

// sections is the file as a recording that grows.
func (t *tail) sections(ctx context.Context) feed {
	t.ctx = ctx
	t.o.Meter.read(t.from - t.offset) // what was read ahead; sections are counted one by one
	f := &followed{tail: t, good: t.from}
	f.reread()
	return f
}

// followed is a segment that is being written. What is not whole at its end is
// read again from its beginning: the writer may have cut it back meanwhile, and a
// network file system shows zeros for a while in the place of what was written.
type followed struct {
	tail  *tail
	in    sections
	good  int64 // end of the last good section
	doubt int   // looks at damage that did not go away
	ends  bool  // the index was read
	later bool  // there is a later segment, and this one was read once more since
}

// maxDoubt is how many looks damage must outlast to be believed.
const maxDoubt = 8

func (f *followed) reread() {
	f.tail.offset = f.good // less than that means that the file was cut
	f.in = sections{newWindow(io.NewSectionReader(f.tail.file, f.good, math.MaxInt64-f.good), f.good)}
}

func (f *followed) next() (section, error) {
	for {
		s, err := f.in.next()
		switch {
		case err != nil && !atEnd(err):
			return s, err
		case err == nil && s.kind != aTorn && s.kind != aDamage:
			return f.took(s), nil
		case err == nil && s.kind == aDamage && f.doubt >= maxDoubt:
			return f.took(s), nil
		case f.ends && err != nil, f.later, f.tail.replaced, f.tail.again:
			if err == nil { // told once, and not looked at again
				return f.took(s), nil
			}
			return s, err
		}
		if err := f.look(err == nil && s.kind == aDamage); err != nil {
			return section{}, err
		}
	}
}

func (f *followed) took(s section) section {
	f.doubt = 0
	f.good = s.offset + s.size
	f.ends = s.kind == anIndex
	f.tail.wait = f.tail.o.Poll
	f.tail.o.Meter.read(s.size)
	return s
}

// look waits for more. A later segment means that there will be none.
func (f *followed) look(damage bool) error {
	if damage {
		f.doubt++
	}
	later := hasLater(f.tail.path) // before the file is read once more
	if later {
		f.tail.wait = f.tail.o.Poll
	}
	if err := f.tail.look(); err != nil {
		return err
	}
	f.later = later
	f.reread()
	return nil
}

// hasLater reports whether there is a later segment of the recording.
func hasLater(path string) bool {
	_, ok := nextSegment(path)
	return ok
}

// nextSegment is the path of the segment that follows.
func nextSegment(path string) (string, bool) {
	number, ok := segmentNumber(path)
	if !ok {
		return "", false
	}
	all, err := folder{path: filepath.Dir(path)}.segments()
	if err != nil {
		return "", false
	}
	for _, n := range all {
		if n > number {
			return filepath.Join(filepath.Dir(path), segmentName(n)), true
		}
	}
	return "", false
}

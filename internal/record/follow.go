package record

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// FollowOptions say how to follow.
type FollowOptions struct {
	Poll time.Duration    // how often to look for more; 0 is DefaultPoll
	Now  func() time.Time // nil is the system's clock
	// Tell is told of damage and of what was tolerated as it is found; bad says
	// that something could not be read. It may be called from several goroutines.
	Tell  func(path, text string, bad bool)
	Meter *Meter        // of no sources; may be nil
	Last  time.Duration // read of recordings only what came in the last so long; 0 for all
}

// DefaultPoll is a quarter of a second. Files that do not grow are looked at less
// often.
const DefaultPoll = 250 * time.Millisecond

// maxFollowed is how many files are followed at once: each takes a descriptor and
// a buffer.
const maxFollowed = 512

// Follow imports files and goes on as they grow, until ctx ends; then it returns
// nil. In a directory new files are taken up, and a recording goes on in its next
// segment. A file that is replaced (rotated) or cut is read to its end and then
// begun anew. What is there is read file after file; only then are they read side
// by side. The sink is called by one goroutine at a time.
//
// What a file gives no receive time for has that of its last change, and what is
// appended has the time at which it was seen.
func Follow(ctx context.Context, paths []string, o FollowOptions, sink Sink) error {
	if o.Poll <= 0 {
		o.Poll = DefaultPoll
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("open for following: %w", err)
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	f := &follower{ctx: ctx, cancel: cancel, o: o, turn: make(chan struct{}, 1), known: map[string]bool{}, absent: map[string]int{}}
	f.sink = func(b *otlp.Batch, r run.Receipt) error {
		f.one.Lock()
		defer f.one.Unlock()
		return sink(b, r)
	}
	if err := f.narrow(paths); err != nil {
		return err
	}
	f.run(paths)
	f.files.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// follower follows files.
type follower struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	o      FollowOptions
	one    sync.Mutex
	sink   Sink
	absent map[string]int // looks at which a path was missing, of the looking goroutine
	turn   chan struct{}  // taken by the file whose past is being read
	files  sync.WaitGroup

	mu     sync.Mutex
	known  map[string]bool // paths, and directories of recordings
	inodes []fs.FileInfo   // of files that are or were followed
	behind int             // files whose past is not read yet
	full   bool            // maxFollowed was told of
	parts  []Source        // where to begin with recordings of which only the end is wanted
}

// narrow finds where what is wanted of recordings begins, and begins with that.
func (f *follower) narrow(paths []string) error {
	if f.o.Last <= 0 {
		return nil
	}
	sources, err := Sources(paths, nil)
	if err == nil {
		f.parts, err = Last(sources, f.o.Last)
	}
	for _, src := range f.parts {
		f.begin(src.Path)
	}
	return err
}

// part is where to begin with a file.
func (f *follower) part(path string) Source {
	for _, src := range f.parts {
		if src.Path == path {
			return src
		}
	}
	number, _ := segmentNumber(path)
	return Source{Path: path, gone: max(number, 1) - 1}
}

// run looks for files until the end.
func (f *follower) run(paths []string) {
	for {
		for _, path := range paths {
			f.find(path)
		}
		timer := time.NewTimer(maxWait(f.o.Poll))
		select {
		case <-timer.C:
		case <-f.ctx.Done():
			timer.Stop()
			return
		}
	}
}

func (f *follower) find(path string) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		f.missing(path)
		return
	case !info.IsDir():
		delete(f.absent, path)
		f.begin(path)
		return
	}
	delete(f.absent, path)
	sources, err := filesBelow(path)
	if err != nil {
		return
	}
	for _, s := range sources {
		if s.closed == nil {
			f.begin(s.Path)
		}
	}
}

// longAbsent is for how many looks a path must have been missing: a rotation takes
// one away for a moment.
const longAbsent = 3

// missing tells, once, that what is followed is not there any more.
func (f *follower) missing(path string) {
	if f.absent[path]++; f.absent[path] == longAbsent && f.o.Tell != nil {
		f.o.Tell(path, path+" is not there any more: what was read of it stays", true)
	}
}

// begin follows a file, unless it is followed already. Of a recording only the
// first segment is begun: the others come in its course.
func (f *follower) begin(path string) {
	key := path
	if _, ok := segmentNumber(path); ok {
		key = filepath.Dir(path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known[key] || f.met(info) {
		return
	}
	if len(f.known) >= maxFollowed {
		if !f.full && f.o.Tell != nil {
			f.o.Tell(path, fmt.Sprintf("more than %d files: this one and others are not followed; give fewer", maxFollowed), true)
		}
		f.full = true
		return
	}
	f.known[key] = true
	f.inodes = append(f.inodes, info)
	f.behind++
	f.o.Meter.following(false)
	f.files.Go(func() { f.follow(path, info.Size()) })
}

// met reports whether a file is or was followed under this or another name. One
// that is smaller than it was is another one: numbers of inodes are used again.
func (f *follower) met(info fs.FileInfo) bool {
	for _, one := range f.inodes {
		if os.SameFile(one, info) && info.Size() >= one.Size() {
			return true
		}
	}
	return false
}

// follow reads a file, and those that take its place, until the end.
func (f *follower) follow(path string, size int64) {
	select {
	case f.turn <- struct{}{}:
	case <-f.ctx.Done():
		return
	}
	var once sync.Once
	caughtUp := func() {
		if _, more := nextSegment(path); more {
			return
		}
		once.Do(func() { <-f.turn; f.arrived() })
	}
	defer once.Do(func() { <-f.turn; f.arrived() })
	src := f.part(path)
	for f.ctx.Err() == nil {
		f.o.Meter.found(size - src.skip)
		t, err := openTail(f.ctx, &f.o, path, caughtUp)
		if err == nil {
			f.remember(t.info)
			t.offset, t.from = src.skip, src.skip
			src.tail, src.Meter = t, f.o.Meter
			_, err = Import(f.ctx, src, f.sink)
			t.Close()
		}
		if err != nil && f.ctx.Err() == nil && f.failed(path, err) {
			return
		}
		before, _ := segmentNumber(path)
		if !f.next(t, &path, &size) {
			return
		}
		number, _ := segmentNumber(path)
		src = Source{Path: path, from: src.from, gone: max(number, before+1) - before - 1}
	}
}

// failed handles what stops the reading of a file; true says that it is for good.
func (f *follower) failed(path string, err error) bool {
	var sys *fs.PathError
	if !errors.As(err, &sys) && !errors.Is(err, fs.ErrNotExist) {
		f.cancel(err) // the sink
		return true
	}
	if f.o.Tell != nil {
		f.o.Tell(path, fmt.Sprintf("%s: cannot be read: %s", path, systemSays(err)), true)
	}
	return true
}

// next is the file that goes on where another ended: the next segment of a
// recording, for which it waits, or what has taken its name.
func (f *follower) next(t *tail, path *string, size *int64) bool {
	for {
		next, later := nextSegment(*path)
		switch _, segment := segmentNumber(*path); {
		case later:
			*path = next
		case t.again || t.replaced:
		case !segment:
			return false // it is not of a kind that goes on
		default:
			if t.look() != nil {
				return false
			}
			t.Close() // what look has opened
			continue
		}
		if info, err := os.Stat(*path); err == nil {
			*size = info.Size()
		}
		return true
	}
}

func (f *follower) remember(info fs.FileInfo) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.met(info) {
		f.inodes = append(f.inodes, info)
	}
}

// arrived says that a file's past is read.
func (f *follower) arrived() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.behind--; f.behind == 0 {
		f.o.Meter.following(true)
	}
}

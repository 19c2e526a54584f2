package record

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Defaults of Options.
const (
	DefaultRotate = 256 << 20
	DefaultDelay  = 100 * time.Millisecond
)

// Options say where and how to record.
type Options struct {
	Dir    string        // made when it is not there
	Rotate int64         // size in bytes from which on a segment is finished; 0 is DefaultRotate
	Keep   int64         // size in bytes of all segments, to which the oldest are deleted; 0 keeps all
	Sync   bool          // Append returns when the request is on the disk
	Group  bool          // the user's group may read: 0640 in 0750 instead of 0600 in 0700
	Delay  time.Duration // how long a request may wait for others before it is written; 0 is DefaultDelay
	Now    func() time.Time

	create func(number uint32) (output, error) // of a segment; tests give files that fail
}

func (o Options) withDefaults() Options {
	if o.Rotate <= 0 {
		o.Rotate = DefaultRotate
	}
	if o.Keep > 0 {
		o.Rotate = min(o.Rotate, max(1, o.Keep/keepParts))
	}
	if o.Delay <= 0 {
		o.Delay = DefaultDelay
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.create == nil {
		o.create = o.folder().create
	}
	return o
}

// keepParts is of how many segments at least a recording of bounded size is: one
// of them goes at a time.
const keepParts = 4

func (o *Options) folder() folder { return folder{o.Dir, o.Group} }

// Errors of Append.
var (
	ErrClosed      = errors.New("the recording is closed")
	ErrNotRecorded = errors.New("not recorded")
)

// Writer appends requests to a recording. Its methods may be called from many
// goroutines at once; one goroutine of its own writes.
type Writer struct {
	o     Options
	disk  disk          // the writing goroutine's
	kick  chan struct{} // there may be something to do
	ended chan struct{} // the writing goroutine is done

	mu      sync.Mutex // guards all below
	buffer  buffer
	room    chan struct{} // closed when memory became free
	stuck   bool          // the disk did not take anything for a while: nobody waits for it
	closing bool
	status  run.Recording
	cut     recovered
	version uint64
}

// Create begins a recording in a directory, which may hold an earlier one: that is
// continued. What a writer that was killed left unfinished there is cut back to
// the last whole group first. The error says what cannot be had.
func Create(o Options) (*Writer, error) {
	o = o.withDefaults()
	w := &Writer{o: o, kick: make(chan struct{}, 1), ended: make(chan struct{}), room: make(chan struct{})}
	number, err := w.prepare()
	if err == nil {
		w.disk, err = newDisk(o, number)
	}
	if err != nil {
		return nil, fmt.Errorf("record to %s: %w", o.Dir, err)
	}
	w.status = run.Recording{Dir: o.Dir, Since: o.Now().UnixNano(), Sync: o.Sync, Segment: segmentName(number), Bytes: w.disk.written}
	w.shrunk()
	go w.loop()
	return w, nil
}

// prepare makes the directory ready and gives the number of the first segment.
func (w *Writer) prepare() (uint32, error) {
	d := w.o.folder()
	if err := d.prepare(); err != nil {
		return 0, err
	}
	all, err := d.segments()
	if err != nil || len(all) == 0 {
		return 1, err
	}
	last := all[len(all)-1]
	w.cut, err = d.recover(last)
	return last + 1, err
}

// Append adds a request with that many items. Without Options.Sync it returns as
// soon as the request is in memory, from where it is written within Options.Delay;
// what cannot be written is counted. It waits when too much is in memory, but
// never for a disk that does not move. With Options.Sync it returns nil when the
// request is on the disk; run.ErrBusy means that it is not and that the sender
// should send it again.
func (w *Writer) Append(ctx context.Context, sig run.Signal, items int, r run.Receipt) error {
	var room [frameHead + frameFixed + 64]byte
	head := appendHead(room[:0], r.At, kindOf(sig, r.JSON), r.Sender, r.Raw) // before the lock is taken
	g, err := w.admit(ctx, len(head)+len(r.Raw), func(g *pending) { g.add(head, sig, uint32(items), r) })
	switch {
	case err != nil && w.o.Sync:
		return fmt.Errorf("record %d %s: %w (%w)", items, sig.Item(), run.ErrBusy, err)
	case err != nil:
		w.lose(sig, items, r.At)
		return fmt.Errorf("record %d %s: %w", items, sig.Item(), err)
	case !w.o.Sync:
		return nil
	}
	select {
	case <-g.done:
		if g.err != nil {
			return fmt.Errorf("record %d %s: %w (%w)", items, sig.Item(), run.ErrBusy, g.err)
		}
		return nil
	case <-ctx.Done():
		return fmt.Errorf("record %d %s: %w (%w)", items, sig.Item(), run.ErrBusy, ctx.Err())
	}
}

// patience is how long a request waits for memory before the disk counts as stuck.
const patience = time.Second

// admit adds to the group being filled as soon as there is room for size bytes.
func (w *Writer) admit(ctx context.Context, size int, add func(*pending)) (*pending, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.buffer.held > 0 && w.buffer.held+size > maxHeld {
		if w.closing || w.stuck {
			break
		}
		if err := w.waitForRoom(ctx); err != nil {
			return nil, err
		}
	}
	switch {
	case w.closing:
		return nil, ErrClosed
	case w.buffer.held > 0 && w.buffer.held+size > maxHeld:
		return nil, fmt.Errorf("%w: the disk is too slow", ErrNotRecorded)
	}
	g := w.buffer.group()
	first := g.plain == 0
	add(g)
	w.buffer.held += size
	switch {
	case w.o.Sync:
		g.due = true
		w.wake()
	case g.plain >= groupTarget:
		w.buffer.close()
		w.wake()
	case first:
		time.AfterFunc(w.o.Delay, func() { w.ripen(g) })
	}
	if w.o.Sync && g.plain >= groupTarget {
		w.buffer.close()
	}
	return g, nil
}

// waitForRoom gives the lock away until memory becomes free. When that takes too
// long the disk is stuck.
func (w *Writer) waitForRoom(ctx context.Context) error {
	room := w.room
	w.mu.Unlock()
	defer w.mu.Lock()
	timeout := time.NewTimer(patience)
	defer timeout.Stop()
	select {
	case <-room:
	case <-timeout.C:
		w.mu.Lock()
		w.stuck = true
		w.mu.Unlock()
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// ripen lets a group be written though it is not full.
func (w *Writer) ripen(g *pending) {
	w.mu.Lock()
	g.due = true
	w.mu.Unlock()
	w.wake()
}

func (w *Writer) wake() {
	select {
	case w.kick <- struct{}{}:
	default:
	}
}

// loop writes what there is until the writer is closed and all is written.
func (w *Writer) loop() {
	defer close(w.ended)
	for range w.kick {
		for {
			g := w.take()
			if g == nil {
				break
			}
			w.write(g)
		}
		w.mu.Lock()
		last := w.closing && w.buffer.cur == nil && len(w.buffer.full) == 0
		w.mu.Unlock()
		if last {
			return
		}
	}
}

func (w *Writer) take() *pending {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buffer.take()
}

// write puts one group into the file and tells those who wait for it.
func (w *Writer) write(g *pending) {
	w.mu.Lock()
	lost := w.status.Lost
	w.mu.Unlock()
	g.err = w.disk.put(g, lost)

	w.mu.Lock()
	defer w.mu.Unlock()
	w.buffer.release(g)
	close(w.room)
	w.room, w.stuck = make(chan struct{}), false
	w.outcome(g)
	close(g.done)
}

// outcome counts a group. Requests that are answered with "again" are not lost.
func (w *Writer) outcome(g *pending) {
	w.version++
	s := &w.status
	s.Segment, s.Failing = w.disk.name(), ""
	w.shrunk()
	w.vanished()
	if g.err != nil {
		s.Failing = systemSays(g.err)
		if !w.o.Sync {
			s.Lost.Add(uint64(g.head.frames), g.head.items, g.head.first, g.head.last)
		}
		return
	}
	s.Requests += uint64(g.head.frames)
	for sig, n := range g.head.items {
		s.Items[sig] += uint64(n)
	}
	s.Bytes = w.disk.written
}

// shrunk takes over what was deleted.
func (w *Writer) shrunk() {
	w.status.Older, w.status.Crowded = run.Older(w.disk.older), ""
	if w.disk.crowded != nil {
		w.status.Crowded = w.disk.crowded.Error()
	}
}

func (w *Writer) lose(sig run.Signal, items int, at int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.version++
	var n [run.SignalCount]uint32
	n[sig] = uint32(items)
	w.status.Lost.Add(1, n, at, at)
}

// Status is how the recording is doing.
func (w *Writer) Status() run.Recording {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status
}

// Version rises with every change of Status.
func (w *Writer) Version() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.version
}

// Flush waits until all that was appended before is written, or known not to be.
func (w *Writer) Flush(ctx context.Context) error {
	w.mu.Lock()
	g := w.buffer.newest()
	if g != nil {
		g.due = true
	}
	w.mu.Unlock()
	if g == nil {
		return nil
	}
	w.wake()
	select {
	case <-g.done:
		return g.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close writes what is in memory, finishes the segment and ends the writer. It
// waits no longer than ctx. The error says what of it failed.
func (w *Writer) Close(ctx context.Context) error {
	w.mu.Lock()
	again := w.closing
	w.closing = true
	if g := w.buffer.cur; g != nil {
		g.due = true
	}
	w.mu.Unlock()
	w.wake()
	select {
	case <-w.ended:
	case <-ctx.Done():
		return fmt.Errorf("close the recording in %s: %w", w.o.Dir, ctx.Err())
	}
	if again {
		return nil
	}
	err := w.disk.finish(true)
	w.mu.Lock()
	w.version++
	w.vanished()
	w.status.Bytes, w.status.Segment = w.disk.written, ""
	w.mu.Unlock()
	if err != nil {
		return fmt.Errorf("finish the recording in %s: %w", w.o.Dir, err)
	}
	return nil
}

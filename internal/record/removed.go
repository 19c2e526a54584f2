package record

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/beamline-hpc/lensview/internal/run"
)

// errRemoved says that what was written is not there any more.
var errRemoved = errors.New("somebody deleted or cut its file while it was written")

// Removed reports whether somebody has deleted the file, or cut off some of the end
// bytes that were written to it: what is written from then on is nowhere, or behind
// a hole at which no reader begins.
func (f osFile) Removed(end int64) bool {
	info, err := f.Stat()
	if err != nil {
		return errors.Is(err, syscall.ESTALE) // deleted on another host
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink == 0 || info.Size() < end
}

// vanish gives up a segment that somebody has deleted or cut. What it held, but for
// whole groups before the cut, is lost.
func (d *disk) vanish() bool {
	if d.file == nil || !d.file.Removed(d.end) {
		return false
	}
	d.drop()
	left := d.left()
	d.holds.Requests -= min(d.holds.Requests, left.Frames)
	for s, n := range left.Items {
		d.holds.Items[s] -= min(d.holds.Items[s], n)
	}
	d.vanished, d.holds = plus(d.vanished, d.holds), run.Lost{}
	d.deleted++
	return true
}

// left is what can still be read of the segment that was given up, which is made
// whole; nothing when it is not there or not ours any more.
func (d *disk) left() Index {
	at := d.o.folder()
	if _, err := at.recover(d.number); err != nil {
		return Index{}
	}
	f, err := os.Open(filepath.Join(at.path, segmentName(d.number)))
	if err != nil {
		return Index{}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Index{}
	}
	x, _, _ := ReadIndex(f, info.Size())
	return x
}

// open makes the file of a segment, and the directory again when it is gone.
func (d *disk) open(number uint32) (output, error) {
	file, err := d.o.create(number)
	if errors.Is(err, fs.ErrNotExist) {
		if err = d.o.folder().prepare(); err == nil {
			file, err = d.o.create(number)
		}
	}
	return file, err
}

// vanished takes over what was deleted: it was recorded and is lost.
func (w *Writer) vanished() {
	gone, s := w.disk.vanished, &w.status
	w.disk.vanished = run.Lost{}
	s.Deleted, s.Lost = w.disk.deleted, plus(s.Lost, gone)
	s.Requests -= gone.Requests
	for sig, n := range gone.Items {
		s.Items[sig] -= n
	}
}

// plus is what both count.
func plus(a, b run.Lost) run.Lost {
	if b.Requests == 0 {
		return a
	}
	a.Requests += b.Requests
	for s, n := range b.Items {
		a.Items[s] += n
	}
	if a.First == 0 || b.First < a.First {
		a.First = b.First
	}
	a.Last = max(a.Last, b.Last)
	return a
}

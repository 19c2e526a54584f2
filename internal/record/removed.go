package record

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/beamline-hpc/lensview/internal/run"
)

// errRemoved says that what was written is not there any more.
var errRemoved = errors.New("somebody deleted its file while it was written")

// Removed reports whether somebody has deleted the file: what is written to it
// from then on is nowhere.
func (f osFile) Removed() bool {
	info, err := f.Stat()
	if err != nil {
		return errors.Is(err, syscall.ESTALE) // deleted on another host
	}
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && st.Nlink == 0
}

// vanish gives up a segment that somebody has deleted. What it held is lost.
func (d *disk) vanish() bool {
	if d.file == nil || !d.file.Removed() {
		return false
	}
	d.drop()
	d.vanished, d.holds = plus(d.vanished, d.holds), run.Lost{}
	d.deleted++
	return true
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

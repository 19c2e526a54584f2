package record

import (
	"errors"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/beamline-hpc/lensview/internal/run"
)

// retryAfter is how long a disk that refused a group is left alone: trying costs
// a write that is cut back.
const retryAfter = time.Second

// disk is the file side of a writer. One goroutine uses it.
type disk struct {
	o       Options
	encoder *zstd.Encoder
	scratch []byte // of compressed groups
	plain   []byte // of what is compressed
	file    output // nil when the next group begins a segment
	number  uint32
	end     int64 // of the last whole group
	index   Index
	written uint64
	told    run.Lost // what the gaps in the file tell of
	failed  time.Time
	failure error
	waits   *atomic.Bool // a settling is under way
	budget  budget
	older   older // what was deleted to keep to the size of all
	crowded error // why nothing can be

	holds    run.Lost // what is in the segment, should somebody delete it
	vanished run.Lost // what was in such a segment, until the writer counts it
	deleted  uint32   // how many there were
}

// settleAfter is how long what was written may stay in the memory of this machine:
// followers on others do not see it before, and a crash of the machine loses it.
const settleAfter = time.Second

// settle puts what is written on the disk, soon and without waiting for it.
func (d *disk) settle() {
	if d.o.Sync || d.waits.Swap(true) {
		return
	}
	file, waits := d.file, d.waits
	time.AfterFunc(settleAfter, func() {
		waits.Store(false)
		_ = file.Sync() // nobody was promised anything; a disk that fails is told of by the next group
	})
}

func newDisk(o Options, number uint32) (disk, error) {
	d := disk{o: o, encoder: newEncoder(), number: number - 1, waits: new(atomic.Bool), older: o.folder().older()}
	return d, d.begin()
}

func (d *disk) name() string {
	if d.file == nil {
		return ""
	}
	return segmentName(d.number)
}

// begin opens the next segment, or begins one again for whose header there was no
// room.
func (d *disk) begin() error {
	if d.file == nil {
		d.shrink()
		file, err := d.open(d.number + 1)
		if err != nil {
			return err
		}
		d.number++
		d.file, d.end, d.index, d.holds = file, 0, Index{}, run.Lost{}
	}
	head := header{d.number, d.o.Now().UnixNano()}.append(nil)
	if d.older.Files > 0 {
		head = d.older.append(head)
	}
	return d.append(head)
}

// shrink makes room for another segment. Where that fails, recording goes on.
func (d *disk) shrink() {
	if d.o.Keep > 0 {
		d.crowded = d.o.folder().keep(&d.older, d.o.Keep, d.o.Rotate)
	}
}

// append writes b behind what is there, whole or not at all.
func (d *disk) append(b []byte) error {
	_, err := d.file.WriteAt(b, d.end)
	if err == nil && d.o.Sync {
		if err = d.file.Sync(); err != nil {
			d.undo()
			d.drop() // what the disk holds of the file is not known any more
			return err
		}
	}
	if err != nil {
		d.undo()
		return err
	}
	d.end += int64(len(b))
	d.written += uint64(len(b))
	return nil
}

// undo cuts back what was not written whole. Where that fails the file is left
// with a torn tail, and the next group begins another.
func (d *disk) undo() {
	if err := d.file.Truncate(d.end); err != nil {
		d.drop()
	}
}

func (d *disk) drop() {
	if d.file != nil {
		d.file.Close()
		d.file = nil
	}
}

// put writes a group. lost is what is not in the recording by now.
func (d *disk) put(g *pending, lost run.Lost) error {
	if d.failure != nil && d.o.Now().Sub(d.failed) < retryAfter {
		return d.failure
	}
	err := d.try(g, lost)
	if d.failure = err; err != nil {
		d.failed = d.o.Now()
	}
	return err
}

func (d *disk) try(g *pending, lost run.Lost) error {
	if d.vanish() {
		lost = plus(lost, d.vanished)
	}
	if d.file == nil || d.end == 0 {
		if err := d.begin(); err != nil {
			return err
		}
	}
	head := g.head
	if lost.Requests > d.told.Requests {
		g.blocks.add(gapFrame(since(lost, d.told)), nil)
		head.frames++
	}
	at, err := d.place(d.pack(&head, &g.blocks))
	if err != nil {
		return err
	}
	d.holds.Add(uint64(g.head.frames), g.head.items, g.head.first, g.head.last)
	d.told = lost
	d.index.add(at, &head)
	d.settle()
	if d.end >= d.o.Rotate {
		_ = d.finish(d.o.Sync) // without its index a segment is as good, and the next writer adds it
	}
	return nil
}

// place writes a packed group and says where it is. Where the file may not grow
// further although the disk is not full, it goes into the next.
func (d *disk) place(b []byte) (at int64, err error) {
	at = d.end
	err = d.append(b)
	if errors.Is(err, syscall.EFBIG) && len(d.index.Groups) > 0 {
		d.drop()
		if err = d.begin(); err == nil {
			at = d.end
			err = d.append(b)
		}
	}
	return at, err
}

// pack is a group as it stands in the file.
func (d *disk) pack(head *group, g *blocks) []byte {
	b := g.buf
	if from := time.Now(); d.budget.allows(from) {
		d.plain = g.gather(d.plain[:0])
		b = append(d.scratch[:0], b[:groupSize]...)
		b = d.encoder.EncodeAll(d.plain, b)
		d.keep(b)
		d.budget.spend(time.Since(from))
	} else {
		b = g.frame()
	}
	head.packed, head.plain = uint32(len(b)-groupSize), uint32(g.plain)
	head.sum = checksum(b[groupSize:])
	head.append(b[:0])
	return b
}

// keep keeps memory for the next group, unless a huge one has blown it up.
func (d *disk) keep(scratch []byte) {
	d.scratch = scratch
	if cap(d.scratch)+cap(d.plain) > 8*groupTarget {
		d.scratch, d.plain = nil, nil
	}
}

// since is what was lost between two counts.
func since(now, before run.Lost) run.Lost {
	out := now
	out.Requests -= before.Requests
	for s := range out.Items {
		out.Items[s] -= before.Items[s]
	}
	if before.Requests > 0 {
		out.First = before.Last
	}
	return out
}

// finish ends the segment with its index and closes it.
func (d *disk) finish(sync bool) error {
	if d.vanish() {
		return errRemoved
	}
	if d.file == nil {
		return nil
	}
	b := d.index.append(nil)
	_, err := d.file.WriteAt(b, d.end)
	if err != nil {
		err = errors.Join(err, d.file.Truncate(d.end))
	} else {
		d.written += uint64(len(b))
	}
	if sync {
		err = errors.Join(err, d.file.Sync())
	}
	err = errors.Join(err, d.file.Close())
	d.file = nil
	return err
}

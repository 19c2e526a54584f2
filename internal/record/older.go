package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/beamline-hpc/lensview/internal/run"
)

// older is what the oldest segments held that a writer deleted to keep to
// Options.Keep. It stands behind the header of each later segment, so that the
// newest one always tells all.
type older run.Older

const (
	magicOlder = 0x184D2A53
	olderSize  = skipSize + 4 + int(run.SignalCount)*8 + 2*8 + 4
)

func (o *older) append(dst []byte) []byte {
	from := len(dst)
	dst = skippable(dst, magicOlder, olderSize-skipSize)
	dst = binary.LittleEndian.AppendUint32(dst, o.Files)
	for _, n := range o.Items {
		dst = binary.LittleEndian.AppendUint64(dst, n)
	}
	dst = binary.LittleEndian.AppendUint64(dst, uint64(o.First))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(o.Last))
	return binary.LittleEndian.AppendUint32(dst, checksum(dst[from:]))
}

// isOlder reports whether b begins like one.
func isOlder(b []byte) bool {
	return binary.LittleEndian.Uint32(b) == magicOlder && binary.LittleEndian.Uint32(b[4:]) == uint32(olderSize-skipSize)
}

// parseOlder reads olderSize bytes.
func parseOlder(b []byte) (o older, ok bool) {
	end := olderSize - 4
	if !isOlder(b) || binary.LittleEndian.Uint32(b[end:]) != checksum(b[:end]) {
		return o, false
	}
	o.Files = binary.LittleEndian.Uint32(b[skipSize:])
	p := b[skipSize+4:]
	for s := range o.Items {
		o.Items[s] = binary.LittleEndian.Uint64(p[8*s:])
	}
	p = p[8*len(o.Items):]
	o.First, o.Last = int64(binary.LittleEndian.Uint64(p)), int64(binary.LittleEndian.Uint64(p[8:]))
	return o, true
}

// add counts a segment that is going to be deleted.
func (o *older) add(number uint32, x *Index) {
	if number <= o.Files {
		return // it was counted when it could not be deleted
	}
	o.Files = number
	for s, n := range x.Items {
		o.Items[s] += n
	}
	if o.First == 0 || x.First != 0 && x.First < o.First {
		o.First = x.First
	}
	o.Last = max(o.Last, x.Last)
}

// older is what the newest segment says of segments that were deleted.
func (d folder) older() older {
	all, err := d.segments()
	for i := len(all) - 1; err == nil && i >= 0; i-- {
		b := make([]byte, headerSize+olderSize)
		f, err := os.Open(filepath.Join(d.path, segmentName(all[i])))
		if err != nil {
			continue
		}
		_, _ = f.ReadAt(b, 0) // a note that is not all there is none
		f.Close()
		if _, err := parseHeader(b); err != nil {
			continue
		}
		if o, ok := parseOlder(b[headerSize:]); ok {
			return o
		}
	}
	return older{}
}

// keep deletes the oldest segments until what is left and a new one of the given
// size are within limit, and counts them in o. The newest always stays. Where
// somebody else deletes there is time until the next segment.
func (d folder) keep(o *older, limit, size int64) error {
	if err := d.trim(o, limit, size); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (d folder) trim(o *older, limit, size int64) error {
	all, err := d.segments()
	if err != nil {
		return err
	}
	used := size
	infos := make([]fs.FileInfo, len(all))
	for i, n := range all {
		if infos[i], err = os.Lstat(filepath.Join(d.path, segmentName(n))); err != nil {
			return err
		}
		used += infos[i].Size()
	}
	for i := 0; i < len(all)-1 && used > limit; i++ {
		if err := d.remove(o, all[i], infos[i]); err != nil {
			return fmt.Errorf("delete the oldest file of the recording: %w", err)
		}
		used -= infos[i].Size()
	}
	return nil
}

// remove deletes a segment of ours.
func (d folder) remove(o *older, number uint32, info fs.FileInfo) error {
	path := filepath.Join(d.path, segmentName(number))
	if err := ownFile(info); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if head := make([]byte, headSize); info.Size() > 0 {
		if n, _ := f.ReadAt(head, 0); !isHeader(head[:n]) {
			return fmt.Errorf("%s: it is not a recording; move it away", path)
		}
	}
	x, ok, err := ReadIndex(f, info.Size())
	if err == nil && !ok {
		x, _, _, err = walk(f)
	}
	if err != nil && !errors.Is(err, errIndex) {
		return fmt.Errorf("%s: %w", path, err)
	}
	o.add(number, &x)
	return os.Remove(path)
}

// earlier tells of the segments before a source that are not there.
func (im *importer) earlier(src Source) {
	number, ok := segmentNumber(src.Path)
	if !ok || src.gone == 0 || src.first { // what stands before the first is not wanted
		return
	}
	first, last := number-src.gone, number-1
	o := run.Older(folder{path: filepath.Dir(src.Path)}.older())
	if first == 1 && o.Files > 0 {
		im.Older = o.Total()
		im.told.add(src.Path + ": " + olderText(o))
		first = o.Files + 1
	}
	if first > last {
		return
	}
	why := "somebody deleted them?"
	if o.Files >= last {
		why = "deleted to keep to its size before they were read here"
	}
	im.MissingFiles = uint64(last - first + 1)
	im.told.add(fmt.Sprintf("%s: of the recording before it %s not there (%s)", src.Path, span(first, last), why))
}

func olderText(o run.Older) string {
	return fmt.Sprintf("%s items that came between %s and %s were in the oldest %s of the recording, deleted to keep to its size",
		run.Count(o.Total()), clock(o.First), clock(o.Last), plural(uint64(o.Files), "file"))
}

func plural(n uint64, what string) string {
	if n == 1 {
		return what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// span is the names of segments, as a subject.
func span(first, last uint32) string {
	if first == last {
		return segmentName(first) + " is"
	}
	return segmentName(first) + " to " + segmentName(last) + " are"
}

package record

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/beamline-hpc/lensview/internal/run"
)

// frame is one request of a recording, or a gap in it. Its bytes point into the
// group it was read from.
type frame struct {
	at     int64 // receive time, unix ns
	kind   byte
	sender []byte
	raw    []byte
}

func kindOf(s run.Signal, json bool) byte {
	if json {
		return byte(s) | jsonKind
	}
	return byte(s)
}

// signal is that of a request; ok is false for a kind of frame that is not known
// here.
func (f *frame) signal() (s run.Signal, ok bool) {
	s = run.Signal(f.kind & signalMask)
	return s, f.kind&^(jsonKind|signalMask) == 0 && s < run.SignalCount
}

func (f *frame) json() bool { return f.kind&jsonKind != 0 }

// appendFrame appends a frame.
func appendFrame(dst []byte, at int64, kind byte, sender string, raw []byte) []byte {
	return append(appendHead(dst, at, kind, sender, raw), raw...)
}

// appendHead appends all of a frame but the request.
func appendHead(dst []byte, at int64, kind byte, sender string, raw []byte) []byte {
	sender = sender[:min(len(sender), maxSender)]
	from := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(frameFixed+len(sender)+len(raw)))
	dst = append(dst, 0, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(at))
	dst = append(dst, kind)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(sender)))
	dst = append(dst, sender...)
	sum := crc32.Update(checksum(dst[from+frameHead:]), crc32.MakeTable(crc32.Castagnoli), raw)
	binary.LittleEndian.PutUint32(dst[from+4:], sum)
	return dst
}

// nextFrame reads the frame at the start of b and gives what follows it. After
// errChecksum the rest can be read on, after another error it cannot.
func nextFrame(b []byte) (f frame, rest []byte, err error) {
	if len(b) < frameHead+frameFixed {
		return f, nil, fmt.Errorf("%w: %d bytes are left", errFrame, len(b))
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n < frameFixed || n > len(b)-frameHead {
		return f, nil, fmt.Errorf("%w: %d bytes of %d", errFrame, n, len(b)-frameHead)
	}
	p := b[frameHead : frameHead+n]
	rest = b[frameHead+n:]
	if binary.LittleEndian.Uint32(b[4:]) != checksum(p) {
		return f, rest, errChecksum
	}
	f.at, f.kind = int64(binary.LittleEndian.Uint64(p)), p[8]
	sender := int(binary.LittleEndian.Uint16(p[9:]))
	if sender > len(p)-frameFixed {
		return f, rest, errChecksum
	}
	f.sender, f.raw = p[frameFixed:frameFixed+sender], p[frameFixed+sender:]
	return f, rest, nil
}

// gapFrame is what was lost since the last gap, so that whoever reads the recording
// knows.
func gapFrame(l run.Lost) []byte {
	var raw []byte
	for _, v := range append([]uint64{l.Requests}, l.Items[:]...) {
		raw = binary.AppendUvarint(raw, v)
	}
	raw = binary.AppendVarint(raw, l.First)
	return appendFrame(nil, l.Last, gapKind, "", raw)
}

// gap is what a gap frame says was lost.
func (f *frame) gap() (l run.Lost, ok bool) {
	v := varints{b: f.raw}
	l.Requests = v.unsigned()
	for s := range l.Items {
		l.Items[s] = v.unsigned()
	}
	l.First, l.Last = v.signed(), f.at
	return l, !v.bad && f.kind == gapKind
}

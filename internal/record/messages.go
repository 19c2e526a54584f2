package record

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// prefixSize is that of the length, big-endian, which the Collector's file exporter
// writes before each message when its format is proto or its compression zstd.
const prefixSize = 4

// messages reads messages with their lengths before them.
func (im *importer) messages(ctx context.Context, w *window) error {
	unpack := newUnpacker()
	defer unpack.Close()
	var plain []byte
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := spot{offset: w.offset, binary: true}
		b, err := w.message(im, at)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return im.streamEnds(ctx, at, err)
		}
		if isZstd(b) {
			if plain, err = unpack.DecodeAll(b, plain[:0]); err != nil {
				im.bad.add(im.at(at, "damaged zstd: "+err.Error()))
				continue
			}
			b = plain
		}
		if err := im.message(at, b); err != nil {
			return err
		}
		if cap(plain) > 4*groupTarget {
			plain = nil
		}
	}
}

func isZstd(b []byte) bool { return len(b) > len(zstdMagic) && string(b[:len(zstdMagic)]) == zstdMagic }

// message is the next message, or io.EOF. What is damaged is passed over and told
// of, a message that is not all there ends the stream.
func (w *window) message(im *importer, at spot) ([]byte, error) {
	for {
		b, err := w.peek(prefixSize)
		switch {
		case err != nil && !atEnd(err):
			return nil, err
		case len(b) == 0:
			return nil, io.EOF
		case len(b) < prefixSize:
			return nil, io.ErrUnexpectedEOF
		}
		n := int(binary.BigEndian.Uint32(b))
		if n == 0 { // nothing, or what a crash left
			w.skip(prefixSize)
			continue
		}
		fits, err := w.fits(n)
		if err != nil {
			return nil, err
		}
		if fits {
			b, _ = w.peek(prefixSize + n)
			w.skip(len(b))
			return b[prefixSize:], nil
		}
		at.offset = w.offset
		if err := w.again(im, at); err != nil {
			return nil, err
		}
	}
}

// maxDoubtful is how long a message may be that does not begin like one: what is
// there in its place has to be read to know.
const maxDoubtful = 16 << 20

// fits reports whether a message of n bytes comes next. One that does not look like
// one may be one that is damaged: when another follows it at once the length was
// right.
func (w *window) fits(n int) (bool, error) {
	head, err := w.peek(prefixSize + min(n, headSize))
	likely := len(head) > prefixSize && (head[prefixSize] == '{' || plausible(head[prefixSize:], int64(n)))
	if n > otlp.MaxBody || !likely && n > maxDoubtful {
		return false, nil
	}
	if err == nil {
		_, err = w.peek(prefixSize + n)
	}
	switch {
	case err != nil && likely && atEnd(err):
		return false, io.ErrUnexpectedEOF
	case err != nil && atEnd(err):
		return false, nil
	case err != nil || likely:
		return err == nil, err
	}
	next, err := w.peek(prefixSize + n + headSize)
	if err != nil && !atEnd(err) {
		return false, err
	}
	rest := next[prefixSize+n:]
	return len(rest) == 0 || isPrefixed(rest), nil
}

// again passes over bytes until a message may begin, and tells of it. There may be
// none: then the last message is incomplete.
func (w *window) again(im *importer, at spot) error {
	for {
		w.skip(1)
		b, err := w.peek(headSize)
		if err != nil && !atEnd(err) {
			return err
		}
		if len(b) < prefixSize {
			return io.ErrUnexpectedEOF
		}
		if isPrefixed(b) {
			im.bad.add(im.at(at, fmt.Sprintf("no message begins here; reading goes on at offset %d", w.offset)))
			return nil
		}
	}
}

// message reads one message in whatever form it is.
func (im *importer) message(at spot, b []byte) error {
	if len(b) > 0 && b[0] == '{' {
		return im.embedded(at, b)
	}
	sig, ok := signalOf(b)
	if !ok {
		im.bad.add(im.at(at, "not telemetry"))
		return nil
	}
	return im.decoded(at, sig, b)
}

// embedded reads JSON in a binary stream.
func (im *importer) embedded(at spot, b []byte) error {
	requests, err := im.json.Transcode(b)
	if err != nil {
		im.bad.add(im.at(at, err.Error()))
		return nil
	}
	im.Repaired += uint64(im.json.Repaired())
	im.Rejected += uint64(im.json.Refused())
	for _, n := range im.json.Notices() {
		im.notice(at, n)
	}
	for s, wire := range requests {
		if wire == nil {
			continue
		}
		if err := im.decoded(at, run.Signal(s), wire); err != nil {
			return err
		}
	}
	return nil
}

// decoded decodes a request and hands it on.
func (im *importer) decoded(at spot, sig run.Signal, wire []byte) error {
	b := &im.batch
	if err := b.Decode(sig, wire); err != nil {
		im.bad.add(im.at(at, err.Error()))
		return nil
	}
	im.recognised()
	im.count(at, b)
	return im.sink(b, run.Receipt{At: im.stamp(), Sender: im.Path, Raw: wire})
}

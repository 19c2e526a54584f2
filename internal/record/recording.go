package record

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// feed gives the sections of a recording.
type feed interface{ next() (section, error) }

// Bounds of what is in memory while a recording is read.
const (
	chunkFrames = 16      // decoded together
	chunkBytes  = 1 << 18 // the same, unpacked
	groupsAhead = 8 << 20 // bytes of unpacked groups; a larger one is alone
)

// recording reads a recording. Groups are unpacked by one goroutine, their
// requests decoded by several, and handed to the sink in their order by this one.
func (im *importer) recording(ctx context.Context, in feed) error {
	ctx, cancel := context.WithCancel(ctx)
	p := newPipeline(ctx, in)
	defer p.workers.Wait()
	defer cancel()
	p.start()
	senders := map[string]string{}
	for {
		var c *chunk
		select {
		case c = <-p.order:
		case <-ctx.Done():
			return ctx.Err()
		}
		<-c.done
		if err := ctx.Err(); err != nil {
			return err
		}
		if c.err != nil {
			if errors.Is(c.err, io.EOF) {
				return nil
			}
			return im.streamEnds(ctx, spot{offset: c.section.offset, binary: true}, c.err)
		}
		if err := im.chunk(c, senders); err != nil {
			return err
		}
		p.release(c)
	}
}

// chunk hands on what was decoded, and tells of what could not be read.
func (im *importer) chunk(c *chunk, senders map[string]string) error {
	at := spot{offset: c.section.offset, binary: true}
	im.section(at, &c.section)
	for i := range c.frames {
		f, d := &c.frames[i], &c.decoded[i]
		if f.at < im.from && f.kind != badKind {
			continue
		}
		if lost, ok := f.gap(); ok {
			im.Missing += lost.Total()
			im.told.add(im.at(at, gapText(lost)))
			continue
		}
		if d.bad != nil {
			im.bad.add(im.at(at, fmt.Sprintf("request %d: %v", c.first+i+1, d.bad)))
			continue
		}
		im.Records++
		d.batch.Repaired += d.repaired
		im.count(at, &d.batch)
		if err := im.sink(&d.batch, run.Receipt{At: f.at, Sender: intern(senders, f.sender), Raw: d.wire}); err != nil {
			return err
		}
	}
	if c.bad != nil {
		im.bad.add(im.at(at, c.bad.Error()))
	}
	return nil
}

// section tells of sections that are not requests.
func (im *importer) section(at spot, s *section) {
	switch s.kind {
	case aDamage, aNewer:
		im.bad.add(im.at(at, s.reason))
	case aForeign:
		im.told.add(im.at(at, "something that a later version of lensview wrote was passed over"))
	case aTorn:
		im.IncompleteTail = true
		text := fmt.Sprintf("incomplete last record of %d bytes (still being written, or the writer was killed?)", s.size)
		if s.reason != "" {
			text = fmt.Sprintf("the last %d bytes cannot be read: %s (the writer was killed?)", s.size, s.reason)
		}
		im.told.add(im.at(at, text))
	}
}

func gapText(l run.Lost) string {
	return fmt.Sprintf("%s items of %s requests that came between %s and %s were not recorded or are lost (the disk was full or too slow, or a file was deleted or cut)", run.Count(l.Total()), run.Count(l.Requests), clock(l.First), clock(l.Last))
}

func clock(at int64) string { return time.Unix(0, at).UTC().Format("2006-01-02T15:04:05Z") }

// maxInterned bounds the table of senders.
const maxInterned = 1 << 14

func intern(known map[string]string, name []byte) string {
	if s, ok := known[string(name)]; ok {
		return s
	}
	if len(known) >= maxInterned {
		clear(known)
	}
	s := string(name)
	known[s] = s
	return s
}

// unpacked is a group in memory.
type unpacked struct{ buf []byte }

// chunk is some requests of a group, decoded together, or a section of another
// kind.
type chunk struct {
	section section
	first   int // number of its first request in the group, from 0
	frames  []frame
	decoded []decoded
	bad     error     // the group cannot be read on behind them
	last    *unpacked // the group that ends here
	err     error     // of the stream, which ends here
	done    chan struct{}
}

// decoded is what became of a frame.
type decoded struct {
	batch    otlp.Batch
	wire     []byte
	repaired int
	bad      error
}

// maxRows is the storage of a batch that is kept for the next request.
const maxRows = 4 << 20

func (c *chunk) reset() {
	for i := range c.decoded {
		d := &c.decoded[i]
		d.wire, d.bad, d.repaired = nil, nil, 0
		if d.batch.Footprint() > maxRows {
			d.batch = otlp.Batch{}
		}
	}
	c.section, c.first, c.frames, c.bad, c.last, c.err = section{}, 0, c.frames[:0], nil, nil, nil
}

// fill takes frames from b and gives the rest.
func (c *chunk) fill(b []byte) []byte {
	for size := 0; len(b) > 0 && len(c.frames) < chunkFrames && size < chunkBytes; {
		f, rest, err := nextFrame(b)
		if err != nil && rest == nil {
			c.bad = err
			return nil
		}
		if err != nil {
			f = frame{kind: badKind}
		}
		c.frames = append(c.frames, f)
		size += len(b) - len(rest)
		b = rest
	}
	for len(c.decoded) < len(c.frames) {
		c.decoded = append(c.decoded, decoded{})
	}
	return b
}

// badKind marks a frame whose checksum is wrong.
const badKind = 0xFF

// decode decodes chunks until there are no more.
func (p *pipeline) decode() {
	json := otlp.NewTranscoder(otlp.JSONOptions{})
	for c := range p.work {
		for i := range c.frames {
			if p.ctx.Err() == nil {
				c.decoded[i].read(&c.frames[i], json)
			}
		}
		c.done <- struct{}{}
	}
}

// read decodes one request.
func (d *decoded) read(f *frame, json *otlp.Transcoder) {
	sig, known := f.signal()
	switch {
	case f.kind == badKind:
		d.bad = errChecksum
	case f.kind == gapKind:
	case !known:
		d.bad = fmt.Errorf("a record of kind %#x, which a later version of lensview wrote, was passed over", f.kind)
	case f.json():
		wires, err := json.Transcode(f.raw, sig)
		if err != nil {
			d.bad = err
			return
		}
		d.repaired = json.Repaired()
		d.wire = append([]byte(nil), wires[sig]...)
		d.bad = d.batch.Decode(sig, d.wire)
	default:
		d.wire = f.raw
		d.bad = d.batch.Decode(sig, f.raw)
	}
}

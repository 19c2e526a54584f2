package record

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// pipeline reads ahead of the sink.
type pipeline struct {
	ctx     context.Context
	in      feed
	unpack  *zstd.Decoder
	free    chan *chunk
	work    chan *chunk
	order   chan *chunk
	workers sync.WaitGroup

	mu    sync.Mutex
	ahead int           // bytes of unpacked groups in memory
	room  chan struct{} // one token, when some became free
	spare [][]byte
}

// newUnpacker bounds what a frame may unpack to.
func newUnpacker() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(maxGroup), zstd.WithDecoderLowmem(true), zstd.IgnoreChecksum(false))
	if err != nil {
		panic(err) // the options are constants
	}
	return d
}

func newPipeline(ctx context.Context, in feed) *pipeline {
	n := 2*decoders() + 2
	p := &pipeline{ctx: ctx, in: in, unpack: newUnpacker(), room: make(chan struct{}, 1),
		free: make(chan *chunk, n), work: make(chan *chunk, n), order: make(chan *chunk, n)}
	for range n {
		p.free <- &chunk{done: make(chan struct{}, 1)}
	}
	return p
}

func decoders() int { return max(1, min(8, runtime.GOMAXPROCS(0))) }

func (p *pipeline) start() {
	p.workers.Go(p.read)
	for range decoders() {
		p.workers.Go(p.decode)
	}
}

// read cuts the stream and unpacks it, until it ends or nobody wants more.
func (p *pipeline) read() {
	defer close(p.work)
	defer p.unpack.Close()
	for {
		s, err := p.in.next()
		if err == nil && s.kind == aGroup {
			err = p.group(s)
		} else {
			err = p.event(s, err)
		}
		if err != nil {
			return
		}
	}
}

// event puts something other than requests in its place in the order.
func (p *pipeline) event(s section, err error) error {
	if err == nil && (s.kind == aHeader || s.kind == anIndex || s.kind == anOlder) {
		return nil
	}
	c := p.chunk()
	if c == nil {
		return context.Canceled
	}
	c.section, c.err = s, err
	c.section.packed = nil
	if s.kind == aNewer && err == nil {
		p.send(c)
		return p.event(section{}, io.EOF)
	}
	p.send(c)
	return err
}

// chunk is a free one, nil when nobody wants more.
func (p *pipeline) chunk() *chunk {
	select {
	case c := <-p.free:
		return c
	case <-p.ctx.Done():
		return nil
	}
}

func (p *pipeline) send(c *chunk) {
	p.order <- c // both have room for all chunks
	p.work <- c
}

// group unpacks a group and hands its requests on in chunks.
func (p *pipeline) group(s section) error {
	g := &unpacked{buf: p.take(int(s.group.plain))}
	if g.buf == nil {
		return context.Canceled
	}
	plain, err := p.unpack.DecodeAll(s.packed, g.buf[:0])
	g.buf = plain
	if err == nil && len(plain) != int(s.group.plain) {
		err = fmt.Errorf("%d bytes instead of %d", len(plain), s.group.plain)
	}
	if err != nil {
		s.kind, s.reason = aDamage, "a group cannot be unpacked: "+err.Error()
		p.done(g, int(s.group.plain))
		return p.event(s, nil)
	}
	return p.split(s, g)
}

// split cuts an unpacked group into chunks. The last one gives its memory back.
func (p *pipeline) split(s section, g *unpacked) error {
	s.packed = nil
	rest, first := g.buf, 0
	for {
		c := p.chunk()
		if c == nil {
			return context.Canceled
		}
		c.section, c.first = s, first
		rest = c.fill(rest)
		first += len(c.frames)
		if len(rest) == 0 {
			c.last = g
			p.send(c)
			return nil
		}
		p.send(c)
	}
}

// take is memory for a group of n bytes, as soon as there may be that much; nil
// when nobody wants more.
func (p *pipeline) take(n int) []byte {
	for {
		p.mu.Lock()
		if p.ahead == 0 || p.ahead+n <= groupsAhead {
			p.ahead += n
			b := make([]byte, 0)
			if k := len(p.spare); k > 0 {
				b, p.spare = p.spare[k-1], p.spare[:k-1]
			}
			p.mu.Unlock()
			if cap(b) < n {
				b = make([]byte, 0, n)
			}
			return b
		}
		p.mu.Unlock()
		select {
		case <-p.room:
		case <-p.ctx.Done():
			return nil
		}
	}
}

// done gives the memory of a group back.
func (p *pipeline) done(g *unpacked, n int) {
	p.mu.Lock()
	p.ahead -= n
	if cap(g.buf) <= 4*groupTarget && len(p.spare) < 8 {
		p.spare = append(p.spare, g.buf)
	}
	p.mu.Unlock()
	select {
	case p.room <- struct{}{}:
	default:
	}
}

// release makes a chunk free again.
func (p *pipeline) release(c *chunk) {
	if c.last != nil {
		p.done(c.last, int(c.section.group.plain))
	}
	c.reset()
	p.free <- c
}

package store

import (
	"encoding/binary"
	"math/rand/v2"
	"unsafe"

	"github.com/klauspost/compress/zstd"
)

// A sealed chunk is a list of streams, one or two per column, which are read in
// the order in which they were written. Each is compressed by itself, because
// columns have little in common; those too small for that share one.

// smallStream is the length below which a stream is put among the small ones.
const smallStream = 128

// packer writes streams.
type packer struct {
	enc               *zstd.Encoder
	dir, small, large []byte
	scratch           []byte
	plain, delta      counted      // of the column at hand
	wide              []byte       // of the words at hand
	codes             []byte       // of parents
	nums              []int64      // of all attributes, or of the column at hand
	attrs             []attrColumn // of all attributes
	rows, named       idTable      // of parents
	seed              uint64       // keeps senders from choosing what shares a place there
}

// mostKept is how large a buffer is kept for the next chunk. A usual one needs half
// of it.
const mostKept = 512 << 10

// reset begins a blob. What an unusual chunk needed is given back.
func (p *packer) reset() {
	p.dir, p.small, p.large = p.dir[:0], p.small[:0], kept(p.large)[:0]
	p.plain.buf, p.delta.buf = kept(p.plain.buf), kept(p.delta.buf)
	p.wide, p.nums = kept(p.wide), kept(p.nums)
	text := 0
	for _, c := range p.attrs {
		text += cap(c.text)
	}
	if text > mostKept {
		p.attrs = nil
	}
	if p.seed == 0 {
		p.seed = rand.Uint64() | 1
	}
}

// held is the bytes of the buffers.
func (p *packer) held() uint64 {
	n := cap(p.dir) + cap(p.small) + cap(p.large) + cap(p.scratch) + cap(p.wide) + cap(p.codes) + len(p.plain.buf) + len(p.delta.buf)
	n += 8*cap(p.nums) + 2*(cap(p.rows.slots)+cap(p.named.slots))
	for _, c := range p.attrs {
		n += cap(c.text)
	}
	return uint64(n) + uint64(cap(p.attrs))*uint64(unsafe.Sizeof(attrColumn{}))
}

func kept[T any](b []T) []T {
	if uint64(cap(b))*uint64(unsafe.Sizeof(*new(T))) > mostKept {
		return nil
	}
	return b
}

// put writes the next stream. The directory says its length, and of a large one
// how long it is compressed, 0 for as it is.
func (p *packer) put(b []byte) {
	p.dir = binary.AppendUvarint(p.dir, uint64(len(b)))
	if len(b) < smallStream {
		p.small = append(p.small, b...)
		return
	}
	var packed uint64
	p.large, packed = p.compress(p.large, b)
	p.dir = binary.AppendUvarint(p.dir, packed)
}

// compress appends b to dst, compressed if that makes it smaller.
func (p *packer) compress(dst, b []byte) (out []byte, packed uint64) {
	at := len(dst)
	out = p.enc.EncodeAll(b, dst)
	if n := len(out) - at; n < len(b) {
		return out, uint64(n)
	}
	return append(out[:at], b...), 0
}

// blob is all that was put: lengths, directory and small streams, large streams.
func (p *packer) blob() []byte {
	head := append(append(p.scratch[:0], p.dir...), p.small...)
	packedHead, packed := p.compress(nil, head)
	p.scratch = head
	var lengths []byte
	for _, n := range []uint64{uint64(len(p.dir)), uint64(len(head)), packed} {
		lengths = binary.AppendUvarint(lengths, n)
	}
	out := make([]byte, 0, len(lengths)+len(packedHead)+len(p.large))
	out = append(append(out, lengths...), packedHead...)
	return append(out, p.large...)
}

// unpacker reads the streams of a blob. A blob comes from a packer of this
// process and never from outside, so what it says is not doubted.
type unpacker struct {
	dec               *zstd.Decoder
	dir, small, large []byte
	buf               []byte
}

func newUnpacker(blob []byte, dec *zstd.Decoder) *unpacker {
	u := &unpacker{dec: dec, large: blob}
	dir, head, packed := uvarint(&u.large), uvarint(&u.large), uvarint(&u.large)
	b := u.expand(nil, int(head), int(packed))
	u.dir, u.small = b[:dir], b[dir:]
	return u
}

// next is the next stream. It is valid until the one after it.
func (u *unpacker) next() []byte {
	n := int(uvarint(&u.dir))
	if n < smallStream {
		b := u.small[:n:n]
		u.small = u.small[n:]
		return b
	}
	packed := int(uvarint(&u.dir))
	if packed == 0 {
		return u.expand(nil, n, 0)
	}
	u.buf = u.expand(u.buf[:0], n, packed)
	return u.buf
}

// expand takes n bytes, of which packed are written, from the large streams.
func (u *unpacker) expand(dst []byte, n, packed int) []byte {
	if packed == 0 {
		b := u.large[:n:n]
		u.large = u.large[n:]
		return b
	}
	out, err := u.dec.DecodeAll(u.large[:packed], dst)
	if err != nil {
		panic("store: a sealed chunk is damaged in memory: " + err.Error())
	}
	u.large = u.large[packed:]
	return out
}

// uvarint takes a number from the start of b.
func uvarint(b *[]byte) uint64 {
	v, n := binary.Uvarint(*b)
	*b = (*b)[n:]
	return v
}

// varint takes a signed number from the start of b.
func varint(b *[]byte) int64 {
	v, n := binary.Varint(*b)
	*b = (*b)[n:]
	return v
}

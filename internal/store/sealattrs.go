package store

import (
	"encoding/binary"

	"github.com/beamline-hpc/lensview/internal/run"
)

// attrColumn is the values that the rows of one shape have under one key: a
// number each, and for what is no number also bytes.
type attrColumn struct {
	nums []int64
	text []byte
}

// attributes writes the values of all rows, key by key of each shape, shapes in
// the order in which rows have them.
func (p *packer) attributes(k *columns, shapes []*shape) {
	order, rows := shapesOf(k, shapes)
	of := make(map[*shape][]attrColumn, len(order))
	for _, s := range order {
		of[s] = make([]attrColumn, len(s.types))
		for j := range of[s] {
			of[s][j].nums = make([]int64, 0, rows[s])
		}
	}
	for i, at := range k.shape {
		s := shapes[at]
		b, cols := k.blob(i), of[s]
		for j, t := range s.types {
			b = cols[j].take(t, b)
		}
	}
	p.numbers([]int64{int64(len(k.attrs))})
	for _, s := range order {
		for j, col := range of[s] {
			p.column(s.types[j], &col)
		}
	}
}

// shapesOf is the shapes that rows have, in the order in which they have them,
// and how many rows have each.
func shapesOf(k *columns, shapes []*shape) (order []*shape, rows map[*shape]int) {
	rows = map[*shape]int{}
	for _, at := range k.shape {
		s := shapes[at]
		if rows[s] == 0 {
			order = append(order, s)
		}
		rows[s]++
	}
	return order, rows
}

func (p *packer) column(t run.Type, c *attrColumn) {
	switch t {
	case run.Empty:
	case run.Double:
		p.words(c.nums)
	case run.Bool, run.Int:
		p.numbers(c.nums)
	default:
		p.numbers(c.nums)
		p.put(c.text)
	}
}

// take adds the value of type t at the start of b, and gives what follows it.
func (c *attrColumn) take(t run.Type, b []byte) []byte {
	switch t {
	case run.Empty:
		return b
	case run.Bool:
		c.nums = append(c.nums, int64(b[0]))
		return b[1:]
	case run.Double:
		c.nums = append(c.nums, int64(binary.LittleEndian.Uint64(b)))
		return b[8:]
	case run.Int:
		c.nums = append(c.nums, varint(&b))
		return b
	}
	n := blobLen(b, t)
	rest := b[n:]
	c.nums = append(c.nums, int64(uvarint(&b)))
	c.text = append(c.text, b[:len(b)-len(rest)]...)
	return rest
}

// attributes reads the values of all rows back into the form they had.
func (u *unpacker) attributes(k *columns, shapes []*shape) {
	k.attrs = make([]byte, 0, u.numbers(1)[0])
	order, rows := shapesOf(k, shapes)
	of := make(map[*shape][]attrColumn, len(order))
	for _, s := range order {
		cols := make([]attrColumn, len(s.types))
		for j, t := range s.types {
			cols[j] = u.column(t, rows[s])
		}
		of[s] = cols
	}
	k.attrAt = make([]uint32, len(k.shape))
	for i, at := range k.shape {
		s := shapes[at]
		k.attrAt[i] = uint32(len(k.attrs))
		for j := range of[s] {
			k.attrs = of[s][j].give(s.types[j], k.attrs)
		}
	}
}

func (u *unpacker) column(t run.Type, n int) (c attrColumn) {
	switch t {
	case run.Empty:
	case run.Double:
		c.nums = u.words(n)
	case run.Bool, run.Int:
		c.nums = u.numbers(n)
	default:
		c.nums = u.numbers(n)
		c.text = append(c.text, u.next()...)
	}
	return c
}

// give writes the next value, of type t, at the end of dst.
func (c *attrColumn) give(t run.Type, dst []byte) []byte {
	if t == run.Empty {
		return dst
	}
	v := c.nums[0]
	c.nums = c.nums[1:]
	switch t {
	case run.Bool:
		return append(dst, byte(v))
	case run.Double:
		return binary.LittleEndian.AppendUint64(dst, uint64(v))
	case run.Int:
		return binary.AppendVarint(dst, v)
	}
	n := int(v)
	if t == run.String {
		if n&1 == 0 {
			n = 0
		}
		n >>= 1
	}
	dst = append(binary.AppendUvarint(dst, uint64(v)), c.text[:n]...)
	c.text = c.text[n:]
	return dst
}

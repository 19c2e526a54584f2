package store

import (
	"encoding/binary"
	"slices"

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
	of := p.columnsOf(shapes, order, rows)
	for i, at := range k.shape {
		b, cols := k.blob(i), of[at]
		for j, t := range shapes[at].types {
			b = cols[j].take(t, b)
		}
	}
	packNumbers(p, []int{len(k.attrs)})
	for _, at := range order {
		for j := range of[at] {
			p.column(shapes[at].types[j], &of[at][j])
		}
	}
}

// columnsOf is a column for every key of each shape, with room for its rows, in
// what is left of the last chunk's.
func (p *packer) columnsOf(shapes []*shape, order []uint16, rows []int) [][]attrColumn {
	keys, values := 0, 0
	for _, at := range order {
		n := len(shapes[at].types)
		keys, values = keys+n, values+n*rows[at]
	}
	p.nums = slices.Grow(p.nums[:0], values)
	for len(p.attrs) < keys {
		p.attrs = append(p.attrs, attrColumn{})
	}
	of := make([][]attrColumn, len(shapes))
	nums, cols := p.nums[:values], p.attrs
	for _, at := range order {
		n := len(shapes[at].types)
		of[at], cols = cols[:n], cols[n:]
		for j := range of[at] {
			of[at][j].nums, of[at][j].text = nums[:0:rows[at]], of[at][j].text[:0]
			nums = nums[rows[at]:]
		}
	}
	return of
}

// shapesOf is the places of the shapes that rows have, in the order in which they
// have them, and by place how many rows have each.
func shapesOf(k *columns, shapes []*shape) (order []uint16, rows []int) {
	rows = make([]int, len(shapes))
	for _, at := range k.shape {
		if rows[at] == 0 {
			order = append(order, at)
		}
		rows[at]++
	}
	return order, rows
}

func (p *packer) column(t run.Type, c *attrColumn) {
	switch t {
	case run.Empty:
	case run.Double:
		p.words(c.nums)
	case run.Bool, run.Int:
		packNumbers(p, c.nums)
	default:
		packNumbers(p, c.nums)
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
		u, n := uvarintAt(b)
		c.nums = append(c.nums, unzigzag(u))
		return b[n:]
	}
	u, n := uvarintAt(b)
	end := n + int(u)
	if t == run.String {
		end = n
		if u&1 != 0 {
			end += int(u >> 1)
		}
	}
	c.nums = append(c.nums, int64(u))
	c.text = append(c.text, b[n:end]...)
	return b[end:]
}

// uvarintAt is the number at the start of b and how long it is; most are a byte.
func uvarintAt(b []byte) (u uint64, n int) {
	if b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return binary.Uvarint(b)
}

// attributes reads the values of all rows back into the form they had.
func (u *unpacker) attributes(k *columns, shapes []*shape) {
	k.attrs = make([]byte, 0, u.numbers(1)[0])
	order, rows := shapesOf(k, shapes)
	of := make([][]attrColumn, len(shapes))
	for _, at := range order {
		cols := make([]attrColumn, len(shapes[at].types))
		for j, t := range shapes[at].types {
			cols[j] = u.column(t, rows[at])
		}
		of[at] = cols
	}
	k.attrAt = make([]uint32, len(k.shape))
	for i, at := range k.shape {
		k.attrAt[i] = uint32(len(k.attrs))
		for j, t := range shapes[at].types {
			k.attrs = of[at][j].give(t, k.attrs)
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

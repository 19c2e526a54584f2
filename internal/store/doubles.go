package store

import "github.com/beamline-hpc/lensview/internal/run"

// EachDouble calls f for every attribute of row i that is a double.
func (c *Chunk) EachDouble(i int, f func(key string, v float64)) {
	s := c.shape(i)
	for at, t := range s.types {
		if t == run.Double {
			f(s.keys[at], c.attrAt(i, s, at).Double())
		}
	}
}

package store

import (
	"sort"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// KeyHandle is an attribute key (or several spellings of it, the first that a
// span has wins) prepared for reading many rows. It is a cursor of one reader:
// not for use by several goroutines at once.
type KeyHandle struct {
	keys  []string
	cache map[*shape]int // place of the key in a shape, -1 for none
	last  *shape
	at    int
}

// NewKey prepares a handle for a key in one or several spellings.
func NewKey(keys ...string) *KeyHandle {
	return &KeyHandle{keys: keys, cache: map[*shape]int{}}
}

func (k *KeyHandle) find(s *shape) int {
	if k.last == s {
		return k.at
	}
	at, ok := k.cache[s]
	if !ok {
		at = s.findAny(k.keys)
		k.cache[s] = at
	}
	k.last, k.at = s, at
	return at
}

// Value is the attribute of row i under the handle's key. Of a key that is there
// twice it is the last.
func (c *Chunk) Value(i int, k *KeyHandle) (run.Value, bool) {
	s := c.shape(i)
	at := k.find(s)
	if at < 0 {
		return run.Value{}, false
	}
	return c.attrAt(i, s, at), true
}

// Attr is the attribute key of row i. Of a key that is there twice it is the
// last. For many rows NewKey and Value are faster.
func (c *Chunk) Attr(i int, key string) (run.Value, bool) {
	s := c.shape(i)
	at := s.find(key)
	if at < 0 {
		return run.Value{}, false
	}
	return c.attrAt(i, s, at), true
}

func (c *Chunk) shape(i int) *shape { return c.dict.shapes[c.rows().shape[i]] }

// blob is the values of row i and what follows them.
func (k *columns) blob(i int) []byte { return k.attrs[k.attrAt[i]:] }

func (c *Chunk) attrAt(i int, s *shape, at int) run.Value {
	b := c.rows().blob(i)
	for _, t := range s.types[:at] {
		b = b[blobLen(b, t):]
	}
	v, _ := c.dict.value(b, s.types[at])
	return v
}

// Attrs is all attributes of row i in the order sent.
func (c *Chunk) Attrs(i int) []run.Attr {
	s := c.shape(i)
	if len(s.keys) == 0 {
		return nil
	}
	out := make([]run.Attr, len(s.keys))
	b := c.rows().blob(i)
	for j, key := range s.keys {
		v, n := c.dict.value(b, s.types[j])
		out[j], b = run.Attr{Key: key, Value: v}, b[n:]
	}
	return out
}

// Span is row i in full.
func (c *Chunk) Span(i int) run.Span {
	f := c.form(i)
	s := run.Span{
		TraceID: c.TraceID(i), ID: c.ID(i), Parent: c.Parent(i), Name: c.Name(i),
		Kind: f.kind, Status: f.status, Flags: f.flags, Scope: *f.scope,
		Start: c.Start(i), End: c.End(i), Marks: c.Marks(i), Attrs: c.Attrs(i), Process: c.Process(i),
	}
	_, extra := c.extra(i)
	e, _ := otlp.DecodeExtra(extra) // a batch's bytes are well-formed
	s.TraceState, s.StatusMessage, s.Events, s.Links = e.TraceState, e.StatusMessage, e.Events, e.Links
	s.DroppedAttrs, s.DroppedEvents, s.DroppedLinks = e.DroppedAttrs, e.DroppedEvents, e.DroppedLinks
	return s
}

// Name is the span name of row i. Beyond the run's limit of names a row keeps
// its own, while NameID and the statistics count it under "(other names)".
func (c *Chunk) Name(i int) string {
	if name, _ := c.extra(i); name != "" {
		return name
	}
	return c.names[c.NameID(i)].Text
}

// extra is what row i has beside its columns: a name of its own and the wire
// bytes of its rarer fields.
func (c *Chunk) extra(i int) (name string, fields []byte) {
	cols := c.rows()
	rows := cols.extraRow
	k := sort.Search(len(rows), func(k int) bool { return int(rows[k]) >= i })
	if k == len(rows) || int(rows[k]) != i {
		return "", nil
	}
	return splitExtra(cols.extraBytes(k))
}

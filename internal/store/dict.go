package store

import (
	"encoding/binary"
	"hash/maphash"

	"github.com/beamline-hpc/lensview/internal/run"
)

// dictView is a dictionary as a reader sees it: append-only slices, cut where
// they were when the view was taken.
type dictView struct {
	values []string
	shapes []*shape
	forms  []form
}

// form is an interned tuple of what spans of one call site have in common beside
// their attributes.
type form struct {
	scope  *run.Scope
	flags  uint32
	kind   run.Kind
	status run.Status
}

// Limits of one dictionary. A new one is begun with the next chunk when one is
// reached, so nothing in it only grows; string values that do not fit are
// written into the chunk instead.
const (
	dictChunks     = 64
	dictBytes      = 2 << 20
	dictShapes     = 1 << 12
	dictForms      = 1 << 12
	dictValues     = 1 << 14
	dictValueBytes = 1 << 20
	longValue      = 256
)

// dictPart is the part of the budget beyond which no dictionary grows: those of
// a small one would leave no room for spans.
const (
	dictPart  = 32
	leastDict = 64 << 10
)

// dict interns what the spans of consecutive chunks of a run have in common.
type dict struct {
	dictView
	iterations []run.IterationKey
	ids        map[string]uint32
	cache      [128]cached
	root       node
	keys       map[string]string
	formIDs    map[form]uint16
	lastForm   form
	lastFormID uint16
	scopes     map[scopeKey]*run.Scope

	once       []uint32 // hashes of values that were seen once
	seenOnce   int
	seed       maphash.Seed
	valueBytes int
	bytes      uint64 // estimate of what it holds
	limit      uint64 // of bytes, beyond which the next chunk begins a new one
	charged    uint64 // of bytes, to the run
	chunks     int    // retained chunks that use it
	begun      int    // chunks ever begun with it
}

// scopeKey is the wire bytes of a scope and the schema of what is in it.
type scopeKey struct{ raw, schema string }

// cached is a value that was seen lately: all of it in head when it is short.
type cached struct {
	head uint64
	text string
	id   uint32
}

func newDict(iterations []run.IterationKey) *dict {
	d := &dict{
		iterations: iterations,
		ids:        map[string]uint32{}, keys: map[string]string{},
		formIDs: map[form]uint16{}, scopes: map[scopeKey]*run.Scope{},
	}
	d.limit, d.seed = dictBytes, maphash.MakeSeed()
	d.bytes = 6 << 10 // the struct with its cache, and empty maps
	d.values = append(d.values, "")
	return d
}

// full reports whether the next chunk should begin a new dictionary.
func (d *dict) full() bool {
	return d.bytes >= d.limit || len(d.shapes) >= dictShapes || len(d.forms) >= dictForms
}

// intern is the place of a string value; ok is false when it is not in the
// dictionary: the first time that it comes, or when there is no room.
func (d *dict) intern(v []byte) (id uint32, ok bool) {
	n := len(v)
	if n == 0 {
		return 0, true
	}
	if n > longValue {
		return 0, false
	}
	head := headOf(v)
	slot := &d.cache[(head^uint64(v[n-1])<<32)*0x9e3779b97f4a7c15>>57]
	if slot.head == head && len(slot.text) == n && (n <= 8 || slot.text == string(v)) {
		return slot.id, true
	}
	if id, ok = d.ids[string(v)]; !ok {
		if id, ok = d.learn(v); !ok {
			return 0, false
		}
	}
	*slot = cached{head, d.values[id], id}
	return id, true
}

// headOf is the first eight bytes of b as a word, all of b when it is shorter:
// comparing words takes a fraction of what comparing short strings takes.
func headOf(b []byte) uint64 {
	switch n := len(b); {
	case n >= 8:
		return binary.LittleEndian.Uint64(b)
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint32(b[n-4:]))<<(8*(n-4))
	case n > 0:
		return uint64(b[0]) | uint64(b[n>>1])<<(8*(n>>1)) | uint64(b[n-1])<<(8*(n-1))
	}
	return 0
}

// tailOf is the last eight bytes of b, which has as many, as a word.
func tailOf(b []byte) uint64 { return binary.LittleEndian.Uint64(b[len(b)-8:]) }

// Room in the table of values that were seen once: it begins small and grows
// with them.
const (
	firstOnce = 256
	mostOnce  = 1 << 14
)

// again reports whether a value was seen before, and notes it. Values that come
// only once, such as ids, are not worth a place. It may be wrong either way, at a
// small cost.
func (d *dict) again(v []byte) bool {
	if n := len(d.once); d.seenOnce >= n && n < mostOnce {
		d.once = make([]uint32, max(firstOnce, 4*n))
		d.bytes += uint64(4 * (len(d.once) - n))
		d.seenOnce = 0
	}
	h := maphash.Bytes(d.seed, v)
	slot := &d.once[h%uint64(len(d.once))]
	if mark := uint32(h>>32) | 1; *slot != mark {
		*slot = mark
		d.seenOnce++
		return false
	}
	return true
}

func (d *dict) learn(v []byte) (id uint32, ok bool) {
	if len(d.values) >= dictValues || d.valueBytes+len(v) > dictValueBytes || d.limit < dictBytes && d.bytes >= d.limit/2 {
		return 0, false
	}
	if !d.again(v) {
		return 0, false
	}
	text := string(v)
	id = uint32(len(d.values))
	d.values = append(d.values, text)
	d.ids[text] = id
	d.valueBytes += len(v)
	d.bytes += uint64(len(v)) + 72 // header, map entry, slack of both
	return id, true
}

// formOf is the place of a form.
func (d *dict) formOf(f form) uint16 {
	if len(d.forms) > 0 && f == d.lastForm {
		return d.lastFormID
	}
	id, ok := d.formIDs[f]
	if !ok {
		id = uint16(len(d.forms))
		d.forms = append(d.forms, f)
		d.formIDs[f] = id
		d.bytes += 96
	}
	d.lastForm, d.lastFormID = f, id
	return id
}

// keyText is the one copy of a key's text.
func (d *dict) keyText(key []byte) string {
	if s, ok := d.keys[string(key)]; ok {
		return s
	}
	s := string(key)
	d.keys[s] = s
	d.bytes += uint64(len(s)) + 64
	return s
}

// retire lets go of what only a writer needs: nothing is interned any more.
func (d *dict) retire() {
	d.values, d.shapes, d.forms = clipped(d.values), clipped(d.shapes), clipped(d.forms)
	d.ids, d.keys, d.formIDs, d.scopes, d.once = nil, nil, nil, nil, nil
	d.root, d.lastForm, d.cache = node{}, form{}, [128]cached{}
	d.bytes = d.lasting()
}

// lasting estimates what readers need of a dictionary.
func (d *dict) lasting() uint64 {
	n := 4<<10 + d.valueBytes + 24*cap(d.values) + 40*cap(d.forms)
	for _, s := range d.shapes {
		n += 160 + 40*len(s.keys)
	}
	scopes := map[*run.Scope]bool{}
	for _, f := range d.forms {
		if !scopes[f.scope] {
			scopes[f.scope] = true
			n += 256 + 96*len(f.scope.Attrs)
		}
	}
	return uint64(n)
}

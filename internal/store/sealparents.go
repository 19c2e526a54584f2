package store

import (
	"encoding/binary"

	"github.com/beamline-hpc/lensview/internal/run"
)

// A parent is mostly that of the row before, or a span of the same chunk, or one
// that another row named: a small number says which. Only the ids of other
// parents are written.
const (
	noParent      = iota
	lastParent    // that of the row before
	newParent     // the next of those that are written
	namedParent   // + 2 × place among the written ones
	chunkParent   // + 2 × distance in rows, zigzag
	parentChoices = 2
)

// parents writes the parents of the rows.
func (p *packer) parents(k *columns) {
	p.rows.reset(p.seed, len(k.id))
	p.named.reset(p.seed, len(k.id))
	for i := range k.id {
		p.rows.set(k.id, i)
	}
	codes := p.codes[:0]
	var last run.SpanID
	var ids []run.SpanID
	for i, id := range k.parent {
		code := uint64(newParent)
		switch {
		case id.IsZero():
			code = noParent
		case id == last:
			code = lastParent
		default:
			if row := p.rows.find(k.id, id); row >= 0 {
				code = chunkParent + parentChoices*zigzag(int64(row-i))
			} else if place := p.named.find(ids, id); place >= 0 {
				code = namedParent + parentChoices*uint64(place)
			} else {
				ids = append(ids, id)
				p.named.set(ids, len(ids)-1)
			}
		}
		codes, last = binary.AppendUvarint(codes, code), id
	}
	p.codes = codes
	p.put(codes)
	packNumbers(p, []int{len(ids)})
	p.ids(ids)
}

// parents reads the parents of the rows with those ids.
func (u *unpacker) parents(id []run.SpanID) []run.SpanID {
	codes := append([]byte(nil), u.next()...)
	ids := wordIDs(u.words(int(u.numbers(1)[0])))
	out := make([]run.SpanID, len(id))
	var last run.SpanID
	written := 0
	for i := range out {
		switch code := uvarint(&codes); {
		case code == noParent:
			last = run.SpanID{}
		case code == lastParent:
		case code == newParent:
			last = ids[written]
			written++
		case code%parentChoices == namedParent%parentChoices:
			last = ids[(code-namedParent)/parentChoices]
		default:
			last = id[i+int(unzigzag((code-chunkParent)/parentChoices))]
		}
		out[i] = last
	}
	return out
}

func zigzag(v int64) uint64   { return uint64(v)<<1 ^ uint64(v>>63) }
func unzigzag(u uint64) int64 { return int64(u>>1) ^ -int64(u&1) }

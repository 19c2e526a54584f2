package otlp

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

// jsonNote is a kind of thing that is tolerated and told.
type jsonNote uint8

const (
	jsonNoteNull    jsonNote = iota // a value that is null
	jsonNoteSnake                   // snake_case names
	jsonNoteOld                     // names before OTLP 0.15
	jsonNoteBase64                  // base64 ids in a file
	jsonNoteGone                    // fields before OTLP 0.15 that nothing has replaced
	jsonNoteLost                    // something that held nothing but names that mean nothing here
	jsonNoteRefused                 // an item that was left out
	jsonNoteCount
)

// ItemRefused is the code of the notice about items of a file that were left
// out, each with its place and reason.
const ItemRefused = "json-item-refused"

// code is the code of the notice.
func (n jsonNote) code() string {
	switch n {
	case jsonNoteNull:
		return "json-null-value"
	case jsonNoteSnake:
		return "json-snake-case"
	case jsonNoteOld:
		return "json-old-names"
	case jsonNoteBase64:
		return "json-base64-ids"
	case jsonNoteGone:
		return "json-gone-names"
	case jsonNoteLost:
		return "json-part-not-understood"
	}
	return ItemRefused
}

// jsonNotes gathers what one call tolerated: the first case of a kind in words,
// all of them as a number.
type jsonNotes struct {
	count    [jsonNoteCount]int
	first    [jsonNoteCount]string
	names    []string
	repaired int
	items    int // spans, points and log records
}

// jsonNamesMax is how many unknown names are kept.
const jsonNamesMax = 16

// took counts an element of f as an item when it is one.
func (n *jsonNotes) took(f *jsonField) {
	if f.message.item && !f.message.envelope {
		n.items++
	}
}

// unknown remembers a name that was not understood.
func (n *jsonNotes) unknown(name []byte) {
	if len(n.names) == jsonNamesMax {
		return
	}
	for _, known := range n.names {
		if known == string(name) {
			return
		}
	}
	n.names = append(n.names, string(name[:min(len(name), jsonTextMax)]))
}

// note counts a case; text is asked for the first one only.
func (n *jsonNotes) note(kind jsonNote, text func() string) {
	if n.count[kind]++; n.count[kind] == 1 {
		n.first[kind] = text()
	}
}

func (n *jsonNotes) notices() []run.Notice {
	var out []run.Notice
	for kind, count := range n.count {
		if jsonNote(kind) == jsonNoteLost && n.items == 0 {
			continue // that nothing at all was understood is said in other words
		}
		if count > 0 {
			out = append(out, run.Notice{
				Code: jsonNote(kind).code(), Level: run.Warning, Text: n.first[kind], Count: uint64(count),
			})
		}
	}
	return out
}

// spelled tells of a name that is not the current one.
func (t *Transcoder) spelled(s jsonSpelling, name []byte) {
	switch s {
	case jsonSnake:
		t.notes.note(jsonNoteSnake, func() string {
			return fmt.Sprintf("%s: snake_case field names were read; OTLP JSON is lowerCamelCase", name)
		})
	case jsonOld:
		t.notes.note(jsonNoteOld, func() string {
			return fmt.Sprintf("%s: field names from before OTLP 0.15 were read under their new names", name)
		})
	}
}

// gone passes over a field that is not in use any more, and tells of it when
// something stands in it.
func (t *Transcoder) gone(name []byte) error {
	text := string(name)
	raw, err := t.dec.ReadValue()
	if err == nil && len(raw) > len(`""`) && string(raw) != "null" {
		t.notes.note(jsonNoteGone, func() string { return text + ": a field from before OTLP 0.15, which was not read" })
	}
	return t.syntax(err)
}

// lost tells of something that held no item and a name that means nothing: the
// items may be under it.
func (t *Transcoder) lost(name string) {
	t.notes.note(jsonNoteLost, func() string { return t.path() + ": nothing of it was read; not understood: " + name })
}

// isNull tells of a value that is null where a number or text could be.
func (t *Transcoder) isNull() {
	t.notes.note(jsonNoteNull, func() string { return t.path() + ": null counts as unset" })
}

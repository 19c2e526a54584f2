package store

// maxNames is how many span names a run may have. Ids inside names would make
// every table grow; names beyond are kept with their spans and counted together.
const maxNames = 2048

// OtherNames is what names beyond the limit are counted under.
const OtherNames = "(other names)"

type cachedName struct {
	text string
	id   uint16
	used bool // an empty name is a name too
}

// name is the id of a span name; own is the name again when the run has too many
// and the span must carry it itself;
// so it does when the name is too long.
func (w *runWriter) name(text []byte) (id uint16, own []byte) {
	whole := text
	if len(text) > maxWord {
		text, own = []byte(word(string(text))), whole
	}
	slot := &w.nameCache[nameHash(text)%uint8(len(w.nameCache))]
	if slot.used && slot.text == string(text) {
		return slot.id, own
	}
	id, ok := w.nameIDs[string(text)]
	if !ok {
		if w.other >= 0 || len(w.names) >= maxNames {
			return w.otherName(), whole
		}
		id = w.addName(string(text))
	}
	*slot = cachedName{w.names[id].Text, id, true}
	return id, own
}

func nameHash(b []byte) uint8 {
	n := len(b)
	if n == 0 {
		return 0
	}
	return uint8(n)*31 ^ b[0] ^ b[n-1]*7 ^ b[n>>1]*13
}

func (w *runWriter) addName(text string) uint16 {
	id := uint16(len(w.names))
	phase := w.s.phases.Of(text)
	w.names = append(w.names, Name{Text: text, Phase: phase})
	w.info = append(w.info, infoOf(phase))
	w.inner = append(w.inner, false)
	w.nameIDs[text] = id
	return id
}

// otherName is the id under which further names are counted.
func (w *runWriter) otherName() uint16 {
	if w.other < 0 {
		w.other = int(w.addName(OtherNames))
	}
	return uint16(w.other)
}

// counted is the name under which a process's span is counted: its own, or that
// of all others once the tables of statistics have reached their limit.
func (w *runWriter) counted(p *procWriter, name uint16) uint16 {
	if int(name) < len(p.statAt) && p.statAt[name] != 0 {
		return name
	}
	byName := p.stage.byName
	held := int(name) < len(byName) && byName[name] != nil
	if w.s.pairs < w.s.limits.pairs && (held || w.s.holderBytes < w.s.limits.holders) {
		return name
	}
	return w.otherName()
}

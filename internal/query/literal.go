package query

import "strings"

// value checks one value against the term's shape and adds it.
func (p *parser) value(t *term, tok token) error {
	if tok.kind != tWord && tok.kind != tQuoted {
		return p.noValue(t, tok)
	}
	v, err := p.read(t, tok)
	if err != nil {
		return err
	}
	if v.isSpan && t.op.ordered() {
		return p.failAt(tok, `a range goes with "=", "!=" or "in"`)
	}
	if v.isSpan && v.num.compare(v.hi) > 0 {
		return p.failAt(tok, "this range runs backwards, expected the smaller end first")
	}
	t.vals = append(t.vals, v)
	return nil
}

// read turns the token into a value of the term's shape.
func (p *parser) read(t *term, tok token) (value, error) {
	switch t.shape {
	case integer:
		return p.integer(t, tok)
	case duration:
		if v, ok := spanOfTime(tok.val); ok {
			return v, nil
		}
		return value{}, p.failAt(tok, `"`+tok.val+`" is not a duration, expected a number with a unit`, "2s", "150ms", "1h30m")
	case choice, flag:
		return p.choice(t, tok)
	case hexID:
		return p.hexID(t, tok)
	}
	return p.free(t, tok)
}

// free reads the value of a text key or an attribute.
func (p *parser) free(t *term, tok token) (value, error) {
	if tok.kind == tQuoted {
		return value{text: tok.val}, nil
	}
	if t.shape == text {
		return value{text: tok.val}, nil
	}
	if halfRange(tok.val) {
		return value{}, p.openRange(t, tok)
	}
	return literal(tok.val), nil
}

func (p *parser) integer(t *term, tok token) (value, error) {
	v := literal(tok.val)
	switch {
	case v.isNum && v.num.whole && (!v.isSpan || v.hi.whole):
		return v, nil
	case halfRange(tok.val):
		return v, p.openRange(t, tok)
	}
	return v, p.failAt(tok, `"`+t.key+`" is a whole number and "`+tok.val+`" is none, expected for example`, t.key+"=0", t.key+"=0..63")
}

// openRange is the error for 8.. and ..63.
func (p *parser) openRange(t *term, tok token) error {
	if lo, hi, _ := strings.Cut(tok.val, ".."); lo == "" {
		return p.failAt(tok, "this range has no beginning, expected", t.key+"<="+hi)
	} else {
		return p.failAt(tok, "this range has no end, expected", t.key+">="+lo)
	}
}

// choice reads one of the key's words in any case.
func (p *parser) choice(t *term, tok token) (value, error) {
	words := shortKey(t.key).Words
	for _, w := range words {
		if strings.EqualFold(w, tok.val) {
			return value{text: w}, nil
		}
	}
	return value{}, p.failAt(tok, `"`+t.key+`" is never "`+tok.val+`", expected`, words...)
}

// hexID reads a whole trace or span id in either case.
func (p *parser) hexID(t *term, tok token) (value, error) {
	want, digits := 16, "16"
	if t.on == onTrace {
		want, digits = 32, "32"
	}
	id := strings.ToLower(tok.val)
	if len(id) == want && strings.Trim(id, "0123456789abcdef") == "" {
		return value{text: id}, nil
	}
	return value{}, p.failAt(tok, "a "+t.key+" id has "+digits+" hex digits; for a part of one write", t.key+"=~"+tok.val)
}

// noValue is the error for something that is no value.
func (p *parser) noValue(t *term, tok token) error {
	msg := `after "` + t.key + " " + t.op.String() + `" expected a value`
	if tok.kind != tEOF {
		msg += `, quoted if it is to contain "` + p.text[tok.pos:tok.end] + `"`
	}
	return p.failAt(tok, msg, t.examples()...)
}

// examples are values that the key takes.
func (t *term) examples() []string {
	switch t.shape {
	case integer:
		return []string{"0", "0..63"}
	case duration:
		return []string{"2s", "150ms"}
	case choice, flag:
		return shortKey(t.key).Words
	case hexID:
		return []string{"hex digits"}
	}
	return []string{"a word", "a number", `"text"`}
}

// manyValues is the length from which a list is looked up, not walked.
const manyValues = 8

// index prepares a long list of whole numbers for look-up.
func (t *term) index() {
	if len(t.vals) < manyValues {
		return
	}
	ints := make(map[int64]bool, len(t.vals))
	for _, v := range t.vals {
		if v.isSpan || !v.isNum || !v.num.whole {
			return
		}
		ints[v.num.i] = true
	}
	t.ints = ints
}

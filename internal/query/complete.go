package query

import (
	"strings"
	"unicode/utf8"

	"github.com/beamline-hpc/lensview/internal/store"
)

// Completion is one way to go on: text[From:To] is to be replaced by Text.
type Completion struct {
	From, To int    // bytes of the text
	Text     string // what to put there, quoted where it must be
	About    string // what it is, may be empty
}

// maxCompletions bounds what is offered.
const maxCompletions = 50

// Complete offers keys, operators and values that fit before the cursor (a byte
// offset), the best first. Values are those of the run with that id, or of the
// first run; the snapshot may be nil. It reads a bounded sample of spans.
func Complete(text string, cursor int, s *store.Snapshot, runID string) []Completion {
	cursor = min(max(cursor, 0), len(text))
	for cursor > 0 && cursor < len(text) && !utf8.RuneStart(text[cursor]) {
		cursor--
	}
	p := place{lexer: lexer{text: text[:cursor]}, from: cursor}
	p.walk()
	src := source{snapshot: s, run: pick(s, runID)}
	o := offers{prefix: p.partial, from: p.from, to: cursor, quote: p.quote}
	switch p.state {
	case atTerm:
		src.keys(&o)
		o.add("not", "reverses what follows", false)
	case afterTerm:
		src.afterTerm(&o, p.key)
	case atValue:
		src.values(&o, p.key, p.op)
	case atList:
		o.add("(", "a list of values", false)
	}
	return o.best()
}

func pick(s *store.Snapshot, id string) *store.Run {
	if s == nil || len(s.Runs) == 0 {
		return nil
	}
	if r := s.Run(id); r != nil {
		return r
	}
	return s.Runs[0]
}

// position is what may come next at a place in the text.
type position uint8

const (
	atTerm    position = iota // a key, a word, not or (
	afterTerm                 // an operator for key, or and, or, another term
	atValue                   // a value of key
	atList                    // the ( of a list
)

// place finds out what may come at the end of a text that need not be whole.
type place struct {
	lexer
	state   position
	key     string // the key before the operator, "" when there is none
	quoted  bool   // key was quoted
	op      string
	list    bool   // inside a list
	partial string // what has been typed of the next word
	from    int    // where that begins
	quote   bool   // it begins with a quote
}

func (p *place) walk() {
	for {
		p.skipSpace()
		at := p.pos
		t, err := p.token()
		if err != nil {
			p.unfinished(at)
			return
		}
		if t.kind == tEOF {
			return
		}
		word := t.kind == tWord || t.kind == tAnd || t.kind == tOr || t.kind == tNot
		if word && t.end == len(p.text) && t.val != "!" && t.val != "&&" && t.val != "||" {
			p.partial, p.from = t.val, t.pos
			return
		}
		p.step(t)
	}
}

func (p *place) token() (token, error) {
	if p.state == atValue && (p.op == "=~" || p.op == "!~") && p.pos < len(p.text) && p.text[p.pos] != '"' && p.text[p.pos] != '\'' {
		return p.pattern(), nil
	}
	return p.next()
}

// unfinished takes an open quote as the beginning of a value or key.
func (p *place) unfinished(at int) {
	if q := p.text[at]; q == '"' || q == '\'' {
		p.partial, p.from, p.quote = p.text[at+1:], at, true
	}
}

// step moves over one whole token.
func (p *place) step(t token) {
	switch p.state {
	case atTerm:
		if t.kind == tWord || t.kind == tQuoted {
			p.state, p.key, p.quoted = afterTerm, t.val, t.kind == tQuoted
		}
	case afterTerm:
		p.afterTerm(t)
	case atList:
		p.state, p.list = atValue, t.kind == tOpen
	case atValue:
		if !p.list || t.kind == tClose {
			p.state, p.key, p.list = afterTerm, "", false
		}
	}
}

func (p *place) afterTerm(t token) {
	switch {
	case t.kind == tOp && p.key != "":
		p.state, p.op = atValue, t.val
	case t.kind == tWord && strings.EqualFold(t.val, "in") && p.key != "":
		p.state, p.op = atList, "in"
	case t.kind == tWord || t.kind == tQuoted:
		p.key, p.quoted = t.val, t.kind == tQuoted
	case t.kind == tClose:
		p.key = ""
	default:
		p.state = atTerm
	}
}

// offers collects completions that fit what has been typed.
type offers struct {
	prefix   string
	from, to int
	quote    bool
	first    []Completion // begin with the prefix
	rest     []Completion // contain it
}

// add offers s, which is quoted where it must be when it is a value.
func (o *offers) add(s, about string, value bool) {
	low, want := strings.ToLower(s), strings.ToLower(o.prefix)
	c := Completion{From: o.from, To: o.to, Text: s, About: about}
	if value {
		c.Text = Quote(s)
	}
	if o.quote && !strings.HasPrefix(c.Text, `"`) {
		c.Text = `"` + c.Text + `"`
	}
	switch {
	case strings.HasPrefix(low, want):
		o.first = append(o.first, c)
	case strings.Contains(low, want):
		o.rest = append(o.rest, c)
	}
}

func (o *offers) best() []Completion {
	all := append(o.first, o.rest...)
	return all[:min(len(all), maxCompletions)]
}

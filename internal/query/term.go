package query

import (
	"regexp"
	"strings"
)

// term reads key op value, a flag, or a bare word.
func (p *parser) term() (*node, error) {
	key := p.tok
	k := (*Key)(nil)
	if key.kind == tWord {
		k = shortKey(key.val)
	}
	if err := p.advance(); err != nil {
		return nil, err
	}
	op, ok, err := p.comparison()
	if err != nil {
		return nil, err
	}
	if !ok {
		return p.bare(key, k)
	}
	t := &term{key: key.val, op: op}
	if k != nil {
		t.key, t.on, t.shape = k.Name, k.on, k.shape
	}
	if err := p.values(t); err != nil {
		return nil, err
	}
	t.index()
	return &node{term: t}, nil
}

// bare makes a term of a word without an operator.
func (p *parser) bare(key token, k *Key) (*node, error) {
	switch {
	case k == nil:
		return &node{term: &term{on: onName, shape: text, key: "name", contains: strings.ToLower(key.val)}}, nil
	case k.shape == flag:
		return &node{term: &term{on: k.on, shape: flag, key: k.Name, vals: []value{{text: "true"}}}}, nil
	}
	msg := `after "` + key.val + `" expected an operator`
	return nil, p.fail(msg, k.Operators()...)
}

// comparison reads an operator if there is one. The current token is then the
// operator's last one and the lexer stands before the value.
func (p *parser) comparison() (operator, bool, error) {
	switch p.tok.kind {
	case tOp:
		word := strings.Replace(p.tok.val, "==", "=", 1)
		for i, w := range opWords {
			if w == word {
				return operator(i), true, nil
			}
		}
	case tWord:
		if strings.EqualFold(p.tok.val, "in") {
			return opIn, true, nil
		}
	case tNot:
		return p.notIn()
	}
	return 0, false, nil
}

// notIn tells "rank not in (…)" from "word not other".
func (p *parser) notIn() (operator, bool, error) {
	ahead := lexer{text: p.text, pos: p.pos}
	t, err := ahead.next()
	if err != nil || t.kind != tWord || !strings.EqualFold(t.val, "in") {
		return 0, false, err
	}
	return opNotIn, true, p.advance()
}

// values reads what stands after the operator and leaves the token after it
// current.
func (p *parser) values(t *term) error {
	if !t.takes(t.op) {
		return p.fail(`"`+t.key+`" does not take "`+t.op.String()+`", expected`, t.shape.operators()...)
	}
	if t.op == opMatch || t.op == opNoMatch {
		return p.pattern(t)
	}
	tok, err := p.valueToken()
	if err != nil {
		return err
	}
	if t.op == opIn || t.op == opNotIn {
		return p.members(t, tok)
	}
	if tok.kind == tOpen {
		return p.failAt(tok, `a list goes with "in"`, t.key+" in (…)")
	}
	if err := p.value(t, tok); err != nil {
		return err
	}
	return p.advance()
}

// takes reports whether the key's shape allows the operator.
func (t *term) takes(op operator) bool {
	word := strings.TrimPrefix(op.String(), "not ")
	for _, w := range t.shape.operators() {
		if w == word {
			return true
		}
	}
	return false
}

// valueToken is the next token read as a value: words of the grammar are plain
// words here.
func (p *parser) valueToken() (token, error) {
	t, err := p.next()
	if t.kind == tAnd || t.kind == tOr || t.kind == tNot {
		if t.val != "&&" && t.val != "||" && t.val != "!" {
			t.kind = tWord
		}
	}
	return t, err
}

func (p *parser) failAt(t token, msg string, expected ...string) error {
	return fail(p.text, t.pos, t.end-t.pos, msg, expected...)
}

// members reads a list in parentheses, or a range.
func (p *parser) members(t *term, tok token) error {
	if tok.kind != tOpen {
		if v := literal(tok.val); tok.kind != tWord || !v.isSpan && t.shape != duration {
			return p.failAt(tok, `after "`+t.op.String()+`" expected a list or a range`, "(0,8,16)", "0..63")
		}
		if err := p.value(t, tok); err != nil {
			return err
		}
		return p.advance()
	}
	for {
		item, err := p.valueToken()
		if err != nil {
			return err
		}
		if err := p.value(t, item); err != nil {
			return err
		}
		sep, err := p.next()
		if err != nil {
			return err
		}
		if sep.kind == tClose {
			return p.advance()
		}
		if sep.kind != tComma {
			return p.failAt(sep, "in a list expected", ",", ")")
		}
	}
}

// pattern reads and compiles a regular expression.
func (p *parser) pattern(t *term) error {
	tok, err := p.patternToken()
	if err != nil {
		return err
	}
	if tok.kind == tWord && tok.val == "" {
		return p.failAt(tok, `after "`+t.op.String()+`" expected a regular expression`)
	}
	re, err := regexp.Compile(tok.val)
	if err != nil {
		return p.failAt(tok, "not a regular expression: "+reason(err))
	}
	t.vals = []value{{text: tok.val, re: re}}
	return p.advance()
}

// patternToken is a regular expression, in quotes or not.
func (p *parser) patternToken() (token, error) {
	p.skipSpace()
	if p.pos < len(p.text) && (p.text[p.pos] == '"' || p.text[p.pos] == '\'') {
		return p.quoted(p.text[p.pos])
	}
	return p.lexer.pattern(), nil
}

// reason is a regexp error without its prefix.
func reason(err error) string {
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}

package query

import "strings"

// maxDepth bounds parentheses and NOTs; maxText bounds the text.
const (
	maxDepth = 200
	maxText  = 1 << 20
)

// Parse reads a filter. The empty text, or one of blanks only, matches
// everything. Any error is an *Error that points at the place.
func Parse(text string) (*Filter, error) {
	if len(text) > maxText {
		return nil, fail(text, maxText, 0, "the filter is longer than 1 MiB, shorten it")
	}
	p := parser{lexer: lexer{text: text}}
	if err := p.advance(); err != nil {
		return nil, err
	}
	f := &Filter{text: strings.TrimSpace(text)}
	if p.tok.kind == tEOF {
		return f, nil
	}
	root, err := p.or(0)
	if err != nil {
		return nil, err
	}
	if p.tok.kind != tEOF {
		return nil, p.unexpected()
	}
	f.root = root
	return f, nil
}

// parser is a recursive descent over tokens with one token of look-ahead.
type parser struct {
	lexer
	tok  token
	last token // the token before tok
}

func (p *parser) advance() error {
	t, err := p.next()
	if err != nil {
		return err
	}
	p.last, p.tok = p.tok, t
	return nil
}

// fail points at the current token.
func (p *parser) fail(msg string, expected ...string) error {
	return fail(p.text, p.tok.pos, p.tok.end-p.tok.pos, msg, expected...)
}

// unexpected is the error for a token that ends a filter too early.
func (p *parser) unexpected() error {
	if p.tok.kind == tClose {
		return p.fail(`this ")" closes nothing`)
	}
	if p.tok.kind == tOp {
		return p.fail(`"` + p.tok.val + `" has no key before it; quote a value that contains it`)
	}
	return p.fail(`"`+p.tok.val+`" belongs only into a list`, "rank in (0, 8, 16)")
}

func (p *parser) or(depth int) (*node, error) {
	return p.list(isOr, depth, p.and, func() bool { return p.tok.kind == tOr })
}

func (p *parser) and(depth int) (*node, error) {
	return p.list(isAnd, depth, p.not, func() bool {
		switch p.tok.kind {
		case tAnd, tNot, tOpen, tWord, tQuoted:
			return true
		}
		return false
	})
}

// list reads nodes joined by one kind of operator, which may be left out
// between the terms of an AND.
func (p *parser) list(kind nodeKind, depth int, item func(int) (*node, error), more func() bool) (*node, error) {
	first, err := item(depth)
	if err != nil || !more() {
		return first, err
	}
	n := &node{kind: kind, kids: []*node{first}}
	for more() {
		if p.tok.kind == tAnd || p.tok.kind == tOr {
			if err := p.advance(); err != nil {
				return nil, err
			}
		}
		k, err := item(depth)
		if err != nil {
			return nil, err
		}
		n.kids = append(n.kids, k)
	}
	return n, nil
}

func (p *parser) not(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, p.fail("the filter is nested too deeply")
	}
	switch p.tok.kind {
	case tNot:
		if err := p.advance(); err != nil {
			return nil, err
		}
		k, err := p.not(depth + 1)
		if err != nil {
			return nil, err
		}
		return &node{kind: isNot, kids: []*node{k}}, nil
	case tOpen:
		return p.group(depth + 1)
	case tWord, tQuoted:
		return p.term()
	}
	return nil, p.noTerm()
}

func (p *parser) group(depth int) (*node, error) {
	open := p.tok
	if err := p.advance(); err != nil {
		return nil, err
	}
	n, err := p.or(depth)
	if err != nil {
		return nil, err
	}
	if p.tok.kind == tEOF {
		return nil, fail(p.text, open.pos, 1, `this "(" is never closed, expected`, ")")
	}
	if p.tok.kind != tClose {
		return nil, p.unexpected()
	}
	return n, p.advance()
}

// noTerm is the error where a term should begin.
func (p *parser) noTerm() error {
	what := "expected a term"
	switch {
	case p.last.end > 0:
		what = `after "` + p.text[p.last.pos:p.last.end] + `" expected a term`
	case p.tok.kind == tOp:
		return p.unexpected()
	}
	return p.fail(what, "key=value", "a word of a name", "not", "(")
}

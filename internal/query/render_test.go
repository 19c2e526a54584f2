package query

import (
	"fmt"
	"sort"
	"strings"
)

// render writes a tree with every parenthesis, so that tests can see how a text
// was understood. The result parses to the same tree.
func render(n *node) string {
	if n == nil {
		return ""
	}
	switch n.kind {
	case isTerm:
		return renderTerm(n.term)
	case isNot:
		return "not (" + render(n.kids[0]) + ")"
	}
	sep := " and "
	if n.kind == isOr {
		sep = " or "
	}
	parts := make([]string, len(n.kids))
	for i, k := range n.kids {
		parts[i] = "(" + render(k) + ")"
	}
	return strings.Join(parts, sep)
}

func renderTerm(t *term) string {
	key := t.key
	if t.on == onAttribute {
		key = forceQuote(key)
	}
	if t.vals == nil {
		return forceQuote(t.contains)
	}
	if t.op == opMatch || t.op == opNoMatch {
		return fmt.Sprintf("%s %s %s", key, t.op, renderPattern(t.vals[0].text))
	}
	vals := make([]string, len(t.vals))
	for i, v := range t.vals {
		vals[i] = renderValue(t, v)
	}
	if t.op == opIn || t.op == opNotIn {
		return fmt.Sprintf("%s %s (%s)", key, t.op, strings.Join(vals, ", "))
	}
	return fmt.Sprintf("%s %s %s", key, t.op, vals[0])
}

func renderValue(t *term, v value) string {
	if v.isNum {
		return v.text
	}
	return forceQuote(v.text)
}

// renderPattern doubles what the quotes would eat.
func renderPattern(s string) string { return forceQuote(s) }

func forceQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// keysOf lists the keys a filter looks at.
func keysOf(n *node) []string {
	var out []string
	n.terms(func(t *term) { out = append(out, t.key) })
	sort.Strings(out)
	return out
}

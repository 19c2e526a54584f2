package run

import (
	"errors"
	"fmt"
	"strings"
)

// maxAlternatives bounds what the braces of one glob may multiply to.
const maxAlternatives = 256

// glob is a pattern cut at its stars, once as written and once for each way in
// which its ends may stand for nothing.
type glob struct {
	forms   [][]string
	literal int // bytes that are not stars
}

// parseGlobs expands the braces and cuts each alternative.
func parseGlobs(pattern string) ([]glob, error) {
	flat, err := expandBraces(pattern)
	if err != nil {
		return nil, fmt.Errorf("glob %q: %w", pattern, err)
	}
	globs := make([]glob, len(flat))
	for i, f := range flat {
		globs[i] = newGlob(f)
		if globs[i].literal == 0 {
			return nil, fmt.Errorf("glob %q matches every name: write some of the name's text", pattern)
		}
	}
	return globs, nil
}

// newGlob cuts a pattern without braces. A "*." at its beginning and a ".*" at
// its end may stand for nothing.
func newGlob(flat string) glob {
	g := glob{literal: len(flat) - strings.Count(flat, "*")}
	bareHead, head := strings.CutPrefix(flat, "*.")
	for _, form := range []string{flat, bareHead} {
		g.add(form)
		if bareTail, tail := strings.CutSuffix(form, ".*"); tail {
			g.add(bareTail)
		}
		if !head {
			break
		}
	}
	return g
}

// add cuts one form at its stars. The empty form would match the empty name
// only, which is no bare word.
func (g *glob) add(form string) {
	if form != "" {
		g.forms = append(g.forms, strings.Split(form, "*"))
	}
}

// expandBraces turns "a{b,c}d" into "abd" and "acd", leftmost braces first.
// Braces do not nest.
func expandBraces(pattern string) ([]string, error) {
	done := []string{""}
	for rest := pattern; rest != ""; {
		head, words, tail, err := cutBraces(rest)
		if err != nil {
			return nil, err
		}
		if len(done)*len(words) > maxAlternatives {
			return nil, fmt.Errorf("more than %d alternatives: split it into several rows", maxAlternatives)
		}
		done, rest = appendEach(done, head, words), tail
	}
	return done, nil
}

// cutBraces splits s around its first braces. Without braces words is one empty
// word and tail is empty.
func cutBraces(s string) (head string, words []string, tail string, err error) {
	open := strings.IndexAny(s, "{}")
	if open < 0 {
		return s, []string{""}, "", nil
	}
	n := strings.IndexAny(s[open+1:], "{}")
	switch {
	case s[open] == '}':
		return "", nil, "", errors.New("a } without its {")
	case n < 0:
		return "", nil, "", errors.New("a { without its }")
	case s[open+1+n] == '{':
		return "", nil, "", errors.New("braces within braces")
	}
	return s[:open], strings.Split(s[open+1:open+1+n], ","), s[open+2+n:], nil
}

func appendEach(done []string, head string, words []string) []string {
	all := make([]string, 0, len(done)*len(words))
	for _, d := range done {
		for _, w := range words {
			all = append(all, d+head+w)
		}
	}
	return all
}

// match reports whether the whole name matches.
func (g glob) match(name string) bool {
	for _, parts := range g.forms {
		if matchParts(parts, name) {
			return true
		}
	}
	return false
}

// matchParts finds the parts in order, each as early as it can be, which is
// enough when * matches any text. It takes at most len(name) × len(parts) steps.
func matchParts(parts []string, name string) bool {
	if len(parts) == 1 {
		return name == parts[0]
	}
	if !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	last := len(parts) - 1
	for _, p := range parts[1:last] {
		i := strings.Index(name, p)
		if i < 0 {
			return false
		}
		name = name[i+len(p):]
	}
	return strings.HasSuffix(name, parts[last])
}

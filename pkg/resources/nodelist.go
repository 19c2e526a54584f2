package resources

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The bounds of ExpandNodeList. A list beyond them is a typing error or an attack:
// the largest machines have some ten thousand nodes.
const (
	MaxNodes      = 1 << 16 // names
	maxNodesBytes = 8 << 20 // of all names together
	maxDigits     = 18      // of one number, so that sums stay within int64
)

// ErrNodeList is a node list that cannot be read: unbalanced brackets, an empty
// name, or a range that is none.
var ErrNodeList = errors.New("not a node list of Slurm")

// ErrTooManyNodes is a node list that expands to more than MaxNodes names, or to
// more text than is reasonable.
var ErrTooManyNodes = errors.New("node list too long to expand")

// ExpandNodeList expands Slurm's compressed node list: "rack[0-1]n[00-02],login" is
// seven names, zeros before a number are kept, and of several brackets in a name the
// last varies fastest. An empty list has no names.
//
// A list that cannot be read (ErrNodeList) and one that would be too long
// (ErrTooManyNodes, with the count in the text) come back as they are, as one name;
// nothing is allocated for their nodes.
func ExpandNodeList(list string) ([]string, error) {
	items, err := parseNodeList(list)
	if err != nil {
		return []string{list}, err
	}
	count, bytes := measure(items)
	if count > MaxNodes || bytes > maxNodesBytes {
		return []string{list}, fmt.Errorf("%w: %d names, more than %d or %d bytes", ErrTooManyNodes, count, MaxNodes, maxNodesBytes)
	}
	names := make([]string, 0, count)
	for _, item := range items {
		names = append(names, item.expand()...)
	}
	return names, nil
}

// CountNodes is the number of names in Slurm's compressed node list, without
// expanding it: right also for a list that is too long to expand (at most
// math.MaxInt64). The error is ErrNodeList.
func CountNodes(list string) (int64, error) {
	items, err := parseNodeList(list)
	count, _ := measure(items)
	return count, err
}

// nodeItem is one entry of a list: text and brackets by turns.
type nodeItem []nodePart

// nodePart is the text before a bracket with the ranges in it. The last part of an
// item may have no ranges.
type nodePart struct {
	text   string
	ranges []nodeRange
}

type nodeRange struct {
	low, high int64
	width     int
}

func parseNodeList(list string) ([]nodeItem, error) {
	if strings.TrimSpace(list) == "" {
		return nil, nil
	}
	var items []nodeItem
	for _, text := range splitOutside(list) {
		item, err := parseNodeItem(strings.TrimSpace(text))
		if err != nil {
			return nil, fmt.Errorf("%w: %q: %w", ErrNodeList, cut(text), err)
		}
		items = append(items, item)
	}
	return items, nil
}

// splitOutside splits at the commas outside of brackets.
func splitOutside(list string) []string {
	var parts []string
	start, inside := 0, false
	for i, c := range list {
		switch {
		case c == '[':
			inside = true
		case c == ']':
			inside = false
		case c == ',' && !inside:
			parts = append(parts, list[start:i])
			start = i + 1
		}
	}
	return append(parts, list[start:])
}

func parseNodeItem(text string) (nodeItem, error) {
	if text == "" {
		return nil, errors.New("an empty name")
	}
	var item nodeItem
	for text != "" {
		before, rest, bracket := strings.Cut(text, "[")
		if strings.Contains(before, "]") {
			return nil, errors.New(`a "]" without "["`)
		}
		if !bracket {
			return append(item, nodePart{text: before}), nil
		}
		inside, after, closed := strings.Cut(rest, "]")
		if !closed {
			return nil, errors.New(`a "[" without "]"`)
		}
		ranges, err := parseRanges(inside)
		if err != nil {
			return nil, err
		}
		item = append(item, nodePart{before, ranges})
		text = after
	}
	return item, nil
}

func parseRanges(text string) ([]nodeRange, error) {
	var ranges []nodeRange
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(part, "-")
		if !isRange {
			high = low
		}
		r := nodeRange{width: len(low)}
		var ok, ok2 bool
		r.low, ok = number(low)
		r.high, ok2 = number(high)
		if !ok || !ok2 || r.low > r.high {
			return nil, fmt.Errorf("%q is no range of numbers", cut(part))
		}
		ranges = append(ranges, r)
	}
	return ranges, nil
}

func number(digits string) (int64, bool) {
	if len(digits) > maxDigits || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, err == nil
}
